// Takes the trades of the exchange once a second, tells them to the stream, and stores minutes and standings.
import Endpoints
import Postgres
import ServiceRuntime
import Vocabulary

/// Drives the simulated exchange on the first loop.
struct PriceFeed: Sendable {
    let database: Database
    let clock: WallClock
    let log: Log
    let stream: TickerStream
    let historyMinutes: Int64
    let exchange = SimulatedExchange()

    /// Runs until cancelled. What fails is logged and tried again a second later: nothing is lost, because the past can be
    /// computed at any time.
    func run() async {
        var coins: [ListedCoin] = []
        var second = clock.now().secondsSince1970
        var stored: Int64 = 0
        while !Task.isCancelled {
            do {
                if coins.isEmpty { coins = try await database.rows(Self.listed) }
                let now = clock.now().secondsSince1970
                let lastMinute = now / 60 * 60
                if stored < lastMinute {
                    try await storeMinutes(coins, until: lastMinute)
                    stored = lastMinute
                }
                if second < now {
                    second = now
                    publish(coins, second)
                }
                if second % Limits.standingsEverySeconds == 0 || stream.isEmpty {
                    try await storeStandings(coins, second)
                }
            } catch {
                log.warning("prices can't be stored: \(error)")
            }
            await sleepUntilNextSecond()
        }
    }

    private func sleepUntilNextSecond() async {
        let microseconds = UInt64(1_000_000 - clock.now().microseconds % 1_000_000)
        try? await Task.sleep(nanoseconds: microseconds * 1000)
    }

    private func publish(_ coins: [ListedCoin], _ second: Int64) {
        let asOf = Instant(microseconds: second * 1_000_000)
        for coin in coins {
            guard let trade = exchange.trade(coin, second: second) else { continue }
            stream.publish(coin, trade.price, asOf: asOf)
        }
    }

    /// Computes what is missing since the last stored minute, no further back than the history.
    private func storeMinutes(_ coins: [ListedCoin], until end: Int64) async throws {
        for coin in coins {
            let last = try await database.one(MarketService.lastCandle(coin.id))
            let earliest = end - historyMinutes * 60
            var minute = max(earliest, last.map { $0.secondsSince1970 + 60 } ?? earliest)
            var candles: [CandleRow] = []
            while minute < end {
                if let candle = exchange.candle(coin, minute: minute) { candles.append(candle) }
                minute += 60
                // Requests of this loop must not wait for a day of prices.
                if minute % 1800 == 0 { await Task.yield() }
                if candles.count >= Limits.candlesPerStatement || minute >= end {
                    if !candles.isEmpty {
                        try await database.run(MarketService.insertCandles(candles))
                    }
                    candles = []
                }
            }
        }
    }

    private func storeStandings(_ coins: [ListedCoin], _ second: Int64) async throws {
        var ids: [Int64] = []
        var prices: [ExactDecimal] = []
        for coin in coins {
            // The last trade may be some seconds old for a coin that is seldom traded.
            let trade = (0..<60).lazy.compactMap { exchange.trade(coin, second: second - $0) }.first
            guard let trade else { continue }
            ids.append(coin.id)
            prices.append(trade.price)
        }
        try await database.run(
            MarketService.storeStandings(
                ids, prices, asOf: Instant(microseconds: second * 1_000_000)))
    }

    private static let listed: Query<ListedCoin> =
        "select id, symbol, price_scale, demo_price::float8 from coin order by id limit 1000"
}

extension ListedCoin: PostgresRow {
    init(_ columns: inout ColumnReader) throws {
        id = try columns.next(Int64.self)
        symbol = try columns.next(String.self)
        scale = Int(try columns.next(Int16.self))
        basePrice = try columns.next(Double.self)
    }
}
