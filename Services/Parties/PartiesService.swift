// The parties service: its dependencies and its wiring.

import Endpoints
import PartiesAPI
import Postgres
package import ServiceRuntime
import Vocabulary

/// What an operator may set beside what the runtime reads: nothing yet.
package struct PartiesConfiguration: Sendable {
    package init(_ environment: inout Environment) {}
}

/// Ride parties and the map they are found on.
package struct PartiesService: Sendable {
    package static let description = ServiceDescription(
        name: "parties", summary: "People who share a taxi find each other by place and time.",
        version: "0.1.0", port: 8082, endpoints: PartiesAPI.endpoints,
        migrations: [
            Migration("m0001_create_party", PackageResources.m0001_create_party_sql)
        ], peers: [.auth])

    let database: Database
    let clock: WallClock
    let users: UserDirectory
    let gazetteer: Gazetteer

    package init(_ resources: ServiceResources, configuration: PartiesConfiguration) {
        database = resources.database
        clock = resources.clock
        users = UserDirectory(auth: resources.peers[.auth])
        gazetteer = Gazetteer(PackageResources.districts_tsv)
    }

    package func parts() -> ServiceParts {
        ServiceParts(router: router())
    }

    private func router() -> Router {
        let router = Router()
        router.on(CreateParty.self, createParty)
        router.on(GetParty.self, getParty)
        router.on(CancelParty.self, cancelParty)
        router.on(JoinParty.self, joinParty)
        router.on(ListPartiesInBox.self, listPartiesInBox)
        router.on(FindAddress.self, findAddress)
        router.on(FindAddressForPeer.self, findAddressForPeer)
        return router.sealed(PartiesAPI.endpoints)
    }

    /// The user who asks.
    func caller(_ context: Context) throws(Problem) -> UserID {
        UserID(trusted: try context.user.id)
    }
}
