// Who may do what in sports.

import Endpoints
import SportsAPI
import TestSupport
import Testing
import Vocabulary

extension AccessMatrix {
    /// Everybody follows for themselves; the owner and the member follow the league.
    static let sports = AccessMatrix(
        service: "sports",
        table: """
            | endpoint       | anonymous | other | member | owner | admin | service |
            | ListCountries  | 200       | 200   | 200    | 200   | 200   | 200     |
            | ListLeagues    | 200       | 200   | 200    | 200   | 200   | 200     |
            | GetLeague      | 200       | 200   | 200    | 200   | 200   | 200     |
            | FollowLeague   | 401       | 204   | 204    | 204   | 204   | 401     |
            | UnfollowLeague | 401       | 204   | 204    | 204   | 204   | 401     |
            | ListFollows    | 401       | 200   | 200    | 200   | 200   | 401     |
            | ListTeams      | 200       | 200   | 200    | 200   | 200   | 200     |
            | ListFixtures   | 200       | 200   | 200    | 200   | 200   | 200     |
            """
    ) { service in
        let anybody = service.client(token: nil)
        let league = try #require(try await anybody.send(ListLeagues(limit: 1)).items.first).id
        for user in [Scene.owner, Scene.member] {
            let client = service.client(token: try AccessToken.user(user))
            _ = try await client.send(FollowLeague(league: league))
        }
        let date = try #require(CalendarDate("2026-12-01"))
        return Scene(requests: [
            ListCountries(), ListLeagues(), GetLeague(league: league),
            FollowLeague(league: league), UnfollowLeague(league: league), ListFollows(),
            ListTeams(query: "a"), ListFixtures(date: date),
        ])
    }
}
