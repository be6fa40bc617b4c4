// The map: cases G1, G3 and G4, edges, pages, and what it does not show.

import Endpoints
import PartiesAPI
import TestSupport
import Testing
import Vocabulary

extension ListPartiesInBox {
    /// Seoul and around.
    fileprivate static func seoul(limit: Int? = nil, cursor: String? = nil) -> ListPartiesInBox {
        ListPartiesInBox(
            west: 126.5, south: 37.2, east: 127.3, north: 37.8, zoom: 10, limit: limit,
            cursor: cursor)
    }
}

extension TestService {
    /// Parties of user 1 at these places, in order.
    fileprivate func create(at places: [(Double, Double)]) async throws -> [Party.ID] {
        var ids: [Party.ID] = []
        for (latitude, longitude) in places {
            let request = CreateParty.example(origin: .at(latitude, longitude))
            ids.append(try await client(1).send(request).id)
        }
        return ids
    }

    fileprivate func found(_ request: ListPartiesInBox) async throws -> Set<Party.ID> {
        Set(try await client(9).send(request).items.map(\.party.id))
    }
}

@Suite struct PartyMapTests {
    /// G1.
    @Test func aBoxOverTheAntimeridianHasBothSides() async throws {
        try await withParties { service in
            let ids = try await service.create(at: [
                (0, 179.99), (0, -179.99), (0, 180), (0, -180), (0, 0), (0, 169), (0, -169),
            ])
            let box = ListPartiesInBox(west: 170, south: -10, east: -170, north: 10, zoom: 3)
            #expect(try await service.found(box) == Set(ids[0..<4]))
            let western = ListPartiesInBox(west: 170, south: -10, east: 180, north: 10, zoom: 3)
            #expect(try await service.found(western) == [ids[0], ids[2], ids[3]])
            let eastern = ListPartiesInBox(west: -180, south: -10, east: -170, north: 10, zoom: 3)
            #expect(try await service.found(eastern) == [ids[1], ids[2], ids[3]])
        }
    }

    /// G3.
    @Test func theWholeWorldHasAllParties() async throws {
        try await withParties { service in
            let ids = try await service.create(at: [
                (90, 0), (-90, 0), (0, 180), (0, -180), (37.5, 127), (-33, 18.4), (0, 0),
            ])
            let world = ListPartiesInBox(west: -180, south: -90, east: 180, north: 90, zoom: 0)
            #expect(try await service.found(world) == Set(ids))
        }
    }

    /// G4, and what is missing or not a number.
    @Test(arguments: [
        "west=0&south=0&east=1&north=162&zoom=3", "west=-181&south=0&east=1&north=1&zoom=3",
        "west=0&south=-95&east=1&north=1&zoom=3", "west=nan&south=0&east=1&north=1&zoom=3",
        "west=0&south=inf&east=1&north=1&zoom=3", "west=a&south=0&east=1&north=1&zoom=3",
        "west=0&south=1&east=1&north=0&zoom=3", "west=0&south=0&east=1&zoom=3",
        "west=0&south=0&east=1&north=1", "west=0&south=0&east=1&north=1&zoom=23",
        "west=0&south=0&east=1&north=1&zoom=-1", "west=0&south=0&east=1&north=1&zoom=3&limit=0",
        "west=0&south=0&east=1&north=1&zoom=3&limit=101",
        "west=0&south=0&east=1&north=1&zoom=3&cursor=x",
        "west=0&south=0&east=1&north=1&zoom=3&cursor=%00",
        "west=0&south=0&east=1&north=1&zoom=3&cursor=9007199254740992",
    ]) func refuses(query: String) async throws {
        try await withParties { service in
            let answer = try await service.raw(.get, "/v1/parties/map?\(query)", user: 1)
            #expect(answer.status == 422)
            #expect(answer.header("Content-Type") == Problem.mediaType)
        }
    }

    @Test func edgesAreInclusiveOnWhatIsShown() async throws {
        try await withParties { service in
            let ids = try await service.create(at: [(10, 20), (10.0004, 20.0004), (10.001, 20)])
            let point = ListPartiesInBox(west: 20, south: 10, east: 20, north: 10, zoom: 22)
            #expect(try await service.found(point) == Set(ids[0..<2]))
            // A box around the exact position finds nothing: only the rounded one counts.
            let exact = ListPartiesInBox(
                west: 20.0003, south: 10.0003, east: 20.0005, north: 10.0005, zoom: 22)
            #expect(try await service.found(exact) == [])
        }
    }

    @Test func itemsArePartiesWithTheOriginRounded() async throws {
        try await withParties { service in
            let party = try await service.client(1).send(CreateParty.example())
            let seen = try await service.client(2).send(ListPartiesInBox.seoul()).items
            #expect(seen.map(\.kind) == [.party])
            #expect(seen.first?.party.origin.latitude == 37.498)
            #expect(seen.first?.party.id == party.id)
            let own = try await service.client(1).send(ListPartiesInBox.seoul()).items
            #expect(own.first?.party == party)
            let raw = try await service.raw(
                .get, "/v1/parties/map?west=126&south=37&east=128&north=38&zoom=9", user: 2)
            let text = String(decoding: raw.body, as: UTF8.self)
            #expect(text.hasPrefix(#"{"items":[{"kind":"party","party":{"id":"#))
            #expect(text.hasSuffix(#""next":null}"#))
        }
    }

    @Test func onlyOpenPartiesAreShown() async throws {
        let clock = ManualClock(beginning)
        try await withParties(clock: clock.clock) { service in
            let owner = service.client(1)
            let open = try await owner.send(CreateParty.example(departsIn: 7200)).id
            let full = try await owner.send(CreateParty.example(seats: 2)).id
            _ = try await service.client(2).send(JoinParty(party: full))
            let cancelled = try await owner.send(CreateParty.example()).id
            _ = try await owner.send(CancelParty(party: cancelled))
            let soon = try await owner.send(CreateParty.example(departsIn: 60)).id
            #expect(try await service.found(.seoul()) == [open, soon])
            clock.advance(seconds: 60)
            #expect(try await service.found(.seoul()) == [open])
        }
    }

    @Test func pagesHaveEachPartyOnceWhileOthersAppear() async throws {
        try await withParties { service in
            // Stacked on one point, so that nothing but the page tells them apart.
            let ids = try await service.create(
                at: Array(repeating: (37.5, 127.0), count: 7))
            var seen: [Party.ID] = []
            var cursor: String?
            repeat {
                let page = try await service.client(2).send(
                    ListPartiesInBox.seoul(limit: 3, cursor: cursor))
                #expect(page.items.count <= 3)
                seen += page.items.map(\.party.id)
                cursor = page.next
                _ = try await service.create(at: [(37.5, 127.0)])
            } while cursor != nil
            #expect(seen == ids.reversed())
        }
    }
}
