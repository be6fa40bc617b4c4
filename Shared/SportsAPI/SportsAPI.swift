// The contract of the sports service.
public import Endpoints

/// What the sports service answers.
public enum SportsAPI {
    /// Every endpoint, in the order of the document.
    public static let endpoints: [any Endpoint.Type] = [
        ListCountries.self, ListLeagues.self, GetLeague.self, FollowLeague.self,
        UnfollowLeague.self, ListFollows.self, ListTeams.self, ListFixtures.self,
    ]
}

/// Bounds of requests to the sports service.
public enum SportsLimits {
    /// Items on one page.
    public static let page: ClosedRange<Int64> = 1...100
    /// Items on a page when the request names no number.
    public static let defaultPage = 50
    /// Characters of what is sought: longer than any name.
    public static let query: ClosedRange<Int> = 0...100
    /// As `query` where something must be sought.
    public static let soughtTeam: ClosedRange<Int> = 1...100
}
