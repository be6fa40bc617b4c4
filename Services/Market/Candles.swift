// One-minute candles: how trades become one, how holes are filled, how they are listed.
import Endpoints
package import MarketAPI
import Postgres
import ServiceRuntime
package import Vocabulary

/// A candle as it is stored.
package struct CandleRow: Sendable, Equatable {
    package let coin: Int64
    package let openedAt: Instant
    package let open: ExactDecimal
    package var high: ExactDecimal
    package var low: ExactDecimal
    package var close: ExactDecimal
    package var volume: ExactDecimal
    package var quoteVolume: ExactDecimal

    init(coin: Int64, openedAt: Instant, first: Trade) {
        self.coin = coin
        self.openedAt = openedAt
        open = first.price
        high = first.price
        low = first.price
        close = first.price
        volume = first.volume
        quoteVolume = (first.price * first.volume) ?? .zero
    }

    mutating func add(_ trade: Trade) {
        high = max(high, trade.price)
        low = min(low, trade.price)
        close = trade.price
        volume = volume + trade.volume ?? volume
        quoteVolume = (trade.price * trade.volume).flatMap { quoteVolume + $0 } ?? quoteVolume
    }
}

/// Fills the minutes in which nobody traded, from the first stored candle on. A hole before the first is not made up.
/// - Parameters:
///   - stored: oldest first.
///   - end: start of the first minute that is not wanted.
package func filled(_ stored: [Candle], until end: Instant) -> [Candle] {
    var candles: [Candle] = []
    var position = 0
    guard var minute = stored.first?.openedAt else { return [] }
    while minute < end {
        if position < stored.count && stored[position].openedAt == minute {
            candles.append(stored[position])
            position += 1
        } else if let last = candles.last {
            candles.append(
                Candle(
                    openedAt: minute, open: last.close, high: last.close, low: last.close,
                    close: last.close, volume: .zero, synthetic: true))
        }
        minute = minute.adding(seconds: 60)
    }
    return candles
}

/// The start of the minute that an instant lies in.
func minute(of instant: Instant) -> Instant {
    let seconds = instant.secondsSince1970
    let rest = ((seconds % 60) + 60) % 60
    return Instant(microseconds: (seconds - rest) * 1_000_000)
}

extension MarketService {
    func listCandles(_ request: ListCandles, _ context: Context) async throws -> CandleList {
        let deadline = context.deadline
        guard
            try await database.row(Self.coinExists(request.coin), deadline: deadline) != nil
        else { throw Problem(.notFound) }
        let count = request.limit ?? MarketLimits.defaultCandles
        let end = minute(of: min(request.before ?? clock.now(), clock.now()))
        let start = end.adding(seconds: -60 * count)
        // The candle before the span says what the price was when the span begins with a hole.
        let stored = try await database.rows(
            Self.candles(request.coin, from: start, until: end, limit: count + 1),
            deadline: deadline)
        let all = filled(stored, until: end)
        return CandleList(
            items: all.filter { $0.openedAt >= start }, source: SimulatedExchange.source)
    }
}
