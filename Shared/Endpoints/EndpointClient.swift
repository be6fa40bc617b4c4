// The typed client: an endpoint goes in, its response comes out, and a problem is thrown as the
// same value the server answered with. Apps use it through MadangClient, services for their peers.

import JSON

/// Sends endpoints over a transport. A value: change a copy to add headers for one call.
public struct EndpointClient: Sendable {
    /// Gives the bearer token for endpoints that need one; `nil` sends none.
    public typealias TokenProvider = @Sendable () async throws -> String?

    /// Carries the requests.
    public var transport: any EndpointTransport
    /// Gives the token of each request that is not public.
    public var token: TokenProvider
    /// Sent with every request, beside those the client sets itself.
    public var headers: [TransportHeader]
    /// Seconds one exchange may take.
    public var deadlineSeconds: Double
    private let coding: RequestCoding

    /// A client; the deadline defaults to 10 seconds.
    public init(
        transport: any EndpointTransport, coding: RequestCoding = RequestCoding(),
        headers: [TransportHeader] = [], deadlineSeconds: Double = 10,
        token: @escaping TokenProvider = { nil }
    ) {
        self.transport = transport
        self.coding = coding
        self.headers = headers
        self.deadlineSeconds = deadlineSeconds
        self.token = token
    }

    /// Sends a request and decodes its response.
    ///
    /// - Parameter idempotencyKey: for a POST, makes repeating the call harmless for 24 hours.
    /// - Throws: ``Problem`` as the server answered it, ``TransportFailure`` when no answer of the
    ///   endpoint's came, `EncodingError` or `JSONFailure` when the request cannot be expressed,
    ///   and whatever the token provider throws.
    public func send<E: Endpoint>(
        _ endpoint: E, idempotencyKey: String? = nil
    ) async throws -> E.Response {
        let encoded = try coding.encode(endpoint)
        var request = TransportRequest(
            method: encoded.method, target: encoded.target, headers: headers, body: encoded.body,
            deadlineSeconds: deadlineSeconds)
        request.headers.append(TransportHeader("Accept", "application/json"))
        if encoded.body != nil {
            request.headers.append(TransportHeader("Content-Type", "application/json"))
        }
        if let idempotencyKey {
            request.headers.append(TransportHeader("Idempotency-Key", idempotencyKey))
        }
        if E.access != .public, let token = try await token() {
            request.headers.append(TransportHeader("Authorization", "Bearer \(token)"))
        }
        return try decode(E.self, try await transport.perform(request))
    }

    private func decode<E: Endpoint>(
        _: E.Type, _ response: TransportResponse
    ) throws -> E.Response {
        guard response.status == E.status else { throw failure(E.self, response) }
        if let empty = NoContent() as? E.Response { return empty }
        do {
            return try coding.json.decode(E.Response.self, from: response.body)
        } catch {
            throw TransportFailure(.invalidResponse, "\(E.name): \(error)")
        }
    }

    /// The problem in a response, or one made from its status when something between client and
    /// service answered in its place.
    private func failure<E: Endpoint>(
        _: E.Type, _ response: TransportResponse
    ) -> any Error {
        let retryAfter = response.header("Retry-After").flatMap { Int($0) }
        let mediaType = response.header("Content-Type") ?? ""
        if mediaType.hasPrefix(Problem.mediaType) {
            if var problem = try? coding.json.decode(Problem.self, from: response.body) {
                problem.retryAfter = problem.retryAfter ?? retryAfter
                return problem
            }
        }
        let code: Problem.Code
        switch response.status {
        case 419: code = .accessTokenExpired
        case 413: code = .payloadTooLarge
        case 429: code = .rateLimited
        case 502, 503: code = .unavailable
        case 504: code = .timedOut
        default:
            return TransportFailure(
                .invalidResponse, "\(E.name): status \(response.status) without a problem")
        }
        return Problem(code, retryAfter: retryAfter, log: "status \(response.status)")
    }
}
