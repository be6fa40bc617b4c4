// Coins with their present price, and their ranking.
public import Endpoints
public import Vocabulary

/// A coin and its price, in won.
public struct Coin: Codable, Sendable, Hashable {
    /// The id of a coin. A ticker symbol is no identity: several coins may share one.
    public typealias ID = Identifier<Coin>

    /// The coin.
    public var id: ID
    /// What traders call it, such as `BTC`. Not unique.
    public var symbol: String
    /// Its name.
    public var name: String
    /// Place in the ranking by value traded in 24 hours, from 1.
    public var rank: Int
    /// Last price in `currency`.
    public var price: ExactDecimal
    /// ISO 4217 code of the price.
    public var currency: String
    /// Change of the price within 24 hours, in percent with two places.
    public var changePercent: ExactDecimal
    /// Value traded within 24 hours, in `currency`.
    public var quoteVolume: ExactDecimal
    /// When the price was made.
    public var asOf: Instant
    /// Whether the price is older than it should be.
    public var stale: Bool
    /// Where it comes from; `demo` for the simulated exchange.
    public var source: String

    /// A coin and its price.
    public init(
        id: ID, symbol: String, name: String, rank: Int, price: ExactDecimal, currency: String,
        changePercent: ExactDecimal, quoteVolume: ExactDecimal, asOf: Instant, stale: Bool,
        source: String
    ) {
        self.id = id
        self.symbol = symbol
        self.name = name
        self.rank = rank
        self.price = price
        self.currency = currency
        self.changePercent = changePercent
        self.quoteVolume = quoteVolume
        self.asOf = asOf
        self.stale = stale
        self.source = source
    }
}

/// Lists coins by the value traded in 24 hours, most first.
public struct ListCoins: Endpoint {
    /// `GET /v1/market/coins`
    public static let route = Route.get("/v1/market/coins")
    /// Anybody.
    public static let access = Access.public
    /// Bounds.
    public static let rules: [FieldRule] = [.number("limit", MarketLimits.coins)]
    /// A page.
    public typealias Response = Page<Coin>

    /// Coins on a page, 1 to 100; 50 when absent.
    public var limit: Int?
    /// `next` of the page before.
    public var cursor: String?

    /// A request.
    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// Fetches one coin.
public struct GetCoin: Endpoint {
    /// `GET /v1/market/coins/{coin}`
    public static let route = Route.get("/v1/market/coins/{coin}")
    /// Anybody.
    public static let access = Access.public
    /// 404 for a coin that is not known.
    public static let problems: [Problem.Code] = [.notFound]
    /// The coin.
    public typealias Response = Coin

    /// Which.
    public var coin: Coin.ID

    /// A request.
    public init(coin: Coin.ID) {
        self.coin = coin
    }
}
