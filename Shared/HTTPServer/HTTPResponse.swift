// What a handler answers.
package import EventLoop
package import HTTP

/// A response before it is put on a connection. `Date`, framing and `Connection` are added by the server.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var contentType: StaticString?
    /// Further fields. Names and values are trusted: they come from code or were checked with `isFieldText`.
    package var fields: [Field] = []
    package var body: Body
    /// Sent as `X-Request-Id` when not empty; apart from `fields` so that a plain answer needs no list of its own.
    package var requestId = ""
    /// Ends the connection after this response even if the client would keep it.
    package var closes = false

    /// A name and a value.
    package struct Field: Sendable {
        package var name: StaticString
        package var value: String

        package init(_ name: StaticString, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package enum Body: Sendable {
        case bytes([UInt8])
        /// Written piece by piece in the chunked coding while `produce` runs. An error thrown cuts the connection, so that
        /// the client sees an incomplete body and not a short one.
        case stream(produce: @Sendable (BodyWriter) async throws -> Void)
        /// Status 101: after the head the connection belongs to the handler that the closure returns. The server's
        /// limits and its stop no longer touch it; whoever takes it ends it.
        case upgrade(@Sendable (TCPStream) -> StreamHandler)
    }

    package init(
        _ status: Int, contentType: StaticString? = nil, fields: [Field] = [], body: [UInt8] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.fields = fields
        self.body = .bytes(body)
    }

    package init(_ status: Int, fields: [Field], body: Body) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// Whether a text may stand in a field value: no control characters, so nobody can end the line early.
package func isFieldText(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
}

/// What a server does with requests. One instance may serve all loops.
package protocol HTTPHandler: Sendable {
    /// The most bytes of body accepted for a request, asked when its head has arrived.
    func bodyLimit(for request: HTTPRequest) -> Int

    /// Answers a request, on its connection's loop.
    func respond(to request: HTTPRequest) async -> HTTPResponse

    /// Turns a refusal of the parser or of a deadline into a response.
    func respond(to refusal: Refusal) -> HTTPResponse
}
