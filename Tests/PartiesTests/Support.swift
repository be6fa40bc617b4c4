// The parties service of a test, and parties to fill it with.

import Endpoints
import PartiesAPI
import PartiesService
import ServiceRuntime
import TestSupport
import Vocabulary

/// Where the clock of a test stands when it begins: 2026-03-01T00:00:00Z.
let beginning = Instant(microseconds: 1_772_323_200_000_000)

/// Runs `body` with a parties service whose clock stands still.
func withParties(
    replicas: Int = 1, clock: WallClock = ManualClock(beginning).clock, peers: Peers = .fake(),
    _ body: (TestService) async throws -> Void
) async throws {
    try await TestService.with(
        PartiesService.description, replicas: replicas, clock: clock, peers: peers,
        make: { resources, environment in
            let configuration = PartiesConfiguration(&environment)
            return PartiesService(resources, configuration: configuration).parts()
        }, body)
}

extension Point {
    static let gangnam = Point(name: "강남역 11번 출구", latitude: 37.4979123, longitude: 127.0276456)
    static let incheon = Point(name: "인천국제공항", latitude: 37.4601908, longitude: 126.4406957)

    static func at(_ latitude: Double, _ longitude: Double) -> Point {
        Point(name: "here", latitude: latitude, longitude: longitude)
    }
}

extension CreateParty {
    /// A party from Gangnam to the airport in an hour.
    static func example(
        origin: Point = .gangnam, seats: Int = 4, departsIn seconds: Int = 3600
    ) -> CreateParty {
        CreateParty(
            title: "공항 가실 분", origin: origin, destination: .incheon,
            departsAt: beginning.adding(seconds: seconds), seats: seats, note: "짐 하나씩")
    }
}
