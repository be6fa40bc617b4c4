// A request as the server hands it to its handler: head, decoded body, and who sent it.

/// A received request. Immutable once it reaches a handler.
package final class HTTPRequest: MessageHead, @unchecked Sendable {
    package let method: HTTPMethod
    /// 1 for HTTP/1.1, 0 for HTTP/1.0.
    package let minorVersion: Int
    private let pathStart: Int
    private let pathEnd: Int
    private let queryEnd: Int
    /// How the body is delimited.
    package let framing: BodyFraming
    /// Whether the client keeps the connection open after this exchange.
    package let keepsAlive: Bool
    /// Whether the client waits for `100 Continue` before it sends the body.
    package let expectsContinue: Bool
    /// The body without its transfer coding; empty when there is none.
    package var body: [UInt8] = []
    /// Address of the peer as text, without port: the edge's when one stands before the service.
    package var peerAddress = ""

    init(
        head: UnsafeRawBufferPointer, fields: UnsafeBufferPointer<FieldRange>, line: RequestLine,
        framing: BodyFraming, keepsAlive: Bool, expectsContinue: Bool
    ) {
        method = line.method
        minorVersion = line.minorVersion
        pathStart = line.pathStart
        pathEnd = line.pathEnd
        queryEnd = line.queryEnd
        self.framing = framing
        self.keepsAlive = keepsAlive
        self.expectsContinue = expectsContinue
        super.init(head, fields: fields)
    }

    /// The path as sent, percent-encoded, beginning with a slash (or `*`). Valid as long as this object.
    package var path: UnsafeRawBufferPointer { bytes.slice(pathStart, pathEnd) }

    /// What follows the question mark, percent-encoded; empty when there is none. Valid as long as this object.
    package var query: UnsafeRawBufferPointer {
        queryEnd > pathEnd ? bytes.slice(pathEnd + 1, queryEnd) : bytes.slice(pathEnd, pathEnd)
    }
}

/// How a body is delimited, RFC 9112, section 6.
package enum BodyFraming: Equatable, Sendable {
    case none
    case sized(Int)
    case chunked
    /// Only in responses: until the connection closes.
    case untilClose
}

/// Offsets of a parsed request line.
struct RequestLine {
    var method: HTTPMethod
    var minorVersion: Int
    var pathStart: Int
    var pathEnd: Int
    var queryEnd: Int
}

/// Why a message is refused before a handler sees it: the status to answer and a sentence for the caller. The connection
/// closes after it, since where the next message starts is no longer certain.
package struct Refusal: Error, Equatable, Sendable {
    package var status: Int
    package var detail: String

    package init(_ status: Int, _ detail: String) {
        self.status = status
        self.detail = detail
    }
}
