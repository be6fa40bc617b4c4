// The matches of a day. Which day a match is on depends on where the reader is: PostgreSQL, which knows the zones, decides.
import Endpoints
import Postgres
import ServiceRuntime
import SportsAPI
import Vocabulary

extension SportsService {
    func listFixtures(_ request: ListFixtures, _ context: Context) async throws -> FixtureList {
        let after = try FixturePlace(cursor: request.cursor)
        let limit = request.limit ?? SportsLimits.defaultPage
        let zone = request.zone ?? "UTC"
        let deadline = context.deadline
        guard try await database.row(Self.zone(zone), deadline: deadline) != nil else {
            throw Problem(
                .invalidField, "zone is not an IANA time zone such as Asia/Seoul", field: "zone")
        }
        let rows = try await database.rows(
            Self.fixtures(
                on: request.date, in: zone, league: request.league, after: after, limit: limit + 1),
            deadline: deadline)
        let now = clock.now()
        let language = context.language
        let items = rows.prefix(limit).map { $0.fixture(in: language, at: now) }
        let next = rows.count > limit ? items.last.map { FixturePlace($0).cursor } : nil
        return FixtureList(
            items: items, next: next, date: request.date, zone: zone, language: language,
            source: Self.source)
    }
}

/// Where a match stands among those of its day.
struct FixturePlace: Sendable {
    let kicksOffAt: Instant
    let id: Fixture.ID

    init(_ fixture: Fixture) {
        kicksOffAt = fixture.kicksOffAt
        id = fixture.id
    }

    /// - Throws: `invalid_field` for a cursor that no page gave.
    init?(cursor: String?) throws(Problem) {
        guard let cursor else { return nil }
        guard let line = cursor.lastIndex(of: "-"),
            let microseconds = Int64(cursor[..<line]),
            Instant.range.contains(microseconds),
            let id = Fixture.ID(String(cursor[cursor.index(after: line)...]))
        else { throw Problem(.invalidField, "cursor is not one that a page gave", field: "cursor") }
        kicksOffAt = Instant(microseconds: microseconds)
        self.id = id
    }

    var cursor: String { "\(kicksOffAt.microseconds)-\(id)" }
}

/// A match as it is stored.
struct FixtureRow: PostgresRow {
    let id: Fixture.ID
    let kicksOffAt: Instant
    let postponed: Bool
    let league: LeagueNameRow
    let home: TeamRow
    let away: TeamRow

    init(_ columns: inout ColumnReader) throws {
        id = try columns.next()
        kicksOffAt = try columns.next()
        postponed = try columns.next()
        league = try LeagueNameRow(&columns)
        home = try TeamRow(&columns)
        away = try TeamRow(&columns)
    }

    func fixture(in language: Language, at now: Instant) -> Fixture {
        let play = DemoScore(
            of: id.rawValue, kicksOffAt: kicksOffAt, postponed: postponed, at: now)
        return Fixture(
            id: id, league: league.league(in: language), home: home.team(in: language),
            away: away.team(in: language), kicksOffAt: kicksOffAt, state: play.state,
            score: play.score)
    }
}

extension SportsService {
    static func zone(_ name: String) -> Query<String> {
        "select name from time_zone where name = \(name)"
    }

    /// The day widened by what zones differ from UTC is what an index can find; within it the local date decides, which is right also where
    /// a midnight happens twice or never.
    static func fixtures(
        on date: CalendarDate, in zone: String, league: League.ID?, after: FixturePlace?, limit: Int
    ) -> Query<FixtureRow> {
        let start = Instant(startOf: date)
        let earliest = start.adding(seconds: -Limits.zoneHours * 3600)
        let from = max(earliest, after?.kicksOffAt ?? earliest)
        let end = start.adding(seconds: (24 + Limits.zoneHours) * 3600)
        let one: SQL = league.map { "and fixture.league_id = \($0)" } ?? ""
        return """
            select fixture.id, fixture.kicks_off_at, fixture.postponed,
                league.id, league.name_en, league.name_ko,
                home.id, home.name_en, home.name_ko, home.code,
                away.id, away.name_en, away.name_ko, away.code
            from fixture join league on league.id = fixture.league_id
                join team as home on home.id = fixture.home_id
                join team as away on away.id = fixture.away_id
            where fixture.kicks_off_at >= \(from)
                and fixture.kicks_off_at < \(end)
                and (fixture.kicks_off_at at time zone \(zone)::text)::date = \(date)
                and (fixture.kicks_off_at, fixture.id)
                    > (\(after?.kicksOffAt ?? from.adding(seconds: -1)), \(after?.id.rawValue ?? 0))
                \(raw: one)
            order by fixture.kicks_off_at, fixture.id limit \(limit)
            """
    }
}
