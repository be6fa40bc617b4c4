// Matches of a day.
public import Endpoints
public import Vocabulary

/// Where a match is in its life. Follows from its kick-off and the time of the answer.
public enum FixtureState: String, Codable, Sendable, CaseIterable {
    /// Not kicked off.
    case scheduled
    /// Being played.
    case live
    /// Over.
    case finished
    /// Will not be played at the time given; it has no score.
    case postponed
}

/// Goals of both teams.
public struct Score: Codable, Sendable, Hashable {
    /// Of the team at home.
    public var home: Int
    /// Of its guest.
    public var away: Int

    /// From its parts.
    public init(home: Int, away: Int) {
        self.home = home
        self.away = away
    }
}

/// A match.
public struct Fixture: Codable, Sendable, Hashable {
    /// The id of a match.
    public typealias ID = Identifier<Fixture>

    /// The match.
    public var id: ID
    /// The league.
    public var league: LeagueName
    /// The team at home.
    public var home: Team
    /// Its guest.
    public var away: Team
    /// Kick-off.
    public var kicksOffAt: Instant
    /// Where it is in its life.
    public var state: FixtureState
    /// Goals so far, or all when it is finished; `nil` before the kick-off.
    public var score: Score?

    /// From its parts.
    public init(
        id: ID, league: LeagueName, home: Team, away: Team, kicksOffAt: Instant,
        state: FixtureState, score: Score? = nil
    ) {
        self.id = id
        self.league = league
        self.home = home
        self.away = away
        self.kicksOffAt = kicksOffAt
        self.state = state
        self.score = score
    }
}

/// A page of the matches of a day.
public struct FixtureList: Codable, Sendable, Hashable {
    /// By kick-off, then id.
    public var items: [Fixture]
    /// The cursor of the page after; `nil` on the last.
    public var next: String?
    /// The day asked for.
    public var date: CalendarDate
    /// The time zone it is a day of.
    public var zone: String
    /// The language of the names: the first of `ko` and `en` in `Accept-Language`, else `en`.
    public var language: Language
    /// Where it comes from; `demo` for the demo season.
    public var source: String

    /// From its parts.
    public init(
        items: [Fixture], next: String? = nil, date: CalendarDate, zone: String,
        language: Language, source: String
    ) {
        self.items = items
        self.next = next
        self.date = date
        self.zone = zone
        self.language = language
        self.source = source
    }
}

/// Lists the matches that kick off on a day as clocks in a time zone show it.
public struct ListFixtures: Endpoint {
    /// `GET /v1/sports/fixtures`
    public static let route = Route.get("/v1/sports/fixtures")
    /// Anybody.
    public static let access = Access.public
    /// Bounds.
    public static let rules: [FieldRule] = [
        .text("zone", 1...64),
        .number("limit", SportsLimits.page),
    ]
    /// A page.
    public typealias Response = FixtureList

    /// Which day.
    public var date: CalendarDate
    /// An IANA time zone such as `Asia/Seoul`, in its own spelling; `UTC` when absent.
    public var zone: String?
    /// Only this league; none are listed for one that is not known.
    public var league: League.ID?
    /// How many, 1 to 100; 50 when absent.
    public var limit: Int?
    /// `next` of the page before.
    public var cursor: String?

    /// A request.
    public init(
        date: CalendarDate, zone: String? = nil, league: League.ID? = nil, limit: Int? = nil,
        cursor: String? = nil
    ) {
        self.date = date
        self.zone = zone
        self.league = league
        self.limit = limit
        self.cursor = cursor
    }
}
