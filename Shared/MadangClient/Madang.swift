// The client an app holds: it sends any endpoint of any service, knows the session, and renews it
// when the server says that the access token has expired.

public import AuthAPI
public import Endpoints
public import Foundation

/// A client of Madang for one user.
///
/// ```swift
/// let madang = Madang(baseURL: url, store: keychain)
/// try await madang.logIn(email: email, password: password)
/// let party = try await madang.send(GetParty(party: id))
/// ```
public struct Madang: Sendable {
    private let client: EndpointClient
    private let keeper: SessionKeeper

    /// A client of the server at `baseURL`.
    ///
    /// - Parameters:
    ///   - store: keeps the session across launches.
    ///   - language: the `Accept-Language` of each request, such as "ko".
    public init(baseURL: URL, store: any SessionStore, language: String? = nil) {
        self.init(
            transport: URLSessionTransport(baseURL: baseURL), store: store, language: language)
    }

    /// A client over any transport.
    public init(
        transport: any EndpointTransport, store: any SessionStore, language: String? = nil
    ) {
        var headers: [TransportHeader] = []
        if let language { headers.append(TransportHeader("Accept-Language", language)) }
        let client = EndpointClient(transport: transport, headers: headers)
        self.client = client
        keeper = SessionKeeper(store: store) { session in
            try await client.send(RefreshSession(refreshToken: session.refreshToken))
        }
    }

    /// The present session; `nil` when logged out.
    ///
    /// - Throws: what the session store throws.
    public var session: AuthSession? {
        get async throws { try await keeper.current() }
    }

    /// Creates an account and logs in.
    ///
    /// - Throws: as ``send(_:idempotencyKey:)``, with `email_taken` and `invalid_field`.
    @discardableResult
    public func signUp(email: String, password: String, nickname: String) async throws -> User {
        try await begin(SignUp(email: email, password: password, nickname: nickname))
    }

    /// Logs in, in place of whoever was.
    ///
    /// - Throws: as ``send(_:idempotencyKey:)``, with `wrong_credentials`.
    @discardableResult
    public func logIn(email: String, password: String) async throws -> User {
        try await begin(LogIn(email: email, password: password))
    }

    private func begin<E: Endpoint>(_ endpoint: E) async throws -> User
    where E.Response == AuthSession {
        let session = try await client.send(endpoint)
        try await keeper.replace(with: session)
        return session.user
    }

    /// Logs out. The session is forgotten here in any case, and ended at the server if that can be
    /// reached.
    ///
    /// - Throws: `TransportFailure` or `Problem` when the server could not be told, and what the
    ///   session store throws.
    public func logOut() async throws {
        let result: Result<NoContent, any Error>
        do {
            result = .success(try await send(LogOut()))
        } catch {
            result = .failure(error)
        }
        try await keeper.replace(with: nil)
        if case .failure(let problem as Problem) = result, problem.status == 401 { return }
        _ = try result.get()
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
        guard var session = try await keeper.current() else { throw Problem(.loggedOut) }
        do {
            do {
                return try await authorized(session).send(
                    endpoint, idempotencyKey: idempotencyKey)
            } catch let problem as Problem where problem.code == .accessTokenExpired {
                session = try await keeper.session(after: session.accessToken)
                return try await authorized(session).send(
                    endpoint, idempotencyKey: idempotencyKey)
            }
        } catch let problem as Problem where problem.code == .sessionEnded {
            try await keeper.forget(session)
            throw Problem(.loggedOut, log: problem.description)
        }
    }

    private func authorized(_ session: AuthSession) -> EndpointClient {
        var client = client
        client.token = { session.accessToken }
        return client
    }
}
