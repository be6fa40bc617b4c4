// What the typed client needs from HTTP, so that an app can bring URLSession, a service its loop's
// own connections and a test a closure.

/// Carries one HTTP request and brings its response.
public protocol EndpointTransport: Sendable {
    /// Performs the request. Any response counts as success, whatever its status.
    ///
    /// - Throws: ``TransportFailure`` when no whole response came.
    func perform(_ request: TransportRequest) async throws -> TransportResponse
}

/// One header line of a request or response.
public struct TransportHeader: Sendable, Hashable {
    /// The name; compared without regard to case.
    public let name: String
    /// The value, without surrounding spaces.
    public let value: String

    /// A header line.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// An HTTP request for a transport to send.
public struct TransportRequest: Sendable {
    /// The method.
    public var method: Route.Method
    /// Path and query, percent-encoded, starting with a slash. The transport knows the origin.
    public var target: String
    /// The headers, without those that frame the message.
    public var headers: [TransportHeader]
    /// The body; `nil` for none.
    public var body: [UInt8]?
    /// Seconds the whole exchange may take.
    public var deadlineSeconds: Double

    /// A request.
    public init(
        method: Route.Method, target: String, headers: [TransportHeader] = [],
        body: [UInt8]? = nil, deadlineSeconds: Double
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.deadlineSeconds = deadlineSeconds
    }
}

/// An HTTP response a transport received whole.
public struct TransportResponse: Sendable {
    /// The status.
    public var status: Int
    /// The headers, in the order received.
    public var headers: [TransportHeader]
    /// The body, decoded from any transfer coding; empty for none.
    public var body: [UInt8]

    /// A response.
    public init(status: Int, headers: [TransportHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of the first header of this name, in any case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Why there is no answer to a request.
public struct TransportFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds that call for different reactions.
    public enum Kind: String, Sendable, Hashable {
        /// No connection came about; the server has seen nothing.
        case unreachable
        /// The connection broke; the server may have acted.
        case interrupted
        /// The deadline passed; the server may have acted.
        case timedOut
        /// The caller gave up.
        case cancelled
        /// An answer came that is not one of the endpoint's.
        case invalidResponse
    }

    /// What kind of failure.
    public let kind: Kind
    /// What happened, for a log.
    public let detail: String

    /// A failure.
    public init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// Kind and detail.
    public var description: String { "\(kind.rawValue): \(detail)" }
}
