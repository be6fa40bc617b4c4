// Countries that have leagues.
public import Endpoints
public import Vocabulary

/// A country.
public struct Country: Codable, Sendable, Hashable {
    /// ISO 3166-1 alpha-2, such as `DK`.
    public var code: String
    /// Its name in the language of the answer.
    public var name: String

    /// From its parts.
    public init(code: String, name: String) {
        self.code = code
        self.name = name
    }
}

/// Every country that has leagues.
public struct CountryList: Codable, Sendable, Hashable {
    /// By code.
    public var items: [Country]
    /// The language of the names: the first of `ko` and `en` in `Accept-Language`, else `en`.
    public var language: Language
    /// Where it comes from; `demo` for the demo season.
    public var source: String

    /// From its parts.
    public init(items: [Country], language: Language, source: String) {
        self.items = items
        self.language = language
        self.source = source
    }
}

/// Lists the countries that have leagues.
public struct ListCountries: Endpoint {
    /// `GET /v1/sports/countries`
    public static let route = Route.get("/v1/sports/countries")
    /// Anybody.
    public static let access = Access.public
    /// All of them.
    public typealias Response = CountryList

    /// A request.
    public init() {}
}
