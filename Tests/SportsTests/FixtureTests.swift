// The matches of a day in many zones, and loading the demo season under bad conditions.

import Endpoints
import Postgres
import ServiceRuntime
import SportsAPI
import SportsService
import TestSupport
import Testing
import Vocabulary

@Suite struct FixtureTests {
    /// Case S1: every match on one day of each zone. The days are those around changes of the clock, among them one whose
    /// midnight happens twice (Havana) and one whose midnight never happens (Santiago).
    @Test(arguments: [
        ("UTC", "2026-10-24", 3), ("Asia/Seoul", "2026-11-30", 3),
        ("America/New_York", "2026-10-31", 3), ("Europe/Berlin", "2026-10-24", 3),
        ("Pacific/Auckland", "2026-09-26", 3), ("America/Havana", "2026-10-31", 3),
        ("America/Santiago", "2026-09-05", 3), ("Pacific/Kiritimati", "2026-12-01", 2),
        ("Etc/GMT+12", "2026-12-01", 2), ("Asia/Kathmandu", "2026-12-01", 2),
    ])
    func everyMatchIsOnOneDay(zone: String, first: String, days: Int) async throws {
        try await withSports(leaguesPerCountry: 3) { service in
            let client = service.client(nil)
            var listed: [Fixture] = []
            for day in 0..<days {
                let date = try #require(date(first).adding(days: day))
                let found = try await client.allFixtures(on: date, zone: zone, limit: 17)
                #expect(!found.isEmpty)
                let order = found.map { [$0.kicksOffAt.microseconds, $0.id.rawValue] }
                #expect(order == order.sorted { $0.lexicographicallyPrecedes($1) })
                listed += found
                let count = try await service.database.value(
                    """
                    select count(*) from fixture
                    where (kicks_off_at at time zone '\(zone)')::date = '\(date)'
                    """)
                #expect("\(found.count)" == count, "\(date) in \(zone)")
            }
            #expect(Set(listed.map(\.id)).count == listed.count)
            #expect(listed.allSatisfy { $0.home.id != $0.away.id })
        }
    }

    /// Case S1: the days of a season hold all of its matches.
    @Test func daysAddUpToTheSeason() async throws {
        try await withSports { service in
            let client = service.client(nil)
            let league = try #require(try await client.send(ListLeagues(country: "DK")).items.first)
            for zone in ["America/New_York", "Pacific/Auckland"] {
                var ids: [Fixture.ID] = []
                var day = try #require(league.season.startsOn.adding(days: -1))
                while let next = day.adding(days: 1),
                    day <= league.season.endsOn.adding(days: 1) ?? day
                {
                    ids += try await client.allFixtures(on: day, zone: zone, league: league.id)
                        .map(\.id)
                    day = next
                }
                #expect(ids.count == 90)
                #expect(Set(ids).count == 90)
            }
        }
    }

    @Test func scoresAppearWithTheClock() async throws {
        let clock = ManualClock(instant("2026-12-01T00:00:00Z"))
        try await withSports(clock: clock.clock) { service in
            let client = service.client(nil)
            let before = try await client.allFixtures(on: date("2026-12-01"))
            #expect(before.filter { $0.state == .postponed }.allSatisfy { $0.score == nil })
            let late = try #require(
                before.last { $0.state == .scheduled && $0.kicksOffAt > clock.clock.now() })
            #expect(late.score == nil)
            clock.set(late.kicksOffAt.adding(seconds: 600))
            let during = try await client.allFixtures(on: date("2026-12-01"))
                .first { $0.id == late.id }
            #expect(during?.state == .live && during?.score != nil)
            clock.advance(seconds: 7200)
            let after = try await client.allFixtures(on: date("2026-12-01"))
                .first { $0.id == late.id }
            #expect(after?.state == .finished && after?.score != nil)
        }
    }
}

@Suite struct LoadTests {
    private func load(_ database: Database, at time: String) async throws {
        try await DemoLoader(
            database: database, clock: .fixed(instant(time)), log: .silent, leaguesPerCountry: 2
        ).load()
    }

    private static let fixtures: Query<Int64> = "select count(*) from fixture"
    private static let countries: Query<Int64> = "select count(*) from country"

    @Test func aKilledLoadGoesOnAndReplicasAgree() async throws {
        try await TestDatabase.withPool(SportsService.description.migrations) { database, _ in
            // Ends a load in the middle: the constraint refuses the country.
            try await database.run(
                "alter table country add constraint broken check (code <> 'KR')" as Command)
            await #expect(throws: PostgresError.self) {
                try await load(database, at: "2026-12-01T00:00:00Z")
            }
            let half = try await database.one(Self.fixtures)
            #expect(half > 0 && half % 180 == 0, "whole countries")
            let known = try await database.one(Self.countries)
            #expect(half == known * 180)
            try await database.run("alter table country drop constraint broken" as Command)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask { try await load(database, at: "2026-12-01T00:00:00Z") }
                }
                try await group.waitForAll()
            }
            #expect(try await database.one(Self.fixtures) == 50 * 180)
            #expect(
                try await database.one("select count(*) from team" as Query<Int64>) == 50 * 20)

            // Nothing is written again: the newest transaction of the table stays.
            let mark: Query<String> = "select max(xmin::text::bigint)::text from fixture"
            let before = try await database.one(mark)
            try await load(database, at: "2026-12-02T00:00:00Z")
            #expect(try await database.one(mark) == before)

            // In the new year every league gets its next season, and keeps the last.
            try await load(database, at: "2027-08-20T00:00:00Z")
            #expect(try await database.one(Self.fixtures) == 2 * 50 * 180)
        }
    }
}
