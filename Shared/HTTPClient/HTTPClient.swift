// What every HTTP client here takes, gives and throws, so that callers do not know whether a peer is
// reached over the loop's own connections or through libcurl.
package import HTTP

/// Sends requests. Redirects are never followed and no status is an error.
package protocol HTTPClient: Sendable {
    /// Sends a request and waits for the whole response. Callable from any task.
    ///
    /// - Throws: `HTTPClientError` when no whole response came before the deadline.
    func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientResponse
}

/// A request. `Host`, `Content-Length` and `Connection` are written by the client.
package struct HTTPClientRequest: Sendable {
    package var method: HTTPMethod
    package var url: HTTPURL
    /// Further fields in order.
    package var fields: [(name: String, value: String)]
    /// The content; `nil` for none.
    package var body: [UInt8]?
    /// Monotonic nanoseconds (`EventLoop.now`) by which the whole response must be here, waiting
    /// for a connection included.
    package var deadline: UInt64
    /// Bytes of the response's content; more is `bodyTooLarge`.
    package var maximumBody: Int
    package var replay: Replay

    /// Whether a request may be sent again when a kept connection closes before any response.
    package enum Replay: Sendable {
        /// GET, HEAD, OPTIONS, PUT and DELETE, which RFC 9110 (9.2.2) defines as idempotent.
        case byMethod
        /// The caller vouches that sending twice is the same as once.
        case allowed
        case never
    }

    /// - Parameter maximumBody: 1 MB unless given.
    package init(
        _ method: HTTPMethod, _ url: HTTPURL, fields: [(name: String, value: String)] = [],
        body: [UInt8]? = nil, deadline: UInt64, maximumBody: Int = 1_048_576,
        replay: Replay = .byMethod
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.deadline = deadline
        self.maximumBody = maximumBody
        self.replay = replay
    }

    /// Whether sending it twice does no harm.
    package var mayBeReplayed: Bool {
        switch replay {
        case .allowed: return true
        case .never: return false
        case .byMethod:
            switch method {
            case .get, .head, .options, .put, .delete: return true
            case .post, .patch, .other: return false
            }
        }
    }
}

/// A response that arrived whole.
package struct HTTPClientResponse: Sendable {
    private let head: HTTPResponseHead
    /// The content without its transfer coding; empty when there is none.
    package let body: [UInt8]

    package init(_ head: HTTPResponseHead, body: [UInt8]) {
        self.head = head
        self.body = body
    }

    package var status: Int { head.status }

    /// The value of the first field of that name, given in lower case; `nil` when absent.
    package func field(_ name: StaticString) -> String? { head.text(name) }

    /// Every field in the order received.
    package var fields: [(name: String, value: String)] { head.fields }
}

/// Why there is no response.
package enum HTTPClientError: Error, Hashable, Sendable {
    /// The request cannot be sent as it is: a programming error or an address from outside.
    case invalidRequest(String)
    /// No connection came about: name, network or TLS. The peer has seen nothing.
    case connect(String)
    /// The deadline passed; the peer may have acted.
    case timedOut
    /// The connection ended before the whole response.
    case connectionClosed(mayHaveBeenProcessed: Bool)
    /// The peer's bytes are not a proper response.
    case badResponse(String)
    /// The content is longer than the request allows.
    case bodyTooLarge
    /// Too many requests already wait for a connection to this peer; nothing was sent.
    case tooManyWaiting
    /// The task was cancelled; the peer may have acted.
    case cancelled
}
