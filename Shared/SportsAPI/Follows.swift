// The leagues a user follows.
public import Endpoints
public import Vocabulary

/// Follows a league. Following it again changes nothing.
public struct FollowLeague: Endpoint {
    /// `PUT /v1/sports/follows/{league}`
    public static let route = Route.put("/v1/sports/follows/{league}")
    /// A signed-in user.
    public static let access = Access.user
    /// 404 for a league that is not known.
    public static let problems: [Problem.Code] = [.notFound]
    /// Nothing.
    public typealias Response = NoContent

    /// Which.
    public var league: League.ID

    /// A request.
    public init(league: League.ID) {
        self.league = league
    }
}

/// Stops following a league. Changes nothing when it is not followed.
public struct UnfollowLeague: Endpoint {
    /// `DELETE /v1/sports/follows/{league}`
    public static let route = Route.delete("/v1/sports/follows/{league}")
    /// A signed-in user.
    public static let access = Access.user
    /// 404 for a league that is not known.
    public static let problems: [Problem.Code] = [.notFound]
    /// Nothing.
    public typealias Response = NoContent

    /// Which.
    public var league: League.ID

    /// A request.
    public init(league: League.ID) {
        self.league = league
    }
}

/// Lists the leagues the caller follows, by id.
public struct ListFollows: Endpoint {
    /// `GET /v1/sports/follows`
    public static let route = Route.get("/v1/sports/follows")
    /// A signed-in user.
    public static let access = Access.user
    /// Bounds.
    public static let rules: [FieldRule] = [.number("limit", SportsLimits.page)]
    /// A page.
    public typealias Response = LeagueList

    /// How many, 1 to 100; 50 when absent.
    public var limit: Int?
    /// `next` of the page before.
    public var cursor: String?

    /// A request.
    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}
