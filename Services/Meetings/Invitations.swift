// Inviting to a meeting, and answering. Whatever changes something locks the meeting first, so that
// what it then reads stays true until it commits.

import AuthAPI
import Endpoints
import MeetingsAPI
import Postgres
import ServiceRuntime
import Vocabulary

extension MeetingsService {
    func invite(_ request: InviteToMeeting, _ context: Context) async throws -> Invitation {
        let inviter = try caller(context)
        let invitee = request.invitee
        guard invitee != inviter else {
            throw Problem(.invalidField, "invitee must be somebody else", field: "invitee")
        }
        // Before anything is locked: a peer may take its time.
        guard try await users.exists(invitee, for: context) else {
            throw Problem(.invalidField, "invitee is nobody's id", field: "invitee")
        }
        let made = try await database.transaction(deadline: context.deadline) { transaction in
            let locked = try await transaction.row(
                MeetingQueries.lockMeeting(request.meeting, for: inviter))
            guard let meeting = locked else {
                throw Problem(.notFound, "There is no such meeting.")
            }
            guard try await !transaction.one(MeetingQueries.isMember(invitee, of: meeting.id))
            else { throw Problem(.alreadyMember) }
            let now = clock.now()
            let pending = try await transaction.rows(
                InvitationQueries.pending(to: meeting.id, at: now))
            if let standing = pending.first(where: { $0.invitee == invitee }) {
                return standing.invitation(at: now)
            }
            guard meeting.memberCount + pending.count < Limits.people else {
                throw Problem(
                    .meetingFull,
                    "A meeting has at most \(Limits.people) members and open invitations.")
            }
            try await transaction.run(
                InvitationQueries.closeExpired(meeting.id, invitee, at: now))
            let expiresAt = now.adding(seconds: Limits.invitationSeconds)
            let id = try await transaction.one(
                InvitationQueries.create(
                    meeting.id, inviter: inviter, invitee: invitee, at: now,
                    expiresAt: expiresAt))
            return Invitation(
                id: id, meeting: InvitedMeeting(id: meeting.id, title: meeting.title),
                inviter: MeetingUser(id: inviter), invitee: MeetingUser(id: invitee),
                state: .pending, createdAt: now, expiresAt: expiresAt)
        }
        return await named([made], context)[0]
    }

    /// Invitations with the names of those they concern, as far as auth tells them.
    private func named(_ invitations: [Invitation], _ context: Context) async -> [Invitation] {
        let ids = Set(invitations.flatMap { [$0.inviter.id, $0.invitee.id] })
        let profiles = await users.profiles(of: ids, for: context)
        return invitations.map { invitation in
            var invitation = invitation
            invitation.inviter.nickname = profiles[invitation.inviter.id]?.nickname
            invitation.invitee.nickname = profiles[invitation.invitee.id]?.nickname
            return invitation
        }
    }

    func listInvitations(
        _ request: ListInvitations, _ context: Context
    ) async throws -> Page<Invitation> {
        let user = try caller(context)
        let cursor = try Invitation.ID?(cursor: request.cursor)
        let limit = request.limit ?? MeetingsLimits.defaultPage
        let now = clock.now()
        // One more than asked for tells whether there is another page.
        let rows = try await database.rows(
            InvitationQueries.pending(for: user, at: now, before: cursor, limit: limit + 1),
            deadline: context.deadline)
        let items = await named(rows.prefix(limit).map { $0.invitation(at: now) }, context)
        return Page(items: items, next: rows.count > limit ? items.last?.id.description : nil)
    }

    func acceptInvitation(
        _ request: AcceptInvitation, _ context: Context
    ) async throws -> Invitation {
        let user = try caller(context)
        let accepted = try await database.transaction(deadline: context.deadline) { transaction in
            let row = try await locked(request.invitation, for: user, in: transaction)
            // The inviter sees the invitation too, but it is not theirs to accept.
            guard row.invitee == user else { throw noSuchInvitation }
            let now = clock.now()
            switch row.state(at: now) {
            case .accepted: return row.invitation(.accepted)
            case .expired: throw Problem(.invitationExpired)
            case .declined: throw Problem(.invitationClosed, "You have declined the invitation.")
            case .cancelled: throw Problem(.invitationClosed, "The invitation was taken back.")
            case .pending: break
            }
            try await transaction.run(
                InvitationQueries.accept(row.id, to: row.meeting.id, by: user, at: now))
            return row.invitation(.accepted)
        }
        return await named([accepted], context)[0]
    }

    func closeInvitation(
        _ request: CloseInvitation, _ context: Context
    ) async throws -> NoContent {
        let user = try caller(context)
        return try await database.transaction(deadline: context.deadline) { transaction in
            let row = try await locked(request.invitation, for: user, in: transaction)
            if row.outcome == .accepted {
                throw Problem(.invitationClosed, "The invitation was accepted.")
            }
            try await transaction.run(
                InvitationQueries.close(
                    row.id, as: row.invitee == user ? .declined : .cancelled, at: clock.now()))
            return NoContent()
        }
    }

    /// The invitation as it stays until the transaction ends.
    ///
    /// - Throws: `not_found` unless `user` made it or got it.
    private func locked(
        _ id: Invitation.ID, for user: UserID, in transaction: Transaction
    ) async throws -> InvitationRow {
        let meeting = try await transaction.row(InvitationQueries.lockMeeting(of: id, for: user))
        guard meeting != nil,
            let row = try await transaction.row(InvitationQueries.invitation(id, for: user))
        else { throw noSuchInvitation }
        return row
    }

    private var noSuchInvitation: Problem { Problem(.notFound, "There is no such invitation.") }
}
