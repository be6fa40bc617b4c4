// A server in a box: one access token is good, others have expired, and refreshing can be held up
// until the test says so.

import AuthAPI
import Endpoints
import MadangClient
import Vocabulary

struct Greet: Endpoint {
    static let route = Route.get("/v1/greeting")
    static let access = Access.user
    typealias Response = Greeting

    var name: String
}

struct Greeting: Codable, Sendable, Hashable {
    var text: String
}

actor FakeServer: EndpointTransport {
    enum Renewal {
        case works
        case isRefused
        case isUnreachable
    }

    private(set) var refusals = 0
    private(set) var renewals = 0
    private(set) var greetings = 0
    private(set) var logOuts = 0
    private var acceptedToken: String?
    private var hasEnded = false
    private var goodToken = "access-1"
    private var goodRefreshToken = "refresh-1"
    private var renewal = Renewal.works
    private var refusalsToAwait = 0
    private var waiter: CheckedContinuation<Void, Never>?
    private var expiredStatus = 401
    private var onRenewal: (@Sendable () async throws -> Void)?

    /// Renewing answers only after so many requests were refused.
    func holdRenewal(untilRefused count: Int) { refusalsToAwait = count }
    /// Makes this access token good, whatever is renewed later.
    func accept(_ token: String) { acceptedToken = token }
    func endSession() { hasEnded = true }
    func setRenewal(_ renewal: Renewal) { self.renewal = renewal }
    func setExpiredStatus(_ status: Int) { expiredStatus = status }
    func setOnRenewal(_ action: @escaping @Sendable () async throws -> Void) {
        onRenewal = action
    }

    func perform(_ request: TransportRequest) async throws -> TransportResponse {
        switch request.target {
        case "/v1/auth/tokens": return try await renew()
        case "/v1/auth/sessions": return json(201, session("access-9", "refresh-9"))
        default: break
        }
        let token = request.headers.first { $0.name == "Authorization" }?.value
        guard token == "Bearer \(acceptedToken ?? goodToken)" else {
            refusals += 1
            if refusals >= refusalsToAwait {
                waiter?.resume()
                waiter = nil
            }
            return problem(expiredStatus, "access_token_expired")
        }
        if hasEnded { return problem(401, "session_ended") }
        if request.method == .delete {
            logOuts += 1
            return TransportResponse(status: 204)
        }
        greetings += 1
        return json(200, #"{"text":"\#(request.target)"}"#)
    }

    private func renew() async throws -> TransportResponse {
        renewals += 1
        if refusals < refusalsToAwait {
            await withCheckedContinuation { waiter = $0 }
        }
        try await onRenewal?()
        switch renewal {
        case .isUnreachable: throw TransportFailure(.unreachable, "no network")
        case .isRefused: return problem(401, "session_ended")
        case .works: break
        }
        goodToken = "access-\(renewals + 1)"
        goodRefreshToken = "refresh-\(renewals + 1)"
        return json(200, session(goodToken, goodRefreshToken))
    }

    private func json(_ status: Int, _ body: String) -> TransportResponse {
        TransportResponse(
            status: status, headers: [TransportHeader("Content-Type", "application/json")],
            body: Array(body.utf8))
    }

    private func problem(_ status: Int, _ code: String) -> TransportResponse {
        TransportResponse(
            status: status, headers: [TransportHeader("Content-Type", Problem.mediaType)],
            body: Array(#"{"code":"\#(code)","status":\#(status),"title":"x"}"#.utf8))
    }
}

/// The JSON of a session.
private func session(_ accessToken: String, _ refreshToken: String) -> String {
    #"{"accessToken":"\#(accessToken)","refreshToken":"\#(refreshToken)","#
        + #""expiresAt":"2026-12-01T00:00:00Z","user":{"id":1,"nickname":"마당"}}"#
}

/// A session with these tokens.
func makeSession(_ accessToken: String, _ refreshToken: String) -> AuthSession {
    AuthSession(
        accessToken: accessToken, refreshToken: refreshToken,
        expiresAt: Instant(microseconds: 1_796_083_200_000_000),
        user: User(id: UserID(trusted: 1), nickname: "마당", email: nil, photo: nil))
}

/// A client of the fake server.
func makeClient(_ server: FakeServer, _ store: any SessionStore) -> Madang {
    Madang(transport: server, store: store)
}

let expired = makeSession("access-0", "refresh-0")
