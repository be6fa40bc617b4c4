// The simulated exchange and the candles made of it, without I/O. Cases K1, K2.
import MarketAPI
import MarketService
import Testing
import Vocabulary

@Suite struct ExchangeTests {
    private let exchange = SimulatedExchange()
    private let pepe = ListedCoin(id: 20, symbol: "PEPE", scale: 8, basePrice: 0.00642118)
    private let bitcoin = ListedCoin(id: 1, symbol: "BTC", scale: 0, basePrice: 134_000_000)

    @Test func theSameSecondHasTheSameTrade() {
        for second in Int64(1_796_000_000)..<1_796_000_200 {
            #expect(exchange.trade(pepe, second: second) == exchange.trade(pepe, second: second))
        }
    }

    @Test func pricesMoveLittleFromSecondToSecond() throws {
        var last: ExactDecimal?
        for second in Int64(1_796_000_000)..<1_796_003_600 {
            guard let trade = exchange.trade(bitcoin, second: second) else { continue }
            if let last {
                let difference: ExactDecimal? = trade.price - last
                let step = try #require(difference)
                // Below one per cent of 134 million.
                #expect(ExactDecimal(-1_340_000) < step && step < ExactDecimal(1_340_000))
            }
            last = trade.price
        }
        #expect(last != nil)
    }

    @Test func smallPricesArePlainDecimals() throws {
        let trade = try #require(
            (0..<60).lazy.compactMap { exchange.trade(pepe, second: 1_796_000_000 + $0) }.first)
        #expect(trade.price.description.hasPrefix("0.00"))
        #expect(!trade.price.description.contains("e"))
        #expect(trade.price.scale == 8)
    }

    @Test func aCandleHoldsItsTrades() throws {
        let minute = Int64(1_796_000_040)
        let trades = (0..<60).compactMap { exchange.trade(bitcoin, second: minute + $0) }
        let candle = try #require(exchange.candle(bitcoin, minute: minute))
        #expect(candle.open == trades.first?.price)
        #expect(candle.close == trades.last?.price)
        #expect(candle.high == trades.map(\.price).max())
        #expect(candle.low == trades.map(\.price).min())
        let volume = trades.reduce(ExactDecimal.zero) { ($0 + $1.volume) ?? $0 }
        #expect(candle.volume == volume)
    }

    @Test func holesAreFilledAndMarked() throws {
        func candle(_ minute: Int, _ close: Int) -> Candle {
            let price = ExactDecimal(close)
            return Candle(
                openedAt: Instant(microseconds: 0).adding(seconds: minute * 60), open: price,
                high: price, low: price, close: price, volume: ExactDecimal(1), synthetic: false)
        }
        let end = Instant(microseconds: 0).adding(seconds: 9 * 60)
        let list = filled([candle(1, 10), candle(7, 12)], until: end)
        // The hole before the first trade is not made up.
        #expect(list.map(\.openedAt).first == candle(1, 10).openedAt)
        #expect(list.count == 8)
        #expect(list.map(\.synthetic) == [false, true, true, true, true, true, false, true])
        #expect(list[3].close == ExactDecimal(10) && list[3].volume == .zero)
        #expect(list[7].open == ExactDecimal(12))
        #expect(filled([], until: end).isEmpty)
    }
}
