// The sports service of a test, with a small demo season unless it asks for more.

import Endpoints
import ServiceRuntime
import SportsAPI
import SportsService
import TestSupport
import Vocabulary

/// 2026-12-01T10:00:00Z.
let beginning = instant("2026-12-01T10:00:00Z")

func instant(_ text: String) -> Instant {
    guard let instant = Instant(text) else { preconditionFailure("\(text) is no instant") }
    return instant
}

func date(_ text: String) -> CalendarDate {
    guard let date = CalendarDate(text) else { preconditionFailure("\(text) is no date") }
    return date
}

/// Runs `body` with a sports service.
func withSports(
    replicas: Int = 1, leaguesPerCountry: Int = 1, clock: WallClock = .fixed(beginning),
    _ body: (TestService) async throws -> Void
) async throws {
    try await TestService.with(
        SportsService.description, replicas: replicas, clock: clock,
        environment: ["DEMO_LEAGUES_PER_COUNTRY": "\(leaguesPerCountry)"],
        make: { resources, environment in
            SportsService(resources, configuration: SportsConfiguration(&environment)).parts()
        }, body)
}

extension WallClock {
    static func fixed(_ now: Instant) -> WallClock { WallClock { now } }
}

extension EndpointClient {
    /// Every league of a search, page by page.
    func allLeagues(_ query: String? = nil, limit: Int = 100) async throws -> [League] {
        var found: [League] = []
        var cursor: String?
        repeat {
            let page = try await send(ListLeagues(query: query, limit: limit, cursor: cursor))
            found += page.items
            cursor = page.next
        } while cursor != nil
        return found
    }

    /// Every match of a day, page by page.
    func allFixtures(
        on date: CalendarDate, zone: String? = nil, league: League.ID? = nil, limit: Int = 100
    ) async throws -> [Fixture] {
        var found: [Fixture] = []
        var cursor: String?
        repeat {
            let page = try await send(
                ListFixtures(date: date, zone: zone, league: league, limit: limit, cursor: cursor))
            found += page.items
            cursor = page.next
        } while cursor != nil
        return found
    }
}
