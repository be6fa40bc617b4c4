// Names of members, which auth knows, and addresses, which peers ask for.

import Endpoints
import PartiesAPI
import ServiceRuntime
import TestSupport
import Testing
import Vocabulary

@Suite struct PeerTests {
    @Test func partiesCarryTheNamesOfTheirPeople() async throws {
        try await withParties { service in
            let made = try await service.client(1).send(CreateParty.example())
            #expect(made.owner.nickname == "user 1")
            let joined = try await service.client(2).send(JoinParty(party: made.id))
            #expect(joined.members.map(\.user.nickname) == ["user 1", "user 2"])
            let box = ListPartiesInBox(west: 127, south: 37, east: 128, north: 38, zoom: 14)
            let items = try await service.client(3).send(box).items
            #expect(items.map(\.party.owner.nickname) == ["user 1"])
            // An account that is gone has no name and keeps its seat.
            let gone = try await service.client(901).send(JoinParty(party: made.id))
            #expect(gone.members.map(\.user.nickname) == ["user 1", "user 2", nil])
        }
    }

    @Test func withoutAuthPartiesHaveNoNames() async throws {
        try await withParties(peers: .fake([.auth: .absent])) { service in
            let made = try await service.client(1).send(CreateParty.example())
            #expect(made.owner.nickname == nil)
            let joined = try await service.client(2).send(JoinParty(party: made.id))
            #expect(joined.members.count == 2)
        }
    }

    @Test(arguments: [
        (37.4979, 127.0276, "서울특별시 서초구"), (37.5172, 127.0473, "서울특별시 강남구"),
        (35.1587, 129.1604, "부산광역시 해운대구"), (33.4996, 126.5312, "제주특별자치도 제주시"),
    ]) func pointsHaveADistrict(latitude: Double, longitude: Double, name: String) async throws {
        try await withParties { service in
            let request = FindAddress(latitude: latitude, longitude: longitude)
            let address = try await service.client(1).send(request)
            #expect(address.name == name)
            #expect(address.source == "gazetteer")
            #expect(address.precision == .district)
            let peer = service.client(token: "service meetings")
            let same = try await peer.send(
                FindAddressForPeer(latitude: latitude, longitude: longitude))
            #expect(same == address)
        }
    }

    @Test(arguments: [(0.0, 0.0), (35.6812, 139.7671), (36.0, 131.5), (90, 180), (-90, -180)])
    func elsewhereThereIsNoAddress(latitude: Double, longitude: Double) async throws {
        try await withParties { service in
            let refusal = await problem {
                try await service.client(1).send(
                    FindAddress(latitude: latitude, longitude: longitude))
            }
            #expect(refusal?.code == .notFound)
        }
    }
}
