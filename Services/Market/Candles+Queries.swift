// SQL of candles.
package import MarketAPI
package import Postgres
import Vocabulary

extension Candle: PostgresRow {
    package init(_ columns: inout ColumnReader) throws {
        self.init(
            openedAt: try columns.next(Instant.self), open: try columns.next(ExactDecimal.self),
            high: try columns.next(ExactDecimal.self), low: try columns.next(ExactDecimal.self),
            close: try columns.next(ExactDecimal.self),
            volume: try columns.next(ExactDecimal.self), synthetic: false)
    }
}

extension MarketService {
    static func coinExists(_ coin: Coin.ID) -> Query<Int64> {
        "select id from coin where id = \(coin)"
    }

    /// The candles of a span and the last one before it, oldest first.
    static func candles(
        _ coin: Coin.ID, from start: Instant, until end: Instant, limit: Int
    ) -> Query<Candle> {
        """
        select opened_at, open, high, low, close, volume from candle
        where coin_id = \(coin) and opened_at < \(end)
            and opened_at >= coalesce(
                (select max(opened_at) from candle
                 where coin_id = \(coin) and opened_at <= \(start)), \(start))
        order by opened_at limit \(Int64(limit))
        """
    }

    static func lastCandle(_ coin: Int64) -> Query<Instant?> {
        "select max(opened_at) from candle where coin_id = \(coin)"
    }

    /// Stores candles. Replicas compute the same ones, so the first to come is kept.
    static func insertCandles(_ candles: [CandleRow]) -> Command {
        let source = SimulatedExchange.source
        return """
            insert into candle
                (coin_id, opened_at, open, high, low, close, volume, quote_volume, source)
            select coin_id, opened_at::timestamptz, open::numeric, high::numeric, low::numeric,
                close::numeric, volume::numeric, quote_volume::numeric, \(source)
            from unnest(
                \(candles.map(\.coin)), \(candles.map(\.openedAt.description)),
                \(candles.map(\.open.description)), \(candles.map(\.high.description)),
                \(candles.map(\.low.description)), \(candles.map(\.close.description)),
                \(candles.map(\.volume.description)), \(candles.map(\.quoteVolume.description)))
                as made (coin_id, opened_at, open, high, low, close, volume, quote_volume)
            on conflict on constraint candle_primary do nothing
            """
    }
}
