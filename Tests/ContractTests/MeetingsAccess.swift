// Who may do what in meetings.

import Endpoints
import MeetingsAPI
import TestSupport
import Vocabulary

extension AccessMatrix {
    /// The meeting is the owner's, and the member belongs to it. The invitation is to another meeting
    /// of the owner's: they made it, and the member is whom it invites.
    static let meetings = AccessMatrix(
        service: "meetings",
        table: """
            | endpoint         | anonymous | other | member | owner | admin | service |
            | CreateMeeting    | 401       | 201   | 201    | 201   | 201   | 401     |
            | ListMeetings     | 401       | 200   | 200    | 200   | 200   | 401     |
            | GetMeeting       | 401       | 404   | 200    | 200   | 404   | 401     |
            | InviteToMeeting  | 401       | 404   | 201    | 201   | 404   | 401     |
            | ListInvitations  | 401       | 200   | 200    | 200   | 200   | 401     |
            | AcceptInvitation | 401       | 404   | 200    | 404   | 404   | 401     |
            | CloseInvitation  | 401       | 404   | 204    | 204   | 404   | 401     |
            """
    ) { service in
        let owner = service.client(token: try AccessToken.user(Scene.owner))
        let member = service.client(token: try AccessToken.user(Scene.member))
        let memberID = UserID(trusted: Scene.member)
        let create = CreateMeeting(title: "한강 치킨")
        let meeting = try await owner.send(create).id
        let joined = try await owner.send(InviteToMeeting(meeting: meeting, invitee: memberID))
        _ = try await member.send(AcceptInvitation(invitation: joined.id))
        let another = try await owner.send(create).id
        let invitation = try await owner.send(
            InviteToMeeting(meeting: another, invitee: memberID)
        ).id
        return Scene(requests: [
            create, ListMeetings(), GetMeeting(meeting: meeting),
            InviteToMeeting(meeting: meeting, invitee: UserID(trusted: 77)), ListInvitations(),
            AcceptInvitation(invitation: invitation), CloseInvitation(invitation: invitation),
        ])
    }
}
