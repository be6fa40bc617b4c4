// Leagues and how they are found.
public import Endpoints
public import Vocabulary

/// A season of a league.
public struct Season: Codable, Sendable, Hashable {
    /// The years it lies in: `2026`, or `2025/26` when it ends in the year after.
    public var label: String
    /// Its first day.
    public var startsOn: CalendarDate
    /// Its last day.
    public var endsOn: CalendarDate

    /// From its parts.
    public init(label: String, startsOn: CalendarDate, endsOn: CalendarDate) {
        self.label = label
        self.startsOn = startsOn
        self.endsOn = endsOn
    }
}

/// A league with its present season: the one that began last.
public struct League: Codable, Sendable, Hashable {
    /// The id of a league.
    public typealias ID = Identifier<League>

    /// The league.
    public var id: ID
    /// Its name in the language of the answer.
    public var name: String
    /// Where it is played.
    public var country: Country
    /// The present season, or the last one between two seasons.
    public var season: Season
    /// The language of the names: the first of `ko` and `en` in `Accept-Language`, else `en`.
    public var language: Language
    /// Where it comes from; `demo` for the demo season.
    public var source: String

    /// From its parts.
    public init(
        id: ID, name: String, country: Country, season: Season, language: Language, source: String
    ) {
        self.id = id
        self.name = name
        self.country = country
        self.season = season
        self.language = language
        self.source = source
    }
}

/// A page of leagues.
public struct LeagueList: Codable, Sendable, Hashable {
    /// In the order of the endpoint.
    public var items: [League]
    /// The cursor of the page after; `nil` on the last.
    public var next: String?
    /// The language of the names: the first of `ko` and `en` in `Accept-Language`, else `en`.
    public var language: Language
    /// Where it comes from; `demo` for the demo season.
    public var source: String

    /// From its parts.
    public init(items: [League], next: String? = nil, language: Language, source: String) {
        self.items = items
        self.next = next
        self.language = language
        self.source = source
    }
}

/// Lists leagues by id, or finds them: those with a word that begins with the first word sought come first.
public struct ListLeagues: Endpoint {
    /// `GET /v1/sports/leagues`
    public static let route = Route.get("/v1/sports/leagues")
    /// Anybody.
    public static let access = Access.public
    /// Bounds.
    public static let rules: [FieldRule] = [
        .text("query", SportsLimits.query),
        .text("country", 2...2),
        .number("limit", SportsLimits.page),
    ]
    /// A page.
    public typealias Response = LeagueList

    /// Words that must all be in the league's or country's name in either language, or be the country's
    /// code. Case, accents and composition don't matter. All leagues when absent or empty.
    public var query: String?
    /// ISO 3166-1 alpha-2 code.
    public var country: String?
    /// How many, 1 to 100; 50 when absent.
    public var limit: Int?
    /// `next` of the page before.
    public var cursor: String?

    /// A request.
    public init(
        query: String? = nil, country: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
        self.query = query
        self.country = country
        self.limit = limit
        self.cursor = cursor
    }
}

/// Fetches one league.
public struct GetLeague: Endpoint {
    /// `GET /v1/sports/leagues/{league}`
    public static let route = Route.get("/v1/sports/leagues/{league}")
    /// Anybody.
    public static let access = Access.public
    /// 404 for a league that is not known.
    public static let problems: [Problem.Code] = [.notFound]
    /// The league.
    public typealias Response = League

    /// Which.
    public var league: League.ID

    /// A request.
    public init(league: League.ID) {
        self.league = league
    }
}
