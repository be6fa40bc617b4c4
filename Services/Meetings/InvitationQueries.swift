// The SQL of invitations. Each statement that writes runs in a transaction that has locked the
// meeting.

import MeetingsAPI
import Postgres
import Vocabulary

/// Statements on `meeting_invitation`.
enum InvitationQueries {
    /// The columns of an `InvitationRow`.
    private static let columns: SQL = """
        select invitation.id, invitation.meeting_id, meeting.title, invitation.inviter_id,
            invitation.invitee_id, invitation.created_at, invitation.expires_at,
            invitation.outcome
        from meeting_invitation as invitation
        join meeting on meeting.id = invitation.meeting_id
        """

    /// One invitation, for its inviter or its invitee.
    static func invitation(_ id: Invitation.ID, for user: UserID) -> Query<InvitationRow> {
        """
        \(raw: columns)
        where invitation.id = \(id)
            and (invitation.invitee_id = \(user) or invitation.inviter_id = \(user))
        """
    }

    /// The open invitations for a user whose time is not over, newest first, those older than
    /// `cursor`.
    static func pending(
        for invitee: UserID, at now: Instant, before cursor: Invitation.ID?, limit: Int
    ) -> Query<InvitationRow> {
        """
        \(raw: columns)
        where invitation.invitee_id = \(invitee) and invitation.outcome is null
            and invitation.expires_at > \(now) and invitation.id < \(cursor?.rawValue ?? .max)
        order by invitation.id desc limit \(limit)
        """
    }

    /// The open invitations to a meeting whose time is not over; no more than the meeting may have
    /// people.
    static func pending(to meeting: Meeting.ID, at now: Instant) -> Query<InvitationRow> {
        """
        \(raw: columns)
        where invitation.meeting_id = \(meeting) and invitation.outcome is null
            and invitation.expires_at > \(now)
        order by invitation.id limit \(Limits.people)
        """
    }

    /// Makes room for a new invitation of someone whose last one was not answered in time.
    static func closeExpired(
        _ meeting: Meeting.ID, _ invitee: UserID, at now: Instant
    ) -> Command {
        """
        update meeting_invitation set outcome = 'expired', closed_at = \(now)
        where meeting_id = \(meeting) and invitee_id = \(invitee) and outcome is null
            and expires_at <= \(now)
        """
    }

    static func create(
        _ meeting: Meeting.ID, inviter: UserID, invitee: UserID, at now: Instant,
        expiresAt: Instant
    ) -> Query<Invitation.ID> {
        """
        insert into meeting_invitation (
            meeting_id, inviter_id, invitee_id, created_at, expires_at
        ) values (\(meeting), \(inviter), \(invitee), \(now), \(expiresAt))
        returning id
        """
    }

    /// Locks the meeting of an invitation for the invitation's inviter or invitee.
    static func lockMeeting(of id: Invitation.ID, for user: UserID) -> Query<Meeting.ID> {
        """
        select meeting.id from meeting
        where meeting.id = (
            select meeting_id from meeting_invitation
            where id = \(id) and (invitee_id = \(user) or inviter_id = \(user))
        )
        for update
        """
    }

    /// Makes the invitee a member and closes the invitation.
    static func accept(
        _ id: Invitation.ID, to meeting: Meeting.ID, by invitee: UserID, at now: Instant
    ) -> Command {
        """
        with joined as (
            insert into meeting_member (meeting_id, user_id, role, joined_at)
            values (\(meeting), \(invitee), 'member', \(now))
            on conflict on constraint meeting_member_primary do nothing
            returning meeting_id
        ), counted as (
            update meeting set member_count = member_count + 1
            where id in (select meeting_id from joined)
        )
        update meeting_invitation set outcome = 'accepted', closed_at = \(now)
        where id = \(id) and outcome is null
        """
    }

    /// Closes an open invitation without a membership.
    static func close(
        _ id: Invitation.ID, as outcome: InvitationState, at now: Instant
    ) -> Command {
        """
        update meeting_invitation set outcome = \(outcome), closed_at = \(now)
        where id = \(id) and outcome is null
        """
    }
}

/// An invitation as it is stored.
struct InvitationRow: PostgresRow {
    let id: Invitation.ID
    let meeting: InvitedMeeting
    let inviter: UserID
    let invitee: UserID
    let createdAt: Instant
    let expiresAt: Instant
    /// How it ended; `nil` while it is open, also when its time is over.
    let outcome: InvitationState?

    init(_ columns: inout ColumnReader) throws {
        id = try columns.next()
        meeting = InvitedMeeting(id: try columns.next(), title: try columns.next())
        inviter = try columns.next()
        invitee = try columns.next()
        createdAt = try columns.next()
        expiresAt = try columns.next()
        outcome = try columns.next(InvitationState?.self)
    }

    /// Follows from what is stored and the time, so that no job has to run when the time is over.
    func state(at now: Instant) -> InvitationState {
        outcome ?? (expiresAt <= now ? .expired : .pending)
    }

    func invitation(at now: Instant) -> Invitation {
        invitation(state(at: now))
    }

    func invitation(_ state: InvitationState) -> Invitation {
        Invitation(
            id: id, meeting: meeting, inviter: MeetingUser(id: inviter),
            invitee: MeetingUser(id: invitee), state: state, createdAt: createdAt,
            expiresAt: expiresAt)
    }
}
