// The client an app holds: it sends any endpoint of any service, knows the session, and renews it
// when the server says that the access token has expired.

public import Endpoints

/// A client of Madang for one user.
public struct Madang: Sendable {
    /// Exchanges a session for a newer one.
    package typealias Refresh =
        @Sendable (SavedSession, EndpointClient) async throws -> SavedSession

    private let client: EndpointClient
    private let keeper: SessionKeeper

    /// A client over any transport.
    package init(
        transport: any EndpointTransport, store: any SessionStore, language: String?,
        refresh: @escaping Refresh
    ) {
        var headers: [TransportHeader] = []
        if let language { headers.append(TransportHeader("Accept-Language", language)) }
        let client = EndpointClient(transport: transport, headers: headers)
        self.client = client
        keeper = SessionKeeper(store: store) { session in try await refresh(session, client) }
    }

    /// The present session; `nil` when logged out.
    public var session: SavedSession? {
        get async throws { try await keeper.current() }
    }

    /// Begins a session, as after a login; `nil` ends it on this device.
    package func setSession(_ session: SavedSession?) async throws {
        try await keeper.replace(with: session)
    }

    /// Sends a request and decodes its response. When the access token has expired, it is renewed
    /// once for all requests that wait, and each is sent once more.
    ///
    /// - Parameter idempotencyKey: for a POST that the app may repeat, makes repeating harmless.
    /// - Throws: `Problem` (`logged_out` when the user must log in), `TransportFailure`, and what
    ///   the session store throws.
    public func send<E: Endpoint>(
        _ endpoint: E, idempotencyKey: String? = nil
    ) async throws -> E.Response {
        guard E.access != .public else {
            return try await client.send(endpoint, idempotencyKey: idempotencyKey)
        }
        guard let session = try await keeper.current() else { throw Problem(.loggedOut) }
        do {
            return try await authorized(session).send(endpoint, idempotencyKey: idempotencyKey)
        } catch let problem as Problem where problem.code == .accessTokenExpired {
            let renewed = try await keeper.session(after: session.accessToken)
            return try await authorized(renewed).send(endpoint, idempotencyKey: idempotencyKey)
        }
    }

    private func authorized(_ session: SavedSession) -> EndpointClient {
        var client = client
        client.token = { session.accessToken }
        return client
    }
}
