// The peers a service has said it calls, from their addresses and the service's own secret.
import HTTPClient

/// Clients of a service's peers.
package struct Peers: Sendable {
    private let clients: [ServiceName: PeerClient]

    /// For tests: clients of peers that are not there.
    package init(_ clients: [ServiceName: PeerClient] = [:]) {
        self.clients = clients
    }

    /// Reads `AUTH_URL` and its like for each peer, and `CLIENT_SECRET`.
    init(
        of service: ServiceDescription, _ environment: inout Environment, _ client: any HTTPClient
    ) {
        var clients: [ServiceName: PeerClient] = [:]
        for peer in service.peers {
            let address = environment.address(
                peer.addressVariable, default: "http://127.0.0.1:\(peer.port)")
            clients[peer] = PeerClient(
                peer.rawValue, transport: HTTPTransport(client, origin: address))
        }
        if service.name != ServiceName.auth.rawValue, let auth = clients[.auth] {
            let secret = environment.requiredSecret(
                "CLIENT_SECRET", "what auth expects of \(service.name) for a service token")
            let keeper = ServiceTokenKeeper(service: service.name, secret: secret, auth: auth)
            clients = clients.mapValues { $0.with(tokens: keeper) }
        }
        self.clients = clients
    }

    /// The client of a peer that the service's description names.
    package subscript(_ peer: ServiceName) -> PeerClient {
        guard let client = clients[peer] else {
            preconditionFailure("\(peer) is not among the peers of this service's description")
        }
        return client
    }
}
