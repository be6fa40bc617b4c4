// The last seat under contention, and joins that die half-way. Case G10.

import Endpoints
import PartiesAPI
import TestSupport
import Testing
import Vocabulary

@Suite struct PartyRaceTests {
    @Test func twentyUsersAndOneSeatOverTwoReplicas() async throws {
        try await withParties(replicas: 2) { service in
            for round in 0..<20 {
                let party = try await service.client(1).send(CreateParty.example(seats: 2)).id
                let outcomes = await outcomes(20) { user in
                    let replica = Int(user) % 2
                    _ = try await service.client(user, replica: replica)
                        .send(JoinParty(party: party))
                }
                #expect(outcomes.filter { $0 == nil }.count == 1, "round \(round)")
                #expect(outcomes.filter { $0 == .partyFull }.count == 19, "round \(round)")
                let after = try await service.client(1).send(GetParty(party: party))
                #expect(after.members.count == 2)
                #expect(after.state == .full)
            }
            try await expectCountsMatch(service)
        }
    }

    @Test func oneUserWhoJoinsTenTimesAtOnceHasOneSeat() async throws {
        try await withParties(replicas: 2) { service in
            let party = try await service.client(1).send(CreateParty.example(seats: 2)).id
            try await withThrowingTaskGroup(of: Party.self) { group in
                for attempt in 0..<10 {
                    group.addTask {
                        try await service.client(2, replica: attempt % 2)
                            .send(JoinParty(party: party))
                    }
                }
                let answers = try await group.reduce(into: Set()) { $0.insert($1) }
                #expect(answers.count == 1)
                #expect(answers.first?.members.count == 2)
            }
            try await expectCountsMatch(service)
        }
    }

    @Test func aJoinKilledHalfWayLeavesNothing() async throws {
        try await withParties { service in
            let party = try await service.client(1).send(CreateParty.example(seats: 2)).id
            // Every join stops after its last statement's writes and before its commit.
            try await service.database.execute(
                """
                create function stop_here() returns trigger language plpgsql as $$
                begin perform pg_advisory_xact_lock(7); return null; end $$
                """,
                "create trigger stop_here after update on party execute function stop_here()")
            let holder = try await AdvisoryLock.take(7, on: service.database)
            async let killed = problem {
                try await service.client(2).send(JoinParty(party: party))
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
            try await expectCountsMatch(service)
            let after = try await service.client(1).send(GetParty(party: party))
            #expect(after.members.count == 1)
            #expect(after.state == .open)
            let joined = try await service.client(2).send(JoinParty(party: party))
            #expect(joined.members.count == 2)
        }
    }

    /// What became of `count` calls at once by users 100, 101 …: `nil` for success.
    private func outcomes(
        _ count: Int, _ call: @escaping @Sendable (Int64) async throws -> Void
    ) async -> [Problem.Code?] {
        await withTaskGroup(of: Problem.Code?.self) { group in
            for user in 0..<count {
                group.addTask {
                    do {
                        try await call(100 + Int64(user))
                        return nil
                    } catch {
                        return (error as? Problem)?.code ?? .internal
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// The count in a party's row is that of its members, and no party has more than seats.
    private func expectCountsMatch(_ service: TestService) async throws {
        let wrong = """
            select count(*) from party where member_count > seats or member_count <>
                (select count(*) from party_member where party_id = party.id)
            """
        #expect(try await service.database.value(wrong) == "0")
    }
}
