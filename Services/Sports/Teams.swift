// Finding teams: codes and names are not unique, so each comes with its league and country.
import Endpoints
import Postgres
import ServiceRuntime
import SportsAPI
import Vocabulary

extension SportsService {
    func listTeams(_ request: ListTeams, _ context: Context) async throws -> TeamList {
        let sought = Sought(request.query)
        let after = try SearchPlace(cursor: request.cursor)
        let limit = request.limit ?? SportsLimits.defaultPage
        let language = context.language
        if sought.isImpossible {
            return TeamList(items: [], language: language, source: Self.source)
        }
        let rows = try await database.rows(
            Self.teams(sought, after: after, limit: limit + 1), deadline: context.deadline)
        let shown = rows.prefix(limit)
        return TeamList(
            items: shown.map { $0.entry(in: language) },
            next: rows.count > limit ? shown.last?.place.cursor : nil, language: language,
            source: Self.source)
    }
}

/// A team as it is stored.
struct TeamRow: PostgresRow {
    let id: Team.ID
    let name: StoredName
    let code: String

    init(_ columns: inout ColumnReader) throws {
        id = try columns.next()
        name = try StoredName(&columns)
        code = try columns.next()
    }

    func team(in language: Language) -> Team {
        Team(id: id, name: name.text(in: language), code: code)
    }
}

/// A league's names.
struct LeagueNameRow: PostgresRow {
    let id: League.ID
    let name: StoredName

    init(_ columns: inout ColumnReader) throws {
        id = try columns.next()
        name = try StoredName(&columns)
    }

    func league(in language: Language) -> LeagueName {
        LeagueName(id: id, name: name.text(in: language))
    }
}

/// A team with league and country.
struct TeamEntryRow: PostgresRow {
    let place: SearchPlace
    let team: TeamRow
    let league: LeagueNameRow
    let country: CountryRow

    init(_ columns: inout ColumnReader) throws {
        let rank = try columns.next(Int64.self)
        team = try TeamRow(&columns)
        place = SearchPlace(rank: rank, id: team.id.rawValue)
        league = try LeagueNameRow(&columns)
        country = try CountryRow(&columns)
    }

    func entry(in language: Language) -> TeamEntry {
        TeamEntry(
            team: team.team(in: language), league: league.league(in: language),
            country: country.country(in: language))
    }
}

extension SportsService {
    static func teams(_ sought: Sought, after: SearchPlace?, limit: Int) -> Query<TeamEntryRow> {
        """
        with found as (
            select id, \(raw: rank(sought)) as rank from team where \(raw: isFound(sought))
        )
        select found.rank, team.id, team.name_en, team.name_ko, team.code,
            league.id, league.name_en, league.name_ko,
            country.code, country.name_en, country.name_ko
        from found join team on team.id = found.id join league on league.id = team.league_id
            join country on country.code = league.country_code
        where (found.rank, found.id) > (\(after?.rank ?? 0), \(after?.id ?? 0))
        order by found.rank, found.id limit \(limit)
        """
    }
}
