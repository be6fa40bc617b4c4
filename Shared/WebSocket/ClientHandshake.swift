// The opening handshake as a client sees it, RFC 6455, section 4.1: a value, without I/O.
package import HTTP
import HTTPServer

/// One attempt to open a WebSocket.
package struct ClientHandshake: Sendable {
    private let key: String
    private let protocols: [String]

    /// - Parameters:
    ///   - nonce: 16 random bytes, fresh for each attempt.
    ///   - protocols: subprotocols in order of preference.
    package init(nonce: [UInt8], protocols: [String] = []) {
        precondition(nonce.count == 16)
        key = base64(nonce)
        self.protocols = protocols
    }

    /// The request to send.
    /// - Parameters:
    ///   - host: name or address with the port unless it is the scheme's own.
    ///   - target: path and query, percent-encoded.
    ///   - fields: further fields, such as `Authorization`.
    /// - Returns: `nil` when a part could not stand in a request head.
    package func request(
        host: String, target: String, fields: [(name: String, value: String)] = []
    ) -> [UInt8]? {
        var head = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        head += "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        head += "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n"
        if !protocols.isEmpty {
            head += "Sec-WebSocket-Protocol: \(protocols.joined(separator: ", "))\r\n"
        }
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        let parts = [host] + protocols + fields.flatMap { [$0.name, $0.value] }
        let isSafe =
            parts.allSatisfy(isFieldText) && target.hasPrefix("/")
            && target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isSafe ? Array((head + "\r\n").utf8) : nil
    }

    /// Checks the server's answer.
    /// - Returns: the subprotocol agreed on, `nil` for none.
    /// - Throws: `WebSocketClientError.refused` for another status than 101, `badHandshake` for an
    ///   answer that is none to this request.
    package func check(
        _ head: HTTPResponseHead
    ) throws(WebSocketClientError) -> String? {
        guard head.status == 101 else { throw .refused(status: head.status) }
        guard head.hasToken("websocket", in: "upgrade"),
            head.hasToken("upgrade", in: "connection")
        else { throw .badHandshake("the connection was not upgraded") }
        guard head.text("sec-websocket-accept") == Handshake.acceptance(of: key) else {
            throw .badHandshake("Sec-WebSocket-Accept does not answer the key")
        }
        guard head.field("sec-websocket-extensions") == nil else {
            throw .badHandshake("an extension that was not offered")
        }
        guard let name = head.text("sec-websocket-protocol") else { return nil }
        guard protocols.contains(name) else {
            throw .badHandshake("a subprotocol that was not offered")
        }
        return name
    }
}

/// Why a WebSocket could not be opened.
package enum WebSocketClientError: Error, Equatable, Sendable {
    /// The address is not one of a WebSocket, or a field could not be sent.
    case badRequest(String)
    /// The peer was not reached.
    case connect(String)
    /// The deadline passed before the handshake was complete.
    case timedOut
    case cancelled
    /// The peer answered with another status than 101.
    case refused(status: Int)
    /// The peer does not speak WebSocket as RFC 6455 says.
    case badHandshake(String)
}
