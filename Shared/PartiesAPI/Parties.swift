// Ride parties: what one is, and how it is created, read, cancelled and joined.

public import Endpoints
public import Vocabulary

/// A place with a name.
public struct Point: Codable, Sendable, Hashable {
    /// What people call it, such as "강남역 11번 출구". 1 to 100 characters.
    public var name: String
    /// Degrees north, -90 to 90.
    public var latitude: Double
    /// Degrees east, -180 to 180.
    public var longitude: Double

    /// A place with a name.
    public init(name: String, latitude: Double, longitude: Double) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A user, as parties know one.
public struct PartyUser: Codable, Sendable, Hashable {
    /// The user.
    public var id: UserID
    /// What the user is called; absent when that can't be told at the moment.
    public var nickname: String?

    /// A user.
    public init(id: UserID, nickname: String? = nil) {
        self.id = id
        self.nickname = nickname
    }
}

/// Somebody with a seat in a party.
public struct PartyMember: Codable, Sendable, Hashable {
    /// Who.
    public var user: PartyUser
    /// Since when.
    public var joinedAt: Instant

    /// Somebody with a seat in a party.
    public init(user: PartyUser, joinedAt: Instant) {
        self.user = user
        self.joinedAt = joinedAt
    }
}

/// Where a party is in its life. Follows from its facts and the time of the answer; no job has to
/// run.
public enum PartyState: String, Codable, Sendable, CaseIterable {
    /// Departs in the future and has a free seat.
    case open
    /// Departs in the future and every seat is taken.
    case full
    /// The departure time is past, and more than the owner had a seat.
    case departed
    /// The owner called it off before it departed.
    case cancelled
    /// The departure time is past, and nobody had joined the owner.
    case expired
}

/// A ride that several people share.
public struct Party: Codable, Sendable, Hashable {
    /// The id of a party.
    public typealias ID = Identifier<Party>

    /// The party.
    public var id: ID
    /// One line, 1 to 60 characters.
    public var title: String
    /// Where the ride begins. Exact for members; others get it rounded to a thousandth of a degree,
    /// about 100 metres.
    public var origin: Point
    /// Where the ride ends.
    public var destination: Point
    /// When the ride begins.
    public var departsAt: Instant
    /// Seats for everybody, the owner included, 2 to 6.
    public var seats: Int
    /// What else there is to know; absent when nothing.
    public var note: String?
    /// Where it is in its life.
    public var state: PartyState
    /// Who created it.
    public var owner: PartyUser
    /// Everybody with a seat, the owner among them, by the time they joined. Never more than
    /// `seats`.
    public var members: [PartyMember]

    /// A party.
    public init(
        id: ID, title: String, origin: Point, destination: Point, departsAt: Instant, seats: Int,
        note: String?, state: PartyState, owner: PartyUser, members: [PartyMember]
    ) {
        self.id = id
        self.title = title
        self.origin = origin
        self.destination = destination
        self.departsAt = departsAt
        self.seats = seats
        self.note = note
        self.state = state
        self.owner = owner
        self.members = members
    }
}

/// Creates a party; the caller owns it and has its first seat.
public struct CreateParty: Endpoint {
    /// `POST /v1/parties`
    public static let route = Route.post("/v1/parties")
    /// A signed-in user.
    public static let access = Access.user
    /// Created.
    public static let status = 201
    /// What the fields may hold.
    public static let rules: [FieldRule] = [
        .text("title", PartiesLimits.title),
        .text("origin.name", PartiesLimits.pointName),
        .decimal("origin.latitude", -90...90),
        .decimal("origin.longitude", -180...180),
        .text("destination.name", PartiesLimits.pointName),
        .decimal("destination.latitude", -90...90),
        .decimal("destination.longitude", -180...180),
        .number("seats", PartiesLimits.seats),
        .text("note", PartiesLimits.note, multiline: true),
    ]
    /// The party as the caller now sees it.
    public typealias Response = Party

    /// One line, 1 to 60 characters.
    public var title: String
    /// Where the ride begins.
    public var origin: Point
    /// Where the ride ends.
    public var destination: Point
    /// When the ride begins: after now and within 90 days.
    public var departsAt: Instant
    /// Seats for everybody, the owner included, 2 to 6.
    public var seats: Int
    /// At most 500 characters; line breaks are allowed.
    public var note: String?

    /// A party to create.
    public init(
        title: String, origin: Point, destination: Point, departsAt: Instant, seats: Int,
        note: String? = nil
    ) {
        self.title = title
        self.origin = origin
        self.destination = destination
        self.departsAt = departsAt
        self.seats = seats
        self.note = note
    }
}

/// Fetches one party.
public struct GetParty: Endpoint {
    /// `GET /v1/parties/{party}`
    public static let route = Route.get("/v1/parties/{party}")
    /// A signed-in user.
    public static let access = Access.user
    /// Why it may be refused.
    public static let problems: [Problem.Code] = [.notFound]
    /// The party as the caller now sees it.
    public typealias Response = Party

    /// Which party.
    public var party: Party.ID

    /// A party to fetch.
    public init(party: Party.ID) {
        self.party = party
    }
}

/// Calls a party off. Only its owner may; again, it changes nothing.
public struct CancelParty: Endpoint {
    /// `DELETE /v1/parties/{party}`
    public static let route = Route.delete("/v1/parties/{party}")
    /// A signed-in user.
    public static let access = Access.user
    /// Why it may be refused.
    public static let problems: [Problem.Code] = [.notFound, .forbidden, .partyClosed]
    /// Nothing.
    public typealias Response = NoContent

    /// Which party.
    public var party: Party.ID

    /// A party to call off.
    public init(party: Party.ID) {
        self.party = party
    }
}

/// Takes a seat in a party. Whoever has one gets the same answer again.
public struct JoinParty: Endpoint {
    /// `POST /v1/parties/{party}/members`
    public static let route = Route.post("/v1/parties/{party}/members")
    /// A signed-in user.
    public static let access = Access.user
    /// Why it may be refused.
    public static let problems: [Problem.Code] = [.notFound, .partyFull, .partyClosed]
    /// The party as the caller now sees it.
    public typealias Response = Party

    /// Which party.
    public var party: Party.ID

    /// A party to join.
    public init(party: Party.ID) {
        self.party = party
    }
}
