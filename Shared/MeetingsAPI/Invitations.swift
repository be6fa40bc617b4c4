// Invitations to meetings: personal, with an end, and answered once.

public import Endpoints
public import Vocabulary

/// Where an invitation is in its life. `expired` follows from the time of the answer; no job has to
/// run.
public enum InvitationState: String, Codable, Sendable, CaseIterable {
    /// Waits for the invitee.
    case pending
    /// The invitee has become a member.
    case accepted
    /// The invitee said no.
    case declined
    /// The inviter took it back.
    case cancelled
    /// Nobody answered in time.
    case expired
}

/// The meeting an invitation is to, as far as someone may know it who is not a member yet.
public struct InvitedMeeting: Codable, Sendable, Hashable {
    /// The meeting.
    public var id: Meeting.ID
    /// Its title.
    public var title: String

    /// A meeting to be invited to.
    public init(id: Meeting.ID, title: String) {
        self.id = id
        self.title = title
    }
}

/// An invitation of one person to one meeting.
public struct Invitation: Codable, Sendable, Hashable {
    /// The id of an invitation.
    public typealias ID = Identifier<Invitation>

    /// The invitation.
    public var id: ID
    /// To what.
    public var meeting: InvitedMeeting
    /// By whom.
    public var inviter: MeetingUser
    /// Whom; nobody else can accept it.
    public var invitee: MeetingUser
    /// Where it is in its life.
    public var state: InvitationState
    /// When it was made.
    public var createdAt: Instant
    /// When it can no longer be accepted: seven days after it was made.
    public var expiresAt: Instant

    /// An invitation.
    public init(
        id: ID, meeting: InvitedMeeting, inviter: MeetingUser, invitee: MeetingUser,
        state: InvitationState, createdAt: Instant, expiresAt: Instant
    ) {
        self.id = id
        self.meeting = meeting
        self.inviter = inviter
        self.invitee = invitee
        self.state = state
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// Invites somebody to a meeting the caller belongs to. Who has a pending invitation to it keeps
/// that one, and it is the answer.
public struct InviteToMeeting: Endpoint {
    /// `POST /v1/meetings/{meeting}/invitations`
    public static let route = Route.post("/v1/meetings/{meeting}/invitations")
    /// A signed-in user.
    public static let access = Access.user
    /// Created.
    public static let status = 201
    /// Why it may be refused.
    public static let problems: [Problem.Code] = [.notFound, .alreadyMember, .meetingFull]
    /// The invitation.
    public typealias Response = Invitation

    /// To which meeting.
    public var meeting: Meeting.ID
    /// Whom; not the caller.
    public var invitee: UserID

    /// An invitation to make.
    public init(meeting: Meeting.ID, invitee: UserID) {
        self.meeting = meeting
        self.invitee = invitee
    }
}

/// Lists the pending invitations for the caller, newest first.
public struct ListInvitations: Endpoint {
    /// `GET /v1/invitations`
    public static let route = Route.get("/v1/invitations")
    /// A signed-in user.
    public static let access = Access.user
    /// What the fields may hold.
    public static let rules: [FieldRule] = [.number("limit", MeetingsLimits.page)]
    /// A page of invitations.
    public typealias Response = Page<Invitation>

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

/// Accepts an invitation for the caller, who becomes a member. Again, the answer is the same.
public struct AcceptInvitation: Endpoint {
    /// `POST /v1/invitations/{invitation}/acceptance`
    public static let route = Route.post("/v1/invitations/{invitation}/acceptance")
    /// A signed-in user.
    public static let access = Access.user
    /// Why it may be refused.
    public static let problems: [Problem.Code] = [
        .notFound, .invitationExpired, .invitationClosed,
    ]
    /// The invitation.
    public typealias Response = Invitation

    /// Which invitation.
    public var invitation: Invitation.ID

    /// An invitation to accept.
    public init(invitation: Invitation.ID) {
        self.invitation = invitation
    }
}

/// Declines an invitation, as its invitee, or takes it back, as its inviter. Again, it changes
/// nothing; one that was accepted stays so.
public struct CloseInvitation: Endpoint {
    /// `DELETE /v1/invitations/{invitation}`
    public static let route = Route.delete("/v1/invitations/{invitation}")
    /// A signed-in user.
    public static let access = Access.user
    /// Why it may be refused.
    public static let problems: [Problem.Code] = [.notFound, .invitationClosed]
    /// Nothing.
    public typealias Response = NoContent

    /// Which invitation.
    public var invitation: Invitation.ID

    /// An invitation to close.
    public init(invitation: Invitation.ID) {
        self.invitation = invitation
    }
}
