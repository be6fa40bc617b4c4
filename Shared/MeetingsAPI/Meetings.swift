// Meetings: what one is, and how it is created, listed and read.

public import Endpoints
public import Vocabulary

/// A user, as meetings know one.
public struct MeetingUser: Codable, Sendable, Hashable {
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

/// What a member may do.
public enum MeetingRole: String, Codable, Sendable, CaseIterable {
    /// Created the meeting.
    case owner
    /// Came in by an invitation.
    case member
}

/// Somebody who belongs to a meeting.
public struct MeetingMember: Codable, Sendable, Hashable {
    /// Who.
    public var user: MeetingUser
    /// What they may do.
    public var role: MeetingRole
    /// Since when.
    public var joinedAt: Instant

    /// Somebody who belongs to a meeting.
    public init(user: MeetingUser, role: MeetingRole, joinedAt: Instant) {
        self.user = user
        self.role = role
        self.joinedAt = joinedAt
    }
}

/// Where a meeting is.
public struct MeetingPlace: Codable, Sendable, Hashable {
    /// What people call it, such as "한강공원 여의도". 1 to 100 characters.
    public var name: String
    /// Degrees north, -90 to 90.
    public var latitude: Double
    /// Degrees east, -180 to 180.
    public var longitude: Double
    /// What is found there, such as "서울특별시 영등포구"; absent when nothing is, or it could not be looked up.
    public var address: String?

    /// A place. The service looks `address` up; what a request says of it is ignored.
    public init(name: String, latitude: Double, longitude: Double, address: String? = nil) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.address = address
    }
}

/// A meeting as its members see it.
public struct Meeting: Codable, Sendable, Hashable {
    /// The id of a meeting.
    public typealias ID = Identifier<Meeting>

    /// The meeting.
    public var id: ID
    /// One line, 1 to 60 characters.
    public var title: String
    /// What else there is to know; absent when nothing.
    public var note: String?
    /// Where it is; absent when nobody has said.
    public var place: MeetingPlace?
    /// When it was created.
    public var createdAt: Instant
    /// Everybody who belongs to it, by the time they joined; at most 50.
    public var members: [MeetingMember]

    /// A meeting.
    public init(
        id: ID, title: String, note: String?, place: MeetingPlace?, createdAt: Instant,
        members: [MeetingMember]
    ) {
        self.id = id
        self.title = title
        self.note = note
        self.place = place
        self.createdAt = createdAt
        self.members = members
    }
}

/// A meeting in a list.
public struct MeetingSummary: Codable, Sendable, Hashable {
    /// The meeting.
    public var id: Meeting.ID
    /// One line, 1 to 60 characters.
    public var title: String
    /// When it was created.
    public var createdAt: Instant
    /// What the caller may do in it.
    public var role: MeetingRole
    /// How many belong to it.
    public var memberCount: Int

    /// A meeting in a list.
    public init(
        id: Meeting.ID, title: String, createdAt: Instant, role: MeetingRole, memberCount: Int
    ) {
        self.id = id
        self.title = title
        self.createdAt = createdAt
        self.role = role
        self.memberCount = memberCount
    }
}

/// Creates a meeting; the caller owns it and is its first member.
public struct CreateMeeting: Endpoint {
    /// `POST /v1/meetings`
    public static let route = Route.post("/v1/meetings")
    /// A signed-in user.
    public static let access = Access.user
    /// Created.
    public static let status = 201
    /// What the fields may hold.
    public static let rules: [FieldRule] = [
        .text("title", MeetingsLimits.title),
        .text("note", MeetingsLimits.note, multiline: true),
        .text("place.name", MeetingsLimits.placeName),
        .decimal("place.latitude", -90...90),
        .decimal("place.longitude", -180...180),
    ]
    /// The meeting.
    public typealias Response = Meeting

    /// One line, 1 to 60 characters.
    public var title: String
    /// At most 1,000 characters; line breaks are allowed.
    public var note: String?
    /// Where it is.
    public var place: MeetingPlace?

    /// A meeting to create.
    public init(title: String, note: String? = nil, place: MeetingPlace? = nil) {
        self.title = title
        self.note = note
        self.place = place
    }
}

/// Lists the caller's meetings, newest first.
public struct ListMeetings: Endpoint {
    /// `GET /v1/meetings`
    public static let route = Route.get("/v1/meetings")
    /// A signed-in user.
    public static let access = Access.user
    /// What the fields may hold.
    public static let rules: [FieldRule] = [.number("limit", MeetingsLimits.page)]
    /// A page of meetings.
    public typealias Response = Page<MeetingSummary>

    /// Items on a page, 1 to 100; 50 unless given.
    public var limit: Int?
    /// `next` of the page before.
    public var cursor: String?

    /// A page to list.
    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// Fetches one meeting of the caller's. To others it does not exist.
public struct GetMeeting: Endpoint {
    /// `GET /v1/meetings/{meeting}`
    public static let route = Route.get("/v1/meetings/{meeting}")
    /// A signed-in user.
    public static let access = Access.user
    /// Why it may be refused.
    public static let problems: [Problem.Code] = [.notFound]
    /// The meeting.
    public typealias Response = Meeting

    /// Which meeting.
    public var meeting: Meeting.ID

    /// A meeting to fetch.
    public init(meeting: Meeting.ID) {
        self.meeting = meeting
    }
}
