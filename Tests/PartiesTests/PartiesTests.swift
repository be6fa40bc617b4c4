// Creating, reading, joining and calling off a party, through the typed client against PostgreSQL.

import Endpoints
import PartiesAPI
import TestSupport
import Testing
import Vocabulary

@Suite struct PartiesTests {
    @Test func aPartyIsCreatedReadAndJoined() async throws {
        try await withParties { service in
            let created = try await service.client(1).send(CreateParty.example(seats: 3))
            #expect(created.title == "공항 가실 분")
            #expect(created.origin == .gangnam)
            #expect(created.destination == .incheon)
            #expect(created.departsAt == beginning.adding(seconds: 3600))
            #expect(created.seats == 3)
            #expect(created.note == "짐 하나씩")
            #expect(created.state == .open)
            #expect(created.owner.id == UserID(rawValue: 1))
            #expect(created.members.map(\.user) == [created.owner])
            #expect(created.members.map(\.joinedAt) == [beginning])
            #expect(try await service.client(1).send(GetParty(party: created.id)) == created)

            let joined = try await service.client(2).send(JoinParty(party: created.id))
            #expect(joined.members.map(\.user.id.rawValue) == [1, 2])
            #expect(joined.state == .open)
            #expect(try await service.client(2).send(JoinParty(party: created.id)) == joined)
            #expect(try await service.client(1).send(GetParty(party: created.id)) == joined)
        }
    }

    @Test func onlyMembersSeeTheExactOrigin() async throws {
        try await withParties { service in
            let id = try await service.client(1).send(CreateParty.example()).id
            let outside = try await service.client(2).send(GetParty(party: id))
            #expect(outside.origin.name == "강남역 11번 출구")
            #expect(outside.origin.latitude == 37.498)
            #expect(outside.origin.longitude == 127.028)
            #expect(outside.destination == .incheon)
            #expect(try await service.client(2).send(JoinParty(party: id)).origin == .gangnam)
            #expect(try await service.client(2).send(GetParty(party: id)).origin == .gangnam)
        }
    }

    @Test func aFullPartyRefusesOthersButAnswersItsMembers() async throws {
        try await withParties { service in
            let id = try await service.client(1).send(CreateParty.example(seats: 2)).id
            let full = try await service.client(2).send(JoinParty(party: id))
            #expect(full.state == .full)
            let refused = await problem { try await service.client(3).send(JoinParty(party: id)) }
            #expect(refused?.code == .partyFull)
            #expect(refused?.status == 409)
            #expect(try await service.client(2).send(JoinParty(party: id)) == full)
            #expect(try await service.client(1).send(JoinParty(party: id)) == full)
        }
    }

    @Test func statesFollowTheClock() async throws {
        let clock = ManualClock(beginning)
        try await withParties(clock: clock.clock) { service in
            let alone = try await service.client(1).send(CreateParty.example()).id
            let shared = try await service.client(1).send(CreateParty.example()).id
            let last = try await service.client(2).send(JoinParty(party: shared))
            clock.advance(seconds: 3599)
            #expect(try await service.client(1).send(GetParty(party: alone)).state == .open)
            clock.advance(seconds: 1)
            #expect(try await service.client(1).send(GetParty(party: alone)).state == .expired)
            #expect(try await service.client(1).send(GetParty(party: shared)).state == .departed)
            let late = await problem { try await service.client(3).send(JoinParty(party: shared)) }
            #expect(late?.code == .partyClosed)
            // Who has a seat keeps getting the answer.
            let again = try await service.client(2).send(JoinParty(party: shared))
            #expect(again.members == last.members)
            let cancelled = await problem {
                try await service.client(1).send(CancelParty(party: shared))
            }
            #expect(cancelled?.code == .partyClosed)
        }
    }

    @Test func onlyTheOwnerCallsAPartyOff() async throws {
        try await withParties { service in
            let id = try await service.client(1).send(CreateParty.example()).id
            let other = await problem { try await service.client(2).send(CancelParty(party: id)) }
            #expect(other?.code == .forbidden)
            _ = try await service.client(1).send(CancelParty(party: id))
            _ = try await service.client(1).send(CancelParty(party: id))
            #expect(try await service.client(2).send(GetParty(party: id)).state == .cancelled)
            let late = await problem { try await service.client(2).send(JoinParty(party: id)) }
            #expect(late?.code == .partyClosed)
        }
    }

    @Test func whatIsNotThereIsNotFound() async throws {
        try await withParties { service in
            let id = Party.ID(trusted: 4711)
            let got = await problem { try await service.client(1).send(GetParty(party: id)) }
            #expect(got?.code == .notFound)
            let joined = await problem { try await service.client(1).send(JoinParty(party: id)) }
            #expect(joined?.code == .notFound)
            let gone = await problem { try await service.client(1).send(CancelParty(party: id)) }
            #expect(gone?.code == .notFound)
        }
    }

    @Test(arguments: [
        "18446744073709551615", "-1", "0", "9223372036854775808", "9007199254740992", "abc",
        "1.0", "%00", "01",
    ]) func idsOutOfRangeAreNotFound(id: String) async throws {
        try await withParties { service in
            for (method, path) in [
                (Route.Method.get, "/v1/parties/\(id)"), (.delete, "/v1/parties/\(id)"),
                (.post, "/v1/parties/\(id)/members"),
            ] {
                let answer = try await service.raw(method, path, user: 1)
                #expect(answer.status == 404, "\(method) \(path)")
                #expect(answer.header("Content-Type") == Problem.mediaType)
            }
        }
    }

    @Test func everyEndpointWantsAToken() async throws {
        try await withParties { service in
            let nobody = service.client(token: nil)
            let id = Party.ID(trusted: 1)
            let problems = [
                await problem { try await nobody.send(CreateParty.example()) },
                await problem { try await nobody.send(GetParty(party: id)) },
                await problem { try await nobody.send(CancelParty(party: id)) },
                await problem { try await nobody.send(JoinParty(party: id)) },
                await problem {
                    try await nobody.send(
                        ListPartiesInBox(west: 0, south: 0, east: 1, north: 1, zoom: 3))
                },
            ]
            for problem in problems { #expect(problem?.code == .accessTokenMissing) }
        }
    }

    @Test func aRepeatedRequestMakesOneParty() async throws {
        try await withParties { service in
            let client = service.client(1)
            let first = try await client.send(CreateParty.example(), idempotencyKey: "k-1")
            let second = try await client.send(CreateParty.example(), idempotencyKey: "k-1")
            #expect(first == second)
            let other = await problem {
                try await client.send(CreateParty.example(seats: 2), idempotencyKey: "k-1")
            }
            #expect(other?.code == .idempotencyKeyReused)
            #expect(try await service.database.value("select count(*) from party") == "1")
        }
    }
}
