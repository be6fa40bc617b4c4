// Answers at the same moment, over two replicas, and one that dies half-way. Case M5.

import Endpoints
import MeetingsAPI
import TestSupport
import Testing
import Vocabulary

@Suite struct InvitationRaceTests {
    /// M5.
    @Test func acceptedTenTimesAtOnceIsOneMembership() async throws {
        try await withMeetings(replicas: 2) { service in
            for round in 0..<20 {
                let meeting = try await service.meeting(of: 1)
                let id = try await service.invite(2, to: meeting.id, by: 1).id
                let answers = try await withThrowingTaskGroup(of: Invitation.self) { group in
                    for attempt in 0..<10 {
                        group.addTask {
                            try await service.client(2, replica: attempt % 2)
                                .send(AcceptInvitation(invitation: id))
                        }
                    }
                    return try await group.reduce(into: Set()) { $0.insert($1) }
                }
                #expect(answers.count == 1, "round \(round)")
                #expect(answers.first?.state == .accepted)
                let again = try await service.client(2).send(AcceptInvitation(invitation: id))
                #expect(again == answers.first)
                let after = try await service.client(2).send(GetMeeting(meeting: meeting.id))
                #expect(after.members.count == 2)
            }
            try await expectCountsMatch(service)
        }
    }

    @Test func acceptingAndTakingBackAtOnceHasOneOutcome() async throws {
        try await withMeetings(replicas: 2) { service in
            for _ in 0..<20 {
                let meeting = try await service.meeting(of: 1)
                let id = try await service.invite(2, to: meeting.id, by: 1).id
                async let accepting = outcome {
                    _ = try await service.client(2, replica: 0)
                        .send(AcceptInvitation(invitation: id))
                }
                async let closing = outcome {
                    _ = try await service.client(1, replica: 1)
                        .send(CloseInvitation(invitation: id))
                }
                let (accepted, closed) = await (accepting, closing)
                let count = try await service.client(1)
                    .send(GetMeeting(meeting: meeting.id)).members.count
                if accepted == nil {
                    #expect(closed == .invitationClosed)
                    #expect(count == 2)
                } else {
                    #expect(accepted == .invitationClosed)
                    #expect(closed == nil)
                    #expect(count == 1)
                }
            }
            try await expectCountsMatch(service)
        }
    }

    @Test func invitedTenTimesAtOnceIsOneInvitation() async throws {
        let clock = ManualClock(beginning)
        try await withMeetings(replicas: 2, clock: clock.clock) { service in
            let meeting = try await service.meeting(of: 1).id
            let expired = try await service.invite(2, to: meeting, by: 1)
            clock.advance(seconds: 7 * 86_400)
            let answers = try await withThrowingTaskGroup(of: Invitation.self) { group in
                for attempt in 0..<10 {
                    group.addTask {
                        try await service.client(1, replica: attempt % 2).send(
                            InviteToMeeting(meeting: meeting, invitee: UserID(trusted: 2)))
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(answers.count == 1)
            #expect(answers.first?.id != expired.id)
        }
    }

    @Test func anAcceptanceKilledHalfWayLeavesNothing() async throws {
        try await withMeetings { service in
            let meeting = try await service.meeting(of: 1)
            let id = try await service.invite(2, to: meeting.id, by: 1).id
            // Every acceptance stops after its writes and before its commit.
            try await service.database.execute(
                """
                create function stop_here() returns trigger language plpgsql as $$
                begin perform pg_advisory_xact_lock(7); return null; end $$
                """,
                """
                create trigger stop_here after update on meeting_invitation
                execute function stop_here()
                """)
            let holder = try await AdvisoryLock.take(7, on: service.database)
            async let killed = problem {
                try await service.client(2).send(AcceptInvitation(invitation: id))
            }
            let waiting = """
                select pid from pg_stat_activity
                where datname = current_database() and wait_event = 'advisory'
                """
            let isWaiting = await eventually {
                (try? await service.database.value(waiting)) != nil
            }
            #expect(isWaiting)
            try await service.database.execute(
                "select pg_terminate_backend(pid) from (\(waiting)) _")
            #expect(await killed?.code == .unavailable)
            holder.release()
            let standing = try await service.client(2).send(ListInvitations()).items
            #expect(standing.map(\.id) == [id])
            let members = try await service.client(1).send(GetMeeting(meeting: meeting.id)).members
            #expect(members.count == 1)
            try await expectCountsMatch(service)
            let accepted = try await service.client(2).send(AcceptInvitation(invitation: id))
            #expect(accepted.state == .accepted)
            try await expectCountsMatch(service)
        }
    }

    /// The code of the problem that `call` throws; `nil` for success.
    private func outcome(
        _ call: @Sendable () async throws -> Void
    ) async -> Problem.Code? {
        do {
            try await call()
            return nil
        } catch {
            return (error as? Problem)?.code ?? .internal
        }
    }

    /// The count in a meeting's row is that of its members.
    private func expectCountsMatch(_ service: TestService) async throws {
        let wrong = """
            select count(*) from meeting where member_count <>
                (select count(*) from meeting_member where meeting_id = meeting.id)
            """
        #expect(try await service.database.value(wrong) == "0")
    }
}
