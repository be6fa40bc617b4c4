// Charts.
public import Endpoints
public import Vocabulary

/// What the price did in one minute.
public struct Candle: Codable, Sendable, Hashable {
    /// Start of the minute.
    public var openedAt: Instant
    /// First price.
    public var open: ExactDecimal
    /// Highest price.
    public var high: ExactDecimal
    /// Lowest price.
    public var low: ExactDecimal
    /// Last price.
    public var close: ExactDecimal
    /// Coins traded.
    public var volume: ExactDecimal
    /// Whether nobody traded in the minute: all prices are then the last close before it, and the volume is 0.
    public var synthetic: Bool

    /// A candle.
    public init(
        openedAt: Instant, open: ExactDecimal, high: ExactDecimal, low: ExactDecimal,
        close: ExactDecimal, volume: ExactDecimal, synthetic: Bool
    ) {
        self.openedAt = openedAt
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        self.volume = volume
        self.synthetic = synthetic
    }
}

/// The minutes of a coin.
public struct CandleList: Codable, Sendable, Hashable {
    /// Oldest first, one a minute without holes from the first trade in the span.
    public var items: [Candle]
    /// Where the prices come from.
    public var source: String

    /// A list.
    public init(items: [Candle], source: String) {
        self.items = items
        self.source = source
    }
}

/// Lists the one-minute candles of a coin. The minute that is not over is not among them.
public struct ListCandles: Endpoint {
    /// `GET /v1/market/coins/{coin}/candles`
    public static let route = Route.get("/v1/market/coins/{coin}/candles")
    /// Anybody.
    public static let access = Access.public
    /// 404 for a coin that is not known.
    public static let problems: [Problem.Code] = [.notFound]
    /// Bounds.
    public static let rules: [FieldRule] = [.number("limit", MarketLimits.candles)]
    /// The candles.
    public typealias Response = CandleList

    /// Which coin.
    public var coin: Coin.ID
    /// The candles before this moment; now when absent.
    public var before: Instant?
    /// How many minutes, 1 to 4,000; 200 when absent.
    public var limit: Int?

    /// A request.
    public init(coin: Coin.ID, before: Instant? = nil, limit: Int? = nil) {
        self.coin = coin
        self.before = before
        self.limit = limit
    }
}
