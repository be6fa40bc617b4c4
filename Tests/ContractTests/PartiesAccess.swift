// Who may do what in parties.

import Endpoints
import PartiesAPI
import TestSupport
import Vocabulary

extension AccessMatrix {
    /// The party is the owner's, and the member has a seat in it.
    static let parties = AccessMatrix(
        service: "parties",
        table: """
            | endpoint           | anonymous | other | member | owner | admin | service |
            | CreateParty        | 401       | 201   | 201    | 201   | 201   | 401     |
            | GetParty           | 401       | 200   | 200    | 200   | 200   | 401     |
            | CancelParty        | 401       | 403   | 403    | 204   | 403   | 401     |
            | JoinParty          | 401       | 200   | 200    | 200   | 200   | 401     |
            | ListPartiesInBox   | 401       | 200   | 200    | 200   | 200   | 401     |
            | FindAddress        | 401       | 200   | 200    | 200   | 200   | 401     |
            | FindAddressForPeer | 401       | 403   | 403    | 403   | 403   | 200     |
            """
    ) { service in
        let create = CreateParty(
            title: "공항 가실 분",
            origin: Point(name: "강남역", latitude: 37.4979, longitude: 127.0276),
            destination: Point(name: "인천공항", latitude: 37.4602, longitude: 126.4407),
            departsAt: WallClock.system.now().adding(seconds: 3600), seats: 4)
        let owner = service.client(token: try AccessToken.user(Scene.owner))
        let member = service.client(token: try AccessToken.user(Scene.member))
        let party = try await owner.send(create).id
        _ = try await member.send(JoinParty(party: party))
        return Scene(requests: [
            create, GetParty(party: party), CancelParty(party: party), JoinParty(party: party),
            ListPartiesInBox(west: 126, south: 37, east: 128, north: 38, zoom: 10),
            FindAddress(latitude: 37.4979, longitude: 127.0276),
            FindAddressForPeer(latitude: 37.4979, longitude: 127.0276),
        ])
    }
}
