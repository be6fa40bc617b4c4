// The opening handshake as a server sees it, RFC 6455, section 4.2. No extension is agreed to:
// permessage-deflate costs a server tens of kilobytes a socket for messages of a few hundred bytes.
package import EventLoop
package import HTTP
package import HTTPServer

/// Why a handshake is refused, to be answered by the service in its own form.
package struct HandshakeRefusal: Error, Sendable {
    /// 400, 426, or 503 when there are too many sockets.
    package let status: Int
    package let detail: String
    /// Must be part of the answer.
    package let fields: [HTTPResponse.Field]

    init(_ status: Int, _ detail: String, fields: [HTTPResponse.Field] = []) {
        self.status = status
        self.detail = detail
        self.fields = fields
    }
}

package enum Handshake {
    /// Whether the request asks for a WebSocket, rightly or not.
    package static func isAsked(by request: HTTPRequest) -> Bool {
        request.hasToken("websocket", in: "upgrade")
            && request.hasToken("upgrade", in: "connection")
    }

    /// The response that hands a connection over to what `makeHandler` returns.
    ///
    /// - Parameter protocols: subprotocols spoken here. The first that the client lists and that is
    ///   among them is agreed on, none if there is no such.
    /// - Throws: `HandshakeRefusal` with 426 when no WebSocket or another version is asked for,
    ///   400 for a bad key.
    package static func accept(
        _ request: HTTPRequest, protocols: [String] = [],
        _ makeHandler: @escaping @Sendable (TCPStream) -> StreamHandler
    ) throws(HandshakeRefusal) -> HTTPResponse {
        guard request.method == .get, request.minorVersion == 1, isAsked(by: request) else {
            throw HandshakeRefusal(426, "This path speaks WebSocket.", fields: upgradeFields)
        }
        guard request.field("sec-websocket-version")?.equals("13") == true else {
            throw HandshakeRefusal(
                426, "Only WebSocket version 13 is spoken.", fields: upgradeFields)
        }
        guard let key = key(of: request) else {
            throw HandshakeRefusal(400, "Sec-WebSocket-Key must be 16 bytes in base64, once.")
        }
        var fields = [
            HTTPResponse.Field("Upgrade", "websocket"),
            HTTPResponse.Field("Connection", "Upgrade"),
            HTTPResponse.Field("Sec-WebSocket-Accept", acceptance(of: key)),
        ]
        if let name = agreedProtocol(request, protocols) {
            fields.append(HTTPResponse.Field("Sec-WebSocket-Protocol", name))
        }
        return HTTPResponse(101, fields: fields, body: .upgrade(makeHandler))
    }

    /// The subprotocol that `accept` agrees on.
    package static func agreedProtocol(_ request: HTTPRequest, _ known: [String]) -> String? {
        if known.isEmpty { return nil }
        for field in request.fields where isName(field.name, "sec-websocket-protocol") {
            for name in field.value.split(separator: ",") {
                let name = name.drop { $0 == " " || $0 == "\t" }
                if let match = known.first(where: { $0 == trimmedEnd(name) }) { return match }
            }
        }
        return nil
    }

    /// The value that answers a key: base64 of the SHA-1 of the key and the GUID of the RFC.
    package static func acceptance(of key: String) -> String {
        base64(sha1(Array(key.utf8) + Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    }

    private static let upgradeFields = [
        HTTPResponse.Field("Upgrade", "websocket"),
        HTTPResponse.Field("Connection", "Upgrade"),
        HTTPResponse.Field("Sec-WebSocket-Version", "13"),
    ]

    private static func key(of request: HTTPRequest) -> String? {
        guard let key = request.field("sec-websocket-key"), isKey(key) else { return nil }
        let lines = request.fields.count { isName($0.name, "sec-websocket-key") }
        return lines == 1 ? key.text : nil
    }

    /// Whether the text is the base64 of 16 bytes: 22 digits and two equals signs.
    private static func isKey(_ key: UnsafeRawBufferPointer) -> Bool {
        guard key.count == 24, key[22] == 0x3D, key[23] == 0x3D else { return false }
        return key[..<22].allSatisfy { byte in
            switch byte {
            case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2B, 0x2F: true
            default: false
            }
        }
    }

    private static func isName(_ name: String, _ lowercase: String) -> Bool {
        name.utf8.count == lowercase.utf8.count && name.lowercased() == lowercase
    }

    private static func trimmedEnd(_ text: Substring) -> Substring {
        var text = text
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
