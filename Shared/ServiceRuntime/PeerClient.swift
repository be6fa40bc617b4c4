// Calls from one service to another: the typed client with a service token, what is left of the caller's deadline, its
// trace and request id, few retries where they do no harm, and a circuit breaker.
package import Endpoints
import EventLoop
import Synchronization

/// Sends endpoints to one peer.
package struct PeerClient: Sendable {
    /// The peer's name, for logs.
    private let name: String
    private let transport: any EndpointTransport
    private let tokens: (any ServiceTokenSource)?
    private let health: PeerHealth

    /// Attempts of one call at most.
    private static let attempts = 3
    /// Nanoseconds before the first repetition, doubled at each.
    private static let pause: UInt64 = 40_000_000
    /// Nanoseconds kept back from the caller's deadline, to answer the caller.
    private static let reserve: UInt64 = 50_000_000

    /// - Parameter tokens: `nil` when the peer's endpoints need none.
    package init(
        _ name: String, transport: any EndpointTransport, tokens: (any ServiceTokenSource)? = nil
    ) {
        self.name = name
        self.transport = transport
        self.tokens = tokens
        health = PeerHealth()
    }

    /// The same peer, for endpoints that need a token.
    package func with(tokens: any ServiceTokenSource) -> PeerClient {
        PeerClient(name, transport, tokens, health)
    }

    private init(
        _ name: String, _ transport: any EndpointTransport, _ tokens: any ServiceTokenSource,
        _ health: PeerHealth
    ) {
        self.name = name
        self.transport = transport
        self.tokens = tokens
        self.health = health
    }

    /// Sends on behalf of a request, within its deadline and under its id and trace.
    ///
    /// - Parameters:
    ///   - timeout: nanoseconds this call may take, when that is less than what is left.
    ///   - idempotencyKey: makes a POST harmless to repeat.
    package func send<E: Endpoint>(
        _ endpoint: E, for context: Context, timeout: UInt64 = .max, idempotencyKey: String? = nil
    ) async throws(PeerFailure) -> E.Response {
        var headers = [TransportHeader("X-Request-Id", context.requestId)]
        if let trace = context.traceparent { headers.append(TransportHeader("traceparent", trace)) }
        let now = EventLoop.now
        let left =
            context.deadline > now &+ Self.reserve ? context.deadline - now - Self.reserve : 0
        return try await send(
            endpoint, deadline: now &+ min(left, timeout), idempotencyKey: idempotencyKey,
            headers: headers)
    }

    /// Sends on nobody's behalf.
    /// - Parameter deadline: monotonic nanoseconds.
    package func send<E: Endpoint>(
        _ endpoint: E, deadline: UInt64, idempotencyKey: String? = nil,
        headers: [TransportHeader] = []
    ) async throws(PeerFailure) -> E.Response {
        let mayRepeat = E.route.method.isIdempotent || idempotencyKey != nil
        var refused: String?
        var attempt = 1
        while true {
            guard health.mayCall() else {
                throw .unavailable("\(name) is held to be down", retryAfter: 1)
            }
            let outcome = await once(endpoint, deadline, idempotencyKey, headers, refused)
            health.record(outcome)
            switch outcome {
            case .answer(let response): return response
            case .tokenRefused(let token, let problem):
                guard refused == nil else { throw .refused(problem) }
                refused = token
                continue
            case .withoutToken(let failure), .failed(let failure): throw failure
            case .busy(let failure, let seconds):
                let wait = max(UInt64(seconds) * 1_000_000_000, Self.pause << UInt64(attempt - 1))
                let now = EventLoop.now
                guard mayRepeat, attempt < Self.attempts, now &+ wait < deadline else {
                    throw failure
                }
                do { try await Task.sleep(nanoseconds: wait) } catch { throw .cancelled }
            }
            attempt += 1
        }
    }

    private func once<E: Endpoint>(
        _ endpoint: E, _ deadline: UInt64, _ idempotencyKey: String?,
        _ headers: [TransportHeader], _ refused: String?
    ) async -> Outcome<E.Response> {
        var token: String?
        if E.access != .public, let tokens {
            do {
                token = try await tokens.token(instead: refused, deadline: deadline)
            } catch {
                return .withoutToken(error)
            }
        }
        let now = EventLoop.now
        guard now < deadline else { return .failed(.timedOut("no time left to call \(name)")) }
        let milliseconds = (deadline - now) / 1_000_000
        var headers = headers
        headers.append(TransportHeader("Madang-Deadline-Milliseconds", "\(milliseconds)"))
        let client = EndpointClient(
            transport: transport, headers: headers, deadlineSeconds: Double(deadline - now) / 1e9,
            token: { [token] in token })
        do {
            return .answer(try await client.send(endpoint, idempotencyKey: idempotencyKey))
        } catch {
            return outcome(error, E.name, token)
        }
    }

    private func outcome<Response>(
        _ error: any Error, _ endpoint: String, _ token: String?
    ) -> Outcome<Response> {
        switch error {
        case let problem as Problem:
            switch problem.code {
            case .unavailable, .rateLimited:
                let seconds = problem.retryAfter ?? 0
                let reason = "\(name) answered \(problem.code) to \(endpoint)"
                return .busy(.unavailable(reason, retryAfter: max(1, seconds)), seconds: seconds)
            case .timedOut: return .failed(.timedOut("\(name) answered \(problem) to \(endpoint)"))
            case .accessTokenExpired, .accessTokenInvalid:
                guard let token else { return .failed(.refused(problem)) }
                return .tokenRefused(token, problem)
            default: return .failed(.refused(problem))
            }
        case let failure as TransportFailure:
            let reason = "\(endpoint) to \(name): \(failure)"
            switch failure.kind {
            case .unreachable: return .failed(.unavailable(reason, retryAfter: 1))
            case .interrupted: return .busy(.unavailable(reason, retryAfter: 1), seconds: 0)
            case .timedOut: return .failed(.timedOut(reason))
            case .cancelled: return .failed(.cancelled)
            case .invalidResponse: return .failed(.invalid(reason))
            }
        default: return .failed(.invalid("\(endpoint) to \(name): \(error)"))
        }
    }
}

/// How one attempt ended.
private enum Outcome<Response> {
    case answer(Response)
    /// The peer does not take the token any more; a new one may do.
    case tokenRefused(String, Problem)
    /// Worth another attempt after so many seconds, if the request may be repeated.
    case busy(PeerFailure, seconds: Int)
    /// The peer was not called.
    case withoutToken(PeerFailure)
    case failed(PeerFailure)
}

/// A peer's circuit breaker, shared by its clients.
private final class PeerHealth: Sendable {
    private let breaker = Mutex(CircuitBreaker())

    func mayCall() -> Bool { breaker.withLock { $0.mayCall(at: EventLoop.now) } }

    func record<Response>(_ outcome: Outcome<Response>) {
        breaker.withLock { breaker in
            switch outcome {
            case .answer, .tokenRefused, .failed(.refused), .failed(.invalid): breaker.succeeded()
            case .withoutToken, .failed(.cancelled): break
            case .busy, .failed(.unavailable), .failed(.timedOut):
                breaker.failed(at: EventLoop.now)
            }
        }
    }
}
