// Which leagues a user follows.
import Endpoints
import Postgres
import ServiceRuntime
import SportsAPI
import Vocabulary

extension SportsService {
    func followLeague(_ request: FollowLeague, _ context: Context) async throws -> NoContent {
        let user = UserID(trusted: try context.user.id)
        do {
            try await database.run(
                Self.follow(request.league, by: user, at: clock.now()), deadline: context.deadline)
        } catch let error as PostgresError
            where error.isForeignKeyViolation(of: "follow_league")
        {
            throw Problem(.notFound)
        }
        return NoContent()
    }

    func unfollowLeague(_ request: UnfollowLeague, _ context: Context) async throws -> NoContent {
        let user = UserID(trusted: try context.user.id)
        let deadline = context.deadline
        let removed = try await database.run(
            Self.unfollow(request.league, by: user), deadline: deadline)
        if removed == 0 {
            let known = try await database.row(
                Self.leagueExists(request.league), deadline: deadline)
            if known == nil { throw Problem(.notFound) }
        }
        return NoContent()
    }

    func listFollows(_ request: ListFollows, _ context: Context) async throws -> LeagueList {
        let user = UserID(trusted: try context.user.id)
        let after = try League.ID?(cursor: request.cursor)
        let limit = request.limit ?? SportsLimits.defaultPage
        let language = context.language
        let rows = try await database.rows(
            Self.followed(by: user, on: today, after: after, limit: limit + 1),
            deadline: context.deadline)
        let items = rows.prefix(limit).map { $0.league(in: language) }
        return LeagueList(
            items: items, next: rows.count > limit ? items.last?.id.description : nil,
            language: language, source: Self.source)
    }
}
