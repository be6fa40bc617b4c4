// The peers of a service under test, in this process: as the contracts say, or failing in every way.

import AuthAPI
package import Endpoints
import JSON
package import ServiceRuntime
import Vocabulary

/// A peer made of a closure.
package struct FakePeer: EndpointTransport {
    private let answer: @Sendable (TransportRequest) async throws -> TransportResponse

    package init(
        _ answer: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) {
        self.answer = answer
    }

    package func perform(_ request: TransportRequest) async throws -> TransportResponse {
        try await answer(request)
    }

    /// Nobody listens.
    package static let absent = FakePeer { _ in throw TransportFailure(.unreachable, "refused") }

    /// Auth as far as peers use it: users below 900 exist, and user 7 is called "user 7".
    package static let auth = FakePeer { request in
        guard request.target.hasPrefix("/internal/users?") else {
            return try .problem(Problem(.notFound))
        }
        let ids = request.target.split(whereSeparator: { "?&".contains($0) }).dropFirst()
            .compactMap { Int64($0.dropFirst("ids=".count)) }
        let profiles = ids.filter { $0 < 900 }.map { id in
            UserProfile(id: UserID(trusted: id), nickname: "user \(id)", photo: nil)
        }
        return try .json(UserProfiles(items: profiles))
    }
}

extension TransportResponse {
    /// An answer with a body.
    package static func json(_ value: some Encodable, status: Int = 200) throws -> Self {
        TransportResponse(
            status: status, headers: [TransportHeader("Content-Type", "application/json")],
            body: try JSONCoder.standard.encode(value))
    }

    /// A problem as a service answers it.
    package static func problem(_ problem: Problem) throws -> Self {
        TransportResponse(
            status: problem.status, headers: [TransportHeader("Content-Type", Problem.mediaType)],
            body: try JSONCoder.standard.encode(problem))
    }
}

extension Peers {
    /// Peers in this process; those not given are absent, auth is `FakePeer.auth`.
    package static func fake(_ peers: [ServiceName: FakePeer] = [:]) -> Peers {
        var clients: [ServiceName: PeerClient] = [:]
        for name in ServiceName.allCases {
            let fake = peers[name] ?? (name == .auth ? .auth : .absent)
            clients[name] = PeerClient(name.rawValue, transport: fake)
        }
        return Peers(clients)
    }
}
