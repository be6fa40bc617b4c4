// The live ticker, `GET /v1/market/stream` by WebSocket. Each message is one JSON text.
public import Vocabulary

/// What a client sends: which coins it wants to hear of. A later message adds to an earlier one.
public struct StreamRequest: Codable, Sendable, Hashable {
    /// Coins by id, or nothing for all.
    public var subscribe: [Int64]?
    /// Coins no longer wanted.
    public var unsubscribe: [Int64]?

    /// A request.
    public init(subscribe: [Int64]? = nil, unsubscribe: [Int64]? = nil) {
        self.subscribe = subscribe
        self.unsubscribe = unsubscribe
    }
}

/// What the server sends. A reader that is too slow gets only the newest price of each coin.
public struct StreamMessage: Codable, Sendable, Hashable {
    /// Kinds of messages.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A price.
        case ticker
        /// A part of a request that can't be done; the rest of it is.
        case error
    }

    /// Which kind.
    public var type: Kind
    /// The coin, as the client named it in an error.
    public var coin: Int64?
    /// Symbol of the coin of a ticker.
    public var symbol: String?
    /// The price of a ticker, in won.
    public var price: ExactDecimal?
    /// When the price was made.
    public var asOf: Instant?
    /// Where the price comes from.
    public var source: String?
    /// `unknown_coin`, `malformed` or `too_many`.
    public var code: String?

    /// A price.
    public static func ticker(
        _ coin: Coin.ID, _ symbol: String, _ price: ExactDecimal, asOf: Instant, source: String
    ) -> StreamMessage {
        StreamMessage(
            type: .ticker, coin: coin.rawValue, symbol: symbol, price: price, asOf: asOf,
            source: source)
    }

    /// A fault of the request.
    public static func error(_ code: String, coin: Int64? = nil) -> StreamMessage {
        StreamMessage(type: .error, coin: coin, code: code)
    }

    private init(
        type: Kind, coin: Int64? = nil, symbol: String? = nil, price: ExactDecimal? = nil,
        asOf: Instant? = nil, source: String? = nil, code: String? = nil
    ) {
        self.type = type
        self.coin = coin
        self.symbol = symbol
        self.price = price
        self.asOf = asOf
        self.source = source
        self.code = code
    }
}
