// Inviting, accepting, declining and taking back: cases M6 and M7 and what surrounds them.

import Endpoints
import MeetingsAPI
import TestSupport
import Testing
import Vocabulary

private let week = 7 * 86_400

@Suite struct InvitationsTests {
    @Test func anInviteeSeesAcceptsAndBelongs() async throws {
        let clock = ManualClock(beginning)
        try await withMeetings(clock: clock.clock) { service in
            let meeting = try await service.meeting(of: 1)
            let invitation = try await service.invite(2, to: meeting.id, by: 1)
            #expect(invitation.meeting == InvitedMeeting(id: meeting.id, title: meeting.title))
            #expect(invitation.inviter.id.rawValue == 1)
            #expect(invitation.invitee.id.rawValue == 2)
            #expect(invitation.state == .pending)
            #expect(invitation.createdAt == beginning)
            #expect(invitation.expiresAt == beginning.adding(seconds: week))
            #expect(try await service.client(2).send(ListInvitations()).items == [invitation])
            #expect(try await service.client(1).send(ListInvitations()).items.isEmpty)

            clock.advance(seconds: 10)
            let accept = AcceptInvitation(invitation: invitation.id)
            let accepted = try await service.client(2).send(accept)
            #expect(accepted.state == .accepted)
            #expect(accepted.id == invitation.id)
            clock.advance(seconds: 2 * week)
            #expect(try await service.client(2).send(accept) == accepted)
            #expect(try await service.client(2).send(ListInvitations()).items.isEmpty)

            let members = try await service.client(2).send(GetMeeting(meeting: meeting.id)).members
            #expect(members.map(\.user.id.rawValue) == [1, 2])
            #expect(members.map(\.role) == [.owner, .member])
            #expect(members.last?.joinedAt == beginning.adding(seconds: 10))
            let mine = try await service.client(2).send(ListMeetings()).items
            #expect(mine.map(\.role) == [.member])
            #expect(mine.map(\.memberCount) == [2])
        }
    }

    @Test func onePendingInvitationForAPerson() async throws {
        try await withMeetings { service in
            let meeting = try await service.meeting(of: 1)
            let first = try await service.invite(3, to: meeting.id, by: 1)
            #expect(try await service.invite(3, to: meeting.id, by: 1) == first)
            // Another member gets the same one.
            let other = try await service.invite(2, to: meeting.id, by: 1)
            _ = try await service.client(2).send(AcceptInvitation(invitation: other.id))
            #expect(try await service.invite(3, to: meeting.id, by: 2) == first)
            #expect(try await service.client(3).send(ListInvitations()).items == [first])
        }
    }

    @Test func whoMayNotBeInvitedAndByWhom() async throws {
        try await withMeetings { service in
            let meeting = try await service.meeting(of: 1)
            let oneself = await problem { try await service.invite(1, to: meeting.id, by: 1) }
            #expect(oneself?.code == .invalidField)
            #expect(oneself?.field == "invitee")
            let invitation = try await service.invite(2, to: meeting.id, by: 1)
            let notYet = await problem { try await service.invite(3, to: meeting.id, by: 2) }
            #expect(notYet?.code == .notFound)
            _ = try await service.client(2).send(AcceptInvitation(invitation: invitation.id))
            let member = await problem { try await service.invite(2, to: meeting.id, by: 1) }
            #expect(member?.code == .alreadyMember)
            #expect(member?.status == 409)
            let owner = await problem { try await service.invite(1, to: meeting.id, by: 2) }
            #expect(owner?.code == .alreadyMember)
            let missing = await problem {
                try await service.invite(3, to: Meeting.ID(trusted: 4711), by: 1)
            }
            #expect(missing?.code == .notFound)
            for id in ["0", "-5", "9007199254740992", #""2""#, "null"] {
                let answer = try await service.raw(
                    .post, "/v1/meetings/\(meeting.id)/invitations", user: 1,
                    body: #"{"invitee":\#(id)}"#)
                #expect(answer.status == 422, "\(id)")
            }
        }
    }

    /// M6.
    @Test func anExpiredInvitationIsGoneAndMakesRoom() async throws {
        let clock = ManualClock(beginning)
        try await withMeetings(clock: clock.clock) { service in
            let meeting = try await service.meeting(of: 1)
            let first = try await service.invite(2, to: meeting.id, by: 1)
            clock.advance(seconds: week)
            #expect(try await service.client(2).send(ListInvitations()).items.isEmpty)
            let accept = AcceptInvitation(invitation: first.id)
            let late = await problem { try await service.client(2).send(accept) }
            #expect(late?.code == .invitationExpired)
            #expect(late?.status == 410)
            let outside = await problem {
                try await service.client(2).send(GetMeeting(meeting: meeting.id))
            }
            #expect(outside?.code == .notFound)

            let second = try await service.invite(2, to: meeting.id, by: 1)
            #expect(second.id != first.id)
            let stillLate = await problem { try await service.client(2).send(accept) }
            #expect(stillLate?.code == .invitationExpired)
            let accepted = try await service.client(2).send(
                AcceptInvitation(invitation: second.id))
            #expect(accepted.state == .accepted)
            let cancel = await problem {
                try await service.client(1).send(CloseInvitation(invitation: second.id))
            }
            #expect(cancel?.code == .invitationClosed)
            #expect(cancel?.status == 409)
            let decline = await problem {
                try await service.client(2).send(CloseInvitation(invitation: second.id))
            }
            #expect(decline?.code == .invitationClosed)
            let members = try await service.client(2).send(GetMeeting(meeting: meeting.id)).members
            #expect(members.count == 2)
        }
    }

    @Test func anInvitationHoldsToItsLastMoment() async throws {
        let clock = ManualClock(beginning)
        try await withMeetings(clock: clock.clock) { service in
            let meeting = try await service.meeting(of: 1)
            let invitation = try await service.invite(2, to: meeting.id, by: 1)
            clock.advance(seconds: week - 1)
            let accepted = try await service.client(2).send(
                AcceptInvitation(invitation: invitation.id))
            #expect(accepted.state == .accepted)
        }
    }

    /// M7.
    @Test func anInvitationIsOnlyForItsInvitee() async throws {
        try await withMeetings { service in
            let meeting = try await service.meeting(of: 1)
            let id = try await service.invite(2, to: meeting.id, by: 1).id
            for user: Int64 in [1, 3] {
                let stolen = await problem {
                    try await service.client(user).send(AcceptInvitation(invitation: id))
                }
                #expect(stolen?.code == .notFound)
            }
            let closed = await problem {
                try await service.client(3).send(CloseInvitation(invitation: id))
            }
            #expect(closed?.code == .notFound)
            let meeting3 = await problem {
                try await service.client(3).send(GetMeeting(meeting: meeting.id))
            }
            #expect(meeting3?.code == .notFound)
            #expect(try await service.client(2).send(ListInvitations()).items.count == 1)
        }
    }

    @Test func decliningAndTakingBack() async throws {
        try await withMeetings { service in
            let meeting = try await service.meeting(of: 1)
            for (closer, word) in [(Int64(2), "declined"), (1, "cancelled")] {
                let id = try await service.invite(2, to: meeting.id, by: 1).id
                _ = try await service.client(closer).send(CloseInvitation(invitation: id))
                _ = try await service.client(closer).send(CloseInvitation(invitation: id))
                let stored = try await service.database.value(
                    "select outcome from meeting_invitation where id = \(id)")
                #expect(stored == word)
                let accept = await problem {
                    try await service.client(2).send(AcceptInvitation(invitation: id))
                }
                #expect(accept?.code == .invitationClosed)
                #expect(try await service.client(2).send(ListInvitations()).items.isEmpty)
            }
            // Neither stands in the way of another invitation.
            let last = try await service.invite(2, to: meeting.id, by: 1)
            _ = try await service.client(2).send(AcceptInvitation(invitation: last.id))
        }
    }

    @Test func aMeetingHasRoomForFifty() async throws {
        let clock = ManualClock(beginning)
        try await withMeetings(clock: clock.clock) { service in
            let meeting = try await service.meeting(of: 1)
            for invitee in Int64(2)...50 {
                _ = try await service.invite(invitee, to: meeting.id, by: 1)
            }
            let full = await problem { try await service.invite(51, to: meeting.id, by: 1) }
            #expect(full?.code == .meetingFull)
            let standing = try await service.invite(50, to: meeting.id, by: 1)
            #expect(standing.state == .pending)
            _ = try await service.client(50).send(CloseInvitation(invitation: standing.id))
            _ = try await service.invite(51, to: meeting.id, by: 1)
            // Those that nobody answers give their places back.
            clock.advance(seconds: week)
            _ = try await service.invite(52, to: meeting.id, by: 1)
        }
    }

    @Test func invitationsAreListedPageByPage() async throws {
        try await withMeetings { service in
            var ids: [Invitation.ID] = []
            for owner in Int64(11)...15 {
                let meeting = try await service.meeting(of: owner).id
                ids.append(try await service.invite(2, to: meeting, by: owner).id)
            }
            var seen: [Invitation.ID] = []
            var cursor: String?
            repeat {
                let page = try await service.client(2).send(
                    ListInvitations(limit: 2, cursor: cursor))
                seen += page.items.map(\.id)
                cursor = page.next
            } while cursor != nil
            #expect(seen == ids.reversed())
        }
    }
}
