// An exchange that needs no network: prices as a pure function of coin and time. So replicas agree without talking, a
// restart goes on where it was, and the past can be computed as well as the present. Every answer says `demo`.
import Glibc
package import Vocabulary

/// A coin as the exchange sees it.
package struct ListedCoin: Sendable {
    let id: Int64
    let symbol: String
    let scale: Int
    let basePrice: Double

    package init(id: Int64, symbol: String, scale: Int, basePrice: Double) {
        self.id = id
        self.symbol = symbol
        self.scale = scale
        self.basePrice = basePrice
    }
}

/// What was traded in one second.
package struct Trade: Sendable, Equatable {
    package let price: ExactDecimal
    package let volume: ExactDecimal
}

/// Makes up prices.
package struct SimulatedExchange: Sendable {
    package init() {}

    static let source = "demo"
    /// Digits behind the point of a volume.
    private static let volumeScale = 4
    /// Waves that make a price: period in seconds and height as a share of the price. Short ones make ticks, long ones trends.
    private static let waves: [(period: Int64, height: Double)] = [
        (3, 0.0004), (17, 0.0008), (97, 0.0015), (613, 0.003), (3_607, 0.008), (21_601, 0.02),
        (172_801, 0.05),
    ]

    /// The trade of a coin in a second since 1970; `nil` when nobody traded then.
    package func trade(_ coin: ListedCoin, second: Int64) -> Trade? {
        let luck = Self.noise(coin.id, 0x7A, second)
        // Small coins are not traded every second.
        if luck < 0.35 && coin.basePrice < 20_000 { return nil }
        var logarithm = 0.0
        for (index, wave) in Self.waves.enumerated() {
            logarithm += wave.height * Self.smooth(coin.id, UInt64(index), second, wave.period)
        }
        let power = Self.powersOfTen[coin.scale]
        let units = max(1, (coin.basePrice * exp(logarithm) * power).rounded())
        // Coins are listed by size, and bigger ones are traded more.
        let value = 400_000_000 * luck * luck / coin.basePrice / Double(max(coin.id, 1))
        let volume = max(1, (value * 10_000).rounded())
        guard let price = ExactDecimal(unscaled: Int128(units), scale: coin.scale),
            let amount = ExactDecimal(unscaled: Int128(volume), scale: Self.volumeScale)
        else { return nil }
        return Trade(price: price, volume: amount)
    }

    /// What a coin did in the minute that starts at `second`; `nil` when nobody traded.
    package func candle(_ coin: ListedCoin, minute second: Int64) -> CandleRow? {
        var candle: CandleRow?
        for offset in 0..<60 {
            guard let trade = trade(coin, second: second + Int64(offset)) else { continue }
            if candle == nil {
                candle = CandleRow(
                    coin: coin.id, openedAt: Instant(microseconds: second * 1_000_000),
                    first: trade)
            } else {
                candle?.add(trade)
            }
        }
        return candle
    }

    private static let powersOfTen: [Double] = (0...12).map { pow(10, Double($0)) }

    /// Noise between -1 and 1 that runs smoothly from one period to the next.
    private static func smooth(
        _ coin: Int64, _ wave: UInt64, _ second: Int64, _ period: Int64
    ) -> Double {
        let step = second / period
        let part = Double(second % period) / Double(period)
        let ease = part * part * (3 - 2 * part)
        let from = noise(coin, wave, step) * 2 - 1
        let to = noise(coin, wave, step + 1) * 2 - 1
        return from + (to - from) * ease
    }

    /// A number from 0 up to 1 that depends on its arguments alone (SplitMix64's finaliser).
    private static func noise(_ coin: Int64, _ wave: UInt64, _ step: Int64) -> Double {
        var mixed = UInt64(bitPattern: coin) &* 0x9E37_79B9_7F4A_7C15
        mixed = mixed ^ (wave &+ 1) &* 0xC2B2_AE3D_27D4_EB4F
        mixed = mixed &+ UInt64(bitPattern: step) &* 0x1656_67B1_9E37_79F9
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Double(mixed >> 11) / Double(1 << 53)
    }
}
