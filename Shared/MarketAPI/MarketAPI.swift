// The contract of the market service.
public import Endpoints

/// What the market service answers.
public enum MarketAPI {
    /// Every endpoint, in the order of the document. Beside them, `/v1/market/stream` speaks WebSocket; see `StreamMessage`.
    public static let endpoints: [any Endpoint.Type] = [
        ListCoins.self, GetCoin.self, ListCandles.self,
    ]
}

/// Bounds of requests to the market service.
public enum MarketLimits {
    /// Coins on one page of the ranking.
    public static let coins: ClosedRange<Int64> = 1...100
    /// Candles in one answer: two and a half days of minutes.
    public static let candles: ClosedRange<Int64> = 1...4000
    /// Candles when the request names no number.
    public static let defaultCandles = 200
    /// Coins one stream may name in one message.
    public static let subscriptions = 200
}
