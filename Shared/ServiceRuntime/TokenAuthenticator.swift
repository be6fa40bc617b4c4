// Verifies access tokens with the keys auth publishes; no call to auth per request.
import AuthAPI
package import Endpoints
import EventLoop
import JSON
package import Security
import Synchronization
package import Vocabulary

/// Issuer and audiences of Madang's tokens.
package enum TokenNames {
    package static let issuer = "madang"
    /// Of a user's access token.
    package static let users = "madang"
    /// Of a token one service shows another.
    package static let services = "internal"
}

/// Where verification keys come from.
package protocol KeySource: Sendable {
    /// Keys known now. Fetches at first, and again when `unknown` is not among them, at a bounded rate.
    /// - Throws: `unavailable` when there are none and none can be fetched.
    func keys(including unknown: String?) async throws(Problem) -> VerificationKeys
}

/// Verifies tokens and remembers each until it expires, per loop.
package final class TokenAuthenticator: Authenticator, @unchecked Sendable {
    private let source: any KeySource
    private let clock: WallClock
    private let caches: UnsafeMutablePointer<TokenCache<Caller>>
    private let loops: Int

    package init(keys: any KeySource, loops: Int, clock: WallClock) {
        source = keys
        self.clock = clock
        self.loops = loops
        caches = .allocate(capacity: loops)
        for loop in 0..<loops { (caches + loop).initialize(to: TokenCache()) }
    }

    deinit {
        caches.deinitialize(count: loops)
        caches.deallocate()
    }

    package func known(_ token: UnsafeRawBufferPointer) -> Caller? {
        guard let loop = EventLoop.current else { return nil }
        return caches[loop.index].value(for: token, now: clock.now().secondsSince1970)
    }

    package func verify(_ token: [UInt8]) async throws(Problem) -> Caller {
        var keys = try await source.keys(including: nil)
        let claims: TokenClaims
        do throws(TokenFault) {
            claims = try claimsOf(token, keys)
        } catch {
            guard case .unknownKey(let id) = error else { throw Self.problem(error) }
            keys = try await source.keys(including: id)
            do throws(TokenFault) {
                claims = try claimsOf(token, keys)
            } catch {
                throw Self.problem(error)
            }
        }
        let caller = try Self.caller(claims)
        if let loop = EventLoop.current {
            caches[loop.index].insert(caller, for: token, expiresAt: claims.exp)
        }
        return caller
    }

    private func claimsOf(
        _ token: [UInt8], _ keys: VerificationKeys
    ) throws(TokenFault) -> TokenClaims {
        do throws(TokenFault) {
            return try JWT.verify(
                token, keys: keys, issuer: TokenNames.issuer, audience: TokenNames.users,
                now: clock.now())
        } catch {
            guard error == .wrongAudience else { throw error }
            return try JWT.verify(
                token, keys: keys, issuer: TokenNames.issuer, audience: TokenNames.services,
                now: clock.now())
        }
    }

    private static func caller(_ claims: TokenClaims) throws(Problem) -> Caller {
        if claims.aud == TokenNames.services { return .service(claims.sub) }
        guard let user = UserID(claims.sub), let session = claims.sid else {
            throw Problem(.accessTokenInvalid, log: "a token without user or session")
        }
        return .user(
            UserCaller(id: user.rawValue, session: session, isAdmin: claims.role == "admin"))
    }

    private static func problem(_ fault: TokenFault) -> Problem {
        switch fault {
        case .expired: Problem(.accessTokenExpired)
        default: Problem(.accessTokenInvalid)
        }
    }
}

/// Keys fetched from auth's JWKS, kept while they serve.
package final class PublishedKeys: KeySource {
    private let auth: any EndpointTransport
    private let log: Log
    private let state = Mutex(Cached())

    /// A fetched set is used this long before it is looked up again, in nanoseconds.
    private static let lifetime: UInt64 = 300_000_000_000
    /// Least time between two fetches for keys that nobody knows: a forged `kid` must not become load on auth.
    private static let pause: UInt64 = 5_000_000_000
    private static let timeoutSeconds: Double = 2

    private struct Cached {
        var keys = VerificationKeys()
        var fetchedAt: UInt64?
        var triedAt: UInt64?
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isFetching = false
    }

    /// - Parameter auth: carries requests to the auth service.
    package init(auth: any EndpointTransport, log: Log) {
        self.auth = auth
        self.log = log
    }

    package func keys(including unknown: String?) async throws(Problem) -> VerificationKeys {
        let now = EventLoop.now
        let (cached, isFresh) = state.withLock { state in
            let age = state.fetchedAt.map { now &- $0 } ?? .max
            let known = unknown.map { state.keys[$0] != nil } ?? true
            let mayTry = state.triedAt.map { now &- $0 >= Self.pause } ?? true
            let isFresh = (age < Self.lifetime && known) || !mayTry && !state.isFetching
            return (state.keys, isFresh)
        }
        if !isFresh { await fetchOnce() }
        let keys = isFresh ? cached : state.withLock(\.keys)
        if keys.isEmpty {
            throw Problem(.unavailable, "Tokens can't be verified now; try again.", retryAfter: 1)
        }
        return keys
    }

    /// Fetches, or waits for the fetch that is under way.
    private func fetchOnce() async {
        let isFirst = state.withLock { state in
            if state.isFetching { return false }
            state.isFetching = true
            state.triedAt = EventLoop.now
            return true
        }
        if isFirst {
            await fetch()
            let waiting = state.withLock { state in
                state.isFetching = false
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        } else {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isFetching { state.waiting.append(continuation) }
                    return !state.isFetching
                }
                if isOver { continuation.resume() }
            }
        }
    }

    private func fetch() async {
        do {
            let request = try RequestCoding().encode(GetKeys())
            let response = try await auth.perform(
                TransportRequest(
                    method: request.method, target: request.target,
                    deadlineSeconds: Self.timeoutSeconds))
            guard response.status == 200 else {
                log.warning("auth's keys: status \(response.status)")
                return
            }
            // Not as a KeySet: a kind of key that is new there must not make the others unreadable.
            let set = try JSONCoder.standard.decode(JWKSet.self, from: response.body)
            state.withLock { state in
                state.keys = VerificationKeys(set)
                state.fetchedAt = EventLoop.now
            }
        } catch {
            log.warning("auth's keys can't be fetched: \(error)")
        }
    }
}
