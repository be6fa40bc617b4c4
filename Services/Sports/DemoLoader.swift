// Brings the demo season into the database, a country at a time: each is one transaction, so a process that is killed leaves
// whole countries and the next goes on after them. Replicas take turns by a lock; the second finds the country there.
import JSON
package import Postgres
package import ServiceRuntime
package import Vocabulary

/// Loads the seasons that began last.
package struct DemoLoader: Sendable {
    let database: Database
    let clock: WallClock
    let log: Log
    let leaguesPerCountry: Int

    package init(database: Database, clock: WallClock, log: Log, leaguesPerCountry: Int) {
        self.database = database
        self.clock = clock
        self.log = log
        self.leaguesPerCountry = leaguesPerCountry
    }

    /// Loads what is missing. Takes one query when nothing is.
    /// - Throws: `PostgresError`.
    package func load() async throws {
        try await database.run(Self.insertZones())
        let today = CalendarDate(utc: clock.now())
        let stored = Set(try await database.rows(Self.storedSeasons(on: today)))
        var loaded = 0
        for position in DemoCountry.all.indices {
            let wanted = DemoSeason.seasons(
                country: position, leagues: leaguesPerCountry, on: today)
            if wanted.allSatisfy({ stored.contains(StoredSeason($0.league, $0.startsOn)) }) {
                continue
            }
            let season = DemoSeason(country: position, leagues: leaguesPerCountry, on: today)
            loaded += try await load(season, position)
        }
        if loaded > 0 {
            log.notice("demo season loaded", [("fixtures", .number(JSONNumber(loaded)))])
        }
    }

    /// Loads the seasons that begin while the service runs, until cancelled.
    func keepCurrent() async {
        var wait = Limits.seasonCheckSeconds
        while !Task.isCancelled {
            do {
                try await Task.sleep(nanoseconds: wait * 1_000_000_000)
                try await load()
                wait = Limits.seasonCheckSeconds
            } catch is CancellationError {
                return
            } catch {
                log.warning("can't load the demo season: \(error)")
                wait = Limits.retrySeconds
            }
        }
    }

    /// - Returns: fixtures added.
    private func load(_ season: DemoSeason, _ position: Int) async throws -> Int {
        try await database.transaction(retries: 3) { transaction in
            _ = try await transaction.one(Self.takeTurn(position))
            try await transaction.run(Self.insertCountry(season.country))
            try await transaction.run(Self.insertLeagues(season))
            try await transaction.run(Self.insertTeams(season.teams))
            try await transaction.run(Self.insertSeasons(season.leagues))
            return try await transaction.run(Self.insertFixtures(season.fixtures))
        }
    }
}

/// A season that is in the database.
struct StoredSeason: PostgresRow, Hashable {
    let league: Int64
    let startsOn: CalendarDate

    init(_ columns: inout ColumnReader) throws {
        league = try columns.next()
        startsOn = try columns.next()
    }

    init(_ league: Int64, _ startsOn: CalendarDate) {
        self.league = league
        self.startsOn = startsOn
    }
}

extension DemoLoader {
    /// Names that only mean something on one machine, or mean the same in another notation, are not for callers.
    static func insertZones() -> Command {
        """
        insert into time_zone (name)
        select name from pg_timezone_names
        where name !~ '^(posix|right)/' and name not in ('localtime', 'posixrules', 'Factory')
            and not exists (select from time_zone limit 1)
        on conflict on constraint time_zone_primary do nothing
        """
    }

    /// Seasons that may be among those that began last: within a year and some weeks.
    static func storedSeasons(on today: CalendarDate) -> Query<StoredSeason> {
        """
        select league_id, starts_on from season
        where starts_on between \(today)::date - 400 and \(today)::date
        order by league_id, starts_on limit 20000
        """
    }

    /// Waits for a replica that loads the same country.
    static func takeTurn(_ position: Int) -> Query<Int64> {
        let key = 0x5350_4F52_0000 + Int64(position)
        return "select 1::bigint from pg_advisory_xact_lock(\(key))"
    }

    static func insertCountry(_ country: DemoCountry) -> Command {
        """
        insert into country (code, name_en, name_ko)
        values (\(country.code), \(country.name.en), \(country.name.ko))
        on conflict on constraint country_primary do nothing
        """
    }

    static func insertLeagues(_ season: DemoSeason) -> Command {
        let leagues = season.leagues
        return """
            insert into league (id, country_code, name_en, name_ko, search_key, source)
            select id, \(season.country.code), name_en, name_ko, search_key, \(DemoSeason.source)
            from unnest(
                \(leagues.map(\.id)), \(leagues.map(\.name.en)), \(leagues.map(\.name.ko)),
                \(leagues.map(\.searchKey))) as made (id, name_en, name_ko, search_key)
            on conflict on constraint league_primary do nothing
            """
    }

    static func insertTeams(_ teams: [DemoSeason.Team]) -> Command {
        """
        insert into team (id, league_id, name_en, name_ko, code, search_key, source)
        select id, league_id, name_en, name_ko, code, search_key, \(DemoSeason.source)
        from unnest(
            \(teams.map(\.id)), \(teams.map(\.league)), \(teams.map(\.name.en)),
            \(teams.map(\.name.ko)), \(teams.map(\.code)), \(teams.map(\.searchKey)))
            as made (id, league_id, name_en, name_ko, code, search_key)
        on conflict on constraint team_primary do nothing
        """
    }

    static func insertSeasons(_ leagues: [DemoSeason.League]) -> Command {
        """
        insert into season (league_id, starts_on, ends_on, source)
        select league_id, starts_on::date, ends_on::date, \(DemoSeason.source)
        from unnest(
            \(leagues.map(\.id)), \(leagues.map(\.startsOn.description)),
            \(leagues.map(\.endsOn.description))) as made (league_id, starts_on, ends_on)
        on conflict on constraint season_primary do nothing
        """
    }

    /// Times travel as microseconds since 1970.
    static func insertFixtures(_ fixtures: [DemoSeason.Fixture]) -> Command {
        """
        insert into fixture
            (id, league_id, season_starts_on, home_id, away_id, kicks_off_at, postponed, source)
        select id, league_id, season_starts_on::date, home_id, away_id,
            timestamptz 'epoch' + kicks_off_at * interval '1 microsecond', postponed = 1,
            \(DemoSeason.source)
        from unnest(
            \(fixtures.map(\.id)), \(fixtures.map(\.league)),
            \(fixtures.map(\.seasonStartsOn.description)), \(fixtures.map(\.home)),
            \(fixtures.map(\.away)), \(fixtures.map(\.kicksOffAt.microseconds)),
            \(fixtures.map { $0.postponed ? 1 : 0 }))
            as made (id, league_id, season_starts_on, home_id, away_id, kicks_off_at, postponed)
        on conflict on constraint fixture_primary do nothing
        """
    }
}
