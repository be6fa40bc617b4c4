// The contract of the meetings service: people who agree to meet.

public import Endpoints

/// The meetings service's contract.
public enum MeetingsAPI {
    /// Every public endpoint, in the order of the OpenAPI document.
    public static let endpoints: [any Endpoint.Type] = [
        CreateMeeting.self, ListMeetings.self, GetMeeting.self, InviteToMeeting.self,
        ListInvitations.self, AcceptInvitation.self, CloseInvitation.self,
    ]
}

extension Problem.Code {
    /// 409: the invitee is a member already.
    public static let alreadyMember = Self(
        "already_member", status: 409, title: "Already a member of the meeting")
    /// 409: the meeting has as many members and open invitations as it may have.
    public static let meetingFull = Self(
        "meeting_full", status: 409, title: "The meeting is full")
    /// 409: the invitation was answered or withdrawn before; `detail` says which.
    public static let invitationClosed = Self(
        "invitation_closed", status: 409, title: "The invitation is closed")
    /// 410: the invitation's time is over; the invitee may be invited again.
    public static let invitationExpired = Self(
        "invitation_expired", status: 410, title: "The invitation has expired")
}
