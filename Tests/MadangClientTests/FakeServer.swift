// A server in a box: one access token is good, others have expired, and refreshing can be held up
// until the test says so.

import Endpoints
import MadangClient

struct Greet: Endpoint {
    static let route = Route.get("/v1/greeting")
    static let access = Access.user
    typealias Response = Greeting

    var name: String
}

struct Greeting: Codable, Sendable, Hashable {
    var text: String
}

struct RenewTokens: Endpoint {
    static let route = Route.post("/v1/renewals")
    static let access = Access.public
    typealias Response = SavedSession

    var refreshToken: String
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
    private var goodToken = "access-1"
    private var goodRefreshToken = "refresh-1"
    private var renewal = Renewal.works
    private var refusalsToAwait = 0
    private var waiter: CheckedContinuation<Void, Never>?
    private var expiredStatus = 401
    private var onRenewal: (@Sendable () async throws -> Void)?

    /// Renewing answers only after so many requests were refused.
    func holdRenewal(untilRefused count: Int) { refusalsToAwait = count }
    func setRenewal(_ renewal: Renewal) { self.renewal = renewal }
    func setExpiredStatus(_ status: Int) { expiredStatus = status }
    func setOnRenewal(_ action: @escaping @Sendable () async throws -> Void) {
        onRenewal = action
    }

    func perform(_ request: TransportRequest) async throws -> TransportResponse {
        if request.target == "/v1/renewals" { return try await renew() }
        let token = request.headers.first { $0.name == "Authorization" }?.value
        guard token == "Bearer \(goodToken)" else {
            refusals += 1
            if refusals >= refusalsToAwait {
                waiter?.resume()
                waiter = nil
            }
            return problem(expiredStatus, "access_token_expired")
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
        case .isRefused: return problem(401, "unauthorized")
        case .works: break
        }
        goodToken = "access-\(renewals + 1)"
        goodRefreshToken = "refresh-\(renewals + 1)"
        return json(
            200, #"{"accessToken":"\#(goodToken)","refreshToken":"\#(goodRefreshToken)"}"#)
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

/// A client of the fake server with a session that has expired.
func expiredClient(_ server: FakeServer, _ store: any SessionStore) -> Madang {
    Madang(transport: server, store: store, language: nil) { session, client in
        try await client.send(RenewTokens(refreshToken: session.refreshToken))
    }
}

let expired = SavedSession(accessToken: "access-0", refreshToken: "refresh-0")
