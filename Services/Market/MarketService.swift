// Coin prices: the ranking, charts, and a live ticker.
import Endpoints
import MarketAPI
import Postgres
package import ServiceRuntime
import Vocabulary

/// The market service.
package struct MarketService: Sendable {
    package static let description = ServiceDescription(
        name: "market", summary: "Coin prices: ranking, one-minute candles and a live ticker.",
        version: "0.1.0", port: 8084, endpoints: MarketAPI.endpoints,
        migrations: [
            Migration("m0001_create_market", PackageResources.m0001_create_market_sql),
            Migration("m0002_add_demo_coins", PackageResources.m0002_add_demo_coins_sql),
        ])

    let database: Database
    let clock: WallClock
    private let log: Log
    private let stream: TickerStream
    private let configuration: MarketConfiguration

    package init(_ resources: ServiceResources, configuration: MarketConfiguration) {
        self.configuration = configuration
        database = resources.database
        clock = resources.clock
        log = resources.log
        stream = TickerStream(loops: resources.loops)
    }

    package func parts() -> ServiceParts {
        let stream = self.stream
        let feed = PriceFeed(
            database: database, clock: clock, log: log, stream: stream,
            historyMinutes: Int64(configuration.demoHistoryMinutes))
        return ServiceParts(
            router: router(), background: [{ await feed.run() }],
            metrics: {
                [
                    MetricSample(
                        "madang_open_sockets", .gauge, Double(await stream.count),
                        help: "Open WebSocket connections.")
                ]
            },
            stopping: { await stream.stop() })
    }

    private func router() -> Router {
        let router = Router()
        router.on(ListCoins.self, listCoins)
        router.on(GetCoin.self, getCoin)
        router.on(ListCandles.self, listCandles)
        let stream = self.stream
        router.raw(.get("/v1/market/stream"), name: "TickerStream", access: .public) { context in
            try stream.accept(context)
        }
        return router.sealed(MarketAPI.endpoints)
    }
}
