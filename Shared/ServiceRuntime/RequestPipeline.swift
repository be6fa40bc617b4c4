// What happens to every request around its handler: find the route, know the caller, keep budgets, answer, count.
package import Endpoints
import EventLoop
package import HTTP
package import HTTPServer
import JSON
package import Synchronization

/// How a service treats all of its requests.
package struct PipelineConfiguration: Sendable {
    /// The most bytes of a request body.
    package var bodyLimit = 1_048_576
    /// Nanoseconds a request may take, unless its caller grants less.
    package var deadline: UInt64 = 10_000_000_000
    /// Budget of endpoints that name none; `nil` for none.
    package var rateLimit: RateLimit?
    /// Peers that may name the client's address in `X-Forwarded-For`.
    package var trustedProxies = TrustedProxies.loopback

    package init() {}
}

/// Answers the requests of a service. Shared by its loops; what it counts is kept per loop.
package final class RequestPipeline: HTTPHandler, @unchecked Sendable {
    let router: Router
    private let configuration: PipelineConfiguration
    private let authenticator: (any Authenticator)?
    private let idempotency: (any IdempotencyStore)?
    private let limiter = RateLimiter()
    private let log: Log
    /// Indexed by loop, then by endpoint; each loop touches its own row only.
    private let counts: UnsafeMutablePointer<[EndpointCounts]>
    private let ids: UnsafeMutablePointer<RequestIds>
    private let loops: Int
    /// Problems answered that their endpoint does not declare; a fault that tests look for.
    package let undeclared = Mutex<[String]>([])

    /// - Parameters:
    ///   - seed: makes request ids of different processes differ.
    ///   - authenticator: needed when an endpoint is not public.
    package init(
        router: Router, configuration: PipelineConfiguration = PipelineConfiguration(),
        authenticator: (any Authenticator)? = nil, idempotency: (any IdempotencyStore)? = nil,
        log: Log, loops: Int, seed: UInt64
    ) {
        self.router = router
        self.configuration = configuration
        self.authenticator = authenticator
        self.idempotency = idempotency
        self.log = log
        self.loops = loops
        // One row more than routes: what matched none.
        let row = [EndpointCounts](repeating: EndpointCounts(), count: router.entries.count + 1)
        counts = .allocate(capacity: loops)
        counts.initialize(repeating: row, count: loops)
        ids = .allocate(capacity: loops)
        for loop in 0..<loops {
            let loopSeed = seed &+ UInt64(loop) &* 0xD1B5_4A32_D192_ED03
            (ids + loop).initialize(to: RequestIds(seed: loopSeed))
        }
    }

    deinit {
        counts.deinitialize(count: loops)
        counts.deallocate()
        ids.deinitialize(count: loops)
        ids.deallocate()
    }

    package func bodyLimit(for request: HTTPRequest) -> Int { configuration.bodyLimit }

    package func respond(to refusal: Refusal) -> HTTPResponse {
        let code =
            switch refusal.status {
            case 413: Problem.Code.payloadTooLarge
            case 408: Problem.Code("request_timeout", status: 408, title: "Request timeout")
            case 431:
                Problem.Code("header_too_large", status: 431, title: "The head is too large")
            case 400: Problem.Code.badRequest
            default: Problem.Code("bad_request", status: refusal.status, title: "Bad request")
            }
        let loop = EventLoop.current?.index ?? 0
        let requestId = ids[loop].next()
        counts[loop][router.entries.count].record(status: code.status, nanoseconds: 0)
        var response = answer(Problem(code, refusal.detail), requestId)
        response.requestId = requestId
        return response
    }

    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        let loop = EventLoop.current?.index ?? 0
        let began = EventLoop.now
        let requestId =
            request.field("x-request-id").flatMap(RequestIds.accept) ?? ids[loop].next()
        var response: HTTPResponse
        let position: Int
        switch router.tree.match(request.method, request.path) {
        case .found(let entry, let parameters):
            position = entry.index
            response = await respond(
                entry, RouteMatch(request: request, parameters: parameters), requestId, began)
        case .wrongMethod(let allowed):
            position = router.entries.count
            response = answer(Problem(.methodNotAllowed), requestId)
            response.fields.append(HTTPResponse.Field("Allow", Self.allow(allowed)))
        case .nothing:
            position = router.entries.count
            response = answer(Problem(.notFound, "There is nothing at this path."), requestId)
        }
        response.requestId = requestId
        let elapsed = EventLoop.now &- began
        counts[loop][position].record(status: response.status, nanoseconds: elapsed)
        return response
    }

    // MARK: One endpoint

    private func respond(
        _ entry: RouteEntry, _ match: RouteMatch, _ requestId: String, _ began: UInt64
    ) async -> HTTPResponse {
        let request = match.request
        do {
            try checkContentType(entry, request)
            let caller = try await caller(entry, request)
            let address = clientAddress(request)
            try checkBudget(entry, caller, address, began)
            let context = Context(
                caller: caller, deadline: deadline(request, began), requestId: requestId,
                request: request, serviceLog: log, address: address)
            if entry.route.method == .post, let store = idempotency,
                let key = request.field("idempotency-key")
            {
                return finish(
                    entry, request,
                    try await Self.replayed(store, key, entry, match, context))
            }
            return finish(entry, request, try await entry.respond(match, context))
        } catch {
            return failed(error, entry, request, requestId)
        }
    }

    private func checkContentType(_ entry: RouteEntry, _ request: HTTPRequest) throws(Problem) {
        guard entry.isEndpoint, entry.route.method.hasBody, !request.body.isEmpty else { return }
        guard let type = request.field("content-type") else {
            throw Problem(.unsupportedMediaType, "Content-Type must be application/json.")
        }
        var end = 0
        while end < type.count && type[end] != 0x3B { end += 1 }
        guard type.slice(0, end).trimmed.equalsLowercased("application/json") else {
            throw Problem(.unsupportedMediaType, "Content-Type must be application/json.")
        }
    }

    private func caller(
        _ entry: RouteEntry, _ request: HTTPRequest
    ) async throws(Problem) -> Caller {
        if entry.access == .public { return .anonymous }
        guard let authenticator else {
            throw Problem(.unavailable, log: "no authenticator for \(entry.name)")
        }
        guard let field = request.field("authorization") else {
            throw Problem(.accessTokenMissing)
        }
        guard field.count > 7, field.slice(0, 7).equalsLowercased("bearer ") else {
            throw Problem(.accessTokenInvalid, "Authorization must be a bearer token.")
        }
        let token = field.slice(7, field.count).trimmed
        let caller: Caller
        if let known = authenticator.known(token) {
            caller = known
        } else {
            caller = try await authenticator.verify(Array(token))
        }
        switch (entry.access, caller) {
        case (.user, .user), (.service, .service): return caller
        case (.admin, .user(let user)) where user.isAdmin: return caller
        case (.user, .service): throw Problem(.accessTokenInvalid, "A user's token is needed.")
        default: throw Problem(.forbidden)
        }
    }

    private func clientAddress(_ request: HTTPRequest) -> String {
        guard let forwarded = request.field("x-forwarded-for"),
            configuration.trustedProxies.contains(request.peerAddress)
        else { return request.peerAddress }
        // The last entry is what the trusted proxy saw; earlier ones are the client's own claim.
        var start = forwarded.count
        while start > 0 && forwarded[start - 1] != 0x2C { start -= 1 }
        let last = forwarded.slice(start, forwarded.count).trimmed
        return (1...64).contains(last.count) ? last.text : request.peerAddress
    }

    private func checkBudget(
        _ entry: RouteEntry, _ caller: Caller, _ address: String, _ now: UInt64
    ) throws(Problem) {
        guard let limit = entry.rateLimit ?? configuration.rateLimit, entry.isEndpoint else {
            return
        }
        var holder = BudgetHolder.address(address)
        if limit.scope == .user, case .user(let user) = caller { holder = .user(user.id) }
        if let seconds = limiter.spend(limit, of: holder, now: now) {
            throw Problem(.rateLimited, retryAfter: seconds)
        }
    }

    /// A caller with a deadline of its own passes what is left of it.
    private func deadline(_ request: HTTPRequest, _ began: UInt64) -> UInt64 {
        var allowance = configuration.deadline
        if let field = request.field("madang-deadline-milliseconds"), let left = field.decimal {
            allowance = min(allowance, UInt64(min(left, 600_000)) * 1_000_000)
        }
        return began &+ allowance
    }

    // MARK: Answers

    private func finish(
        _ entry: RouteEntry, _ request: HTTPRequest, _ response: HTTPResponse
    ) -> HTTPResponse {
        var response = response
        if response.fields.isEmpty {
            response.fields = entry.fields
        } else {
            response.fields.append(contentsOf: entry.fields)
        }
        if entry.caching != .none, response.status == 200, case .bytes(let body) = response.body {
            let tag = entityTag(body)
            response.fields.append(HTTPResponse.Field("ETag", tag))
            if let wanted = request.text("if-none-match"), matches(wanted, tag) {
                return HTTPResponse(304, fields: response.fields)
            }
        }
        return response
    }

    private func failed(
        _ error: any Error, _ entry: RouteEntry, _ request: HTTPRequest, _ requestId: String
    ) -> HTTPResponse {
        let problem = Problem(translating: error)
        if problem.status >= 500 || problem.log != nil {
            log.with(requestId: requestId).line(
                problem.status >= 500 ? .error : .notice, problem.log ?? problem.detail,
                [("endpoint", .string(entry.name)), ("code", .string(problem.code.rawValue))])
        }
        if entry.isEndpoint && !Problem.isAlwaysPossible(problem.code)
            && !entry.problems.contains(problem.code.rawValue)
        {
            undeclared.withLock { $0.append("\(entry.name): \(problem.code.rawValue)") }
            log.error(
                "an endpoint answered a problem that it does not declare",
                [("endpoint", .string(entry.name)), ("code", .string(problem.code.rawValue))])
        }
        var response = answer(problem, requestId)
        if problem.code == .accessTokenExpired,
            request.field("madang-expired-status")?.equals("419") == true
        {
            response.status = 419
        }
        return response
    }

    private func answer(_ problem: Problem, _ requestId: String) -> HTTPResponse {
        var problem = problem
        problem.requestId = requestId
        if problem.status == 503 && problem.retryAfter == nil { problem.retryAfter = 1 }
        let body = (try? JSONCoder.standard.encode(problem)) ?? Array("{}".utf8)
        var response = HTTPResponse(
            problem.status, contentType: "application/problem+json",
            fields: [HTTPResponse.Field("Cache-Control", "no-store")], body: body)
        if let seconds = problem.retryAfter {
            response.fields.append(HTTPResponse.Field("Retry-After", "\(seconds)"))
        }
        if problem.code == .upgradeRequired {
            response.fields.append(HTTPResponse.Field("Upgrade", "websocket"))
            response.fields.append(HTTPResponse.Field("Sec-WebSocket-Version", "13"))
        }
        if problem.status == 401 {
            let error = problem.code == .accessTokenMissing ? "" : " error=\"invalid_token\""
            response.fields.append(HTTPResponse.Field("WWW-Authenticate", "Bearer" + error))
        }
        return response
    }

    private static func allow(_ methods: [Route.Method]) -> String {
        var words = methods.map(\.rawValue)
        if methods.contains(.get) && !methods.contains(.head) { words.append("HEAD") }
        return words.sorted().joined(separator: ", ")
    }

    /// What a loop counted. On that loop's thread only.
    func counts(on loop: EventLoop) -> [EndpointCounts] { counts[loop.index] }
}
