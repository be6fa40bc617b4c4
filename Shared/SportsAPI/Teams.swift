// Teams and how they are found.
public import Endpoints
public import Vocabulary

/// A team.
public struct Team: Codable, Sendable, Hashable {
    /// The id of a team.
    public typealias ID = Identifier<Team>

    /// The team.
    public var id: ID
    /// Its name in the language of the answer.
    public var name: String
    /// What scoreboards call it. Not unique: unrelated teams share codes.
    public var code: String

    /// From its parts.
    public init(id: ID, name: String, code: String) {
        self.id = id
        self.name = name
        self.code = code
    }
}

/// A league, by name.
public struct LeagueName: Codable, Sendable, Hashable {
    /// The league.
    public var id: League.ID
    /// Its name in the language of the answer.
    public var name: String

    /// From its parts.
    public init(id: League.ID, name: String) {
        self.id = id
        self.name = name
    }
}

/// A team with what tells it from another of the same name or code.
public struct TeamEntry: Codable, Sendable, Hashable {
    /// The team.
    public var team: Team
    /// Where it plays.
    public var league: LeagueName
    /// Where that is.
    public var country: Country

    /// From its parts.
    public init(team: Team, league: LeagueName, country: Country) {
        self.team = team
        self.league = league
        self.country = country
    }
}

/// A page of teams.
public struct TeamList: Codable, Sendable, Hashable {
    /// In the order of the endpoint.
    public var items: [TeamEntry]
    /// The cursor of the page after; `nil` on the last.
    public var next: String?
    /// The language of the names: the first of `ko` and `en` in `Accept-Language`, else `en`.
    public var language: Language
    /// Where it comes from; `demo` for the demo season.
    public var source: String

    /// From its parts.
    public init(items: [TeamEntry], next: String? = nil, language: Language, source: String) {
        self.items = items
        self.next = next
        self.language = language
        self.source = source
    }
}

/// Finds teams: those with a word that begins with the first word sought come first, then by id.
public struct ListTeams: Endpoint {
    /// `GET /v1/sports/teams`
    public static let route = Route.get("/v1/sports/teams")
    /// Anybody.
    public static let access = Access.public
    /// Bounds.
    public static let rules: [FieldRule] = [
        .text("query", SportsLimits.soughtTeam),
        .number("limit", SportsLimits.page),
    ]
    /// A page.
    public typealias Response = TeamList

    /// Words that must all be in the team's name in either language, or be its code. Case, accents and
    /// composition don't matter.
    public var query: String
    /// How many, 1 to 100; 50 when absent.
    public var limit: Int?
    /// `next` of the page before.
    public var cursor: String?

    /// A request.
    public init(query: String, limit: Int? = nil, cursor: String? = nil) {
        self.query = query
        self.limit = limit
        self.cursor = cursor
    }
}
