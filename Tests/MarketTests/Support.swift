// The market service in this process.
import MarketService
import ServiceRuntime
import TestSupport
import Vocabulary

func withMarket<Value>(
    replicas: Int = 1, clock: WallClock = .system, _ body: (TestService) async throws -> Value
) async throws -> Value {
    try await TestService.with(
        MarketService.description, replicas: replicas, clock: clock,
        environment: ["DEMO_HISTORY_MINUTES": "120"],
        make: { resources, environment in
            MarketService(resources, configuration: MarketConfiguration(&environment)).parts()
        }, body)
}

/// Asks until the answer satisfies; the feed needs a moment after the start.
func eventually<Value>(
    _ ask: () async throws -> Value, until isGood: (Value) -> Bool
) async throws -> Value {
    var value = try await ask()
    var tries = 0
    while !isGood(value) && tries < 600 {
        try await Task.sleep(nanoseconds: 50_000_000)
        value = try await ask()
        tries += 1
    }
    return value
}
