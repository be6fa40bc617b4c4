// Both ends of the opening handshake, with the vectors of the RFCs.
import EventLoop
import HTTP
import HTTPServer
import Testing
import WebSocket

@Suite struct HandshakeTests {
    private let good = [
        ("Host", "example.com"), ("Upgrade", "websocket"), ("Connection", "Upgrade"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Version", "13"),
    ]

    private func request(
        _ fields: [(String, String)], line: String = "GET /chat HTTP/1.1"
    ) throws -> HTTPRequest {
        let head = line + "\r\n" + fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
        var parser = RequestParser()
        let parsed = try Array(head.utf8).withUnsafeBytes { try parser.parse($0) }
        return try #require(parsed).request
    }

    private func accept(
        _ request: HTTPRequest, protocols: [String] = []
    ) throws -> [String: String] {
        let response = try Handshake.accept(request, protocols: protocols) { _ in StreamHandler() }
        #expect(response.status == 101)
        return Dictionary(
            response.fields.map { ("\($0.name)", $0.value) }, uniquingKeysWith: { $0 + "," + $1 })
    }

    private func refused(_ request: HTTPRequest) -> HandshakeRefusal? {
        do throws(HandshakeRefusal) {
            _ = try Handshake.accept(request) { _ in StreamHandler() }
            return nil
        } catch {
            return error
        }
    }

    /// The good request with one field replaced, or left out when `nil`.
    private func changed(_ name: String, to value: String?) throws -> HTTPRequest {
        var fields = good.filter { $0.0 != name }
        if let value { fields.append((name, value)) }
        return try request(fields)
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (
            String(repeating: "01234567", count: 80),
            "dea356a2cddd90c7a7ecedc5ebb563934f460452"
        ),
    ])
    func `SHA-1 of RFC 3174`(text: String, digest: String) {
        let hex = sha1(Array(text.utf8)).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        #expect(hex.joined() == digest)
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func `base64 of RFC 4648`(text: String, encoded: String) {
        #expect(base64(Array(text.utf8)) == encoded)
    }

    @Test func `the example of section 1.3`() throws {
        let fields = try accept(request(good))
        #expect(fields["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(fields["Upgrade"] == "websocket")
        #expect(fields["Connection"] == "Upgrade")
        #expect(fields["Sec-WebSocket-Protocol"] == nil)
        #expect(fields["Sec-WebSocket-Extensions"] == nil)
    }

    @Test func `tokens are found in lists and in any case`() throws {
        #expect(throws: Never.self) {
            _ = try accept(changed("Connection", to: "keep-alive, UPGRADE"))
            _ = try accept(changed("Upgrade", to: "h2c, WebSocket"))
            _ = try accept(request(good + [("Sec-WebSocket-Extensions", "permessage-deflate")]))
        }
    }

    @Test func `who asks for no WebSocket, or another version, learns what is spoken`() throws {
        let requests = [
            try changed("Upgrade", to: nil), try changed("Upgrade", to: "h2c"),
            try changed("Connection", to: "keep-alive"),
            try changed("Sec-WebSocket-Version", to: "8"),
            try changed("Sec-WebSocket-Version", to: nil),
            try request(good, line: "POST /chat HTTP/1.1"),
            try request(good, line: "GET /chat HTTP/1.0"),
        ]
        for request in requests {
            let refusal = try #require(refused(request))
            #expect(refusal.status == 426)
            #expect(
                refusal.fields.contains {
                    "\($0.name)" == "Sec-WebSocket-Version" && $0.value == "13"
                })
            #expect(refusal.fields.contains { "\($0.name)" == "Upgrade" })
        }
    }

    @Test(arguments: [
        nil, "", "c2hvcnQ=", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZQ=a",
        "dGhlIHNhbXBsZSBub25jZ!==", "dGhlIHNhbXBsZSBub25jZWRk",
    ])
    func `bad keys`(key: String?) throws {
        #expect(try refused(changed("Sec-WebSocket-Key", to: key))?.status == 400)
    }

    @Test func `a key given twice`() throws {
        let fields = good + [("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")]
        #expect(try refused(request(fields))?.status == 400)
    }

    @Test func `the client's first known subprotocol is taken`() throws {
        let asked = try request(
            good + [
                ("Sec-WebSocket-Protocol", "mqtt, v2.chat "), ("Sec-WebSocket-Protocol", "v1.chat"),
            ])
        let known = ["v1.chat", "v2.chat"]
        #expect(try accept(asked, protocols: known)["Sec-WebSocket-Protocol"] == "v2.chat")
        #expect(try accept(asked, protocols: ["v1.chat"])["Sec-WebSocket-Protocol"] == "v1.chat")
        #expect(try accept(asked, protocols: ["other"])["Sec-WebSocket-Protocol"] == nil)
        #expect(try accept(asked)["Sec-WebSocket-Protocol"] == nil)
    }

    // MARK: The client's end

    private let nonce = Array("the sample nonce".utf8)

    private func check(_ answer: String, protocols: [String] = []) throws -> String? {
        var parser = ResponseParser()
        let parsed = try Array(answer.utf8).withUnsafeBytes { try parser.parse($0, method: .get) }
        let handshake = ClientHandshake(nonce: nonce, protocols: protocols)
        return try handshake.check(try #require(parsed).head)
    }

    @Test func `a client's request is one that the server accepts`() throws {
        let handshake = ClientHandshake(nonce: nonce, protocols: ["a", "b"])
        let bytes = try #require(
            handshake.request(
                host: "h:1", target: "/x?y=1", fields: [("Authorization", "Bearer t")]))
        var parser = RequestParser()
        let parsed = try bytes.withUnsafeBytes { try parser.parse($0) }
        let request = try #require(parsed).request
        #expect(request.text("sec-websocket-key") == "dGhlIHNhbXBsZSBub25jZQ==")
        #expect(request.text("authorization") == "Bearer t")
        let fields = try accept(request, protocols: ["b"])
        #expect(fields["Sec-WebSocket-Protocol"] == "b")
    }

    @Test func `a client sends no head that is broken`() {
        let handshake = ClientHandshake(nonce: nonce)
        #expect(handshake.request(host: "h\r\nX: y", target: "/") == nil)
        #expect(handshake.request(host: "h", target: "/ HTTP/1.1") == nil)
        #expect(handshake.request(host: "h", target: "x") == nil)
        #expect(handshake.request(host: "h", target: "/", fields: [("a", "b\n")]) == nil)
    }

    @Test func `answers that a client takes`() throws {
        let head =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\n"
            + "Connection: upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
        #expect(try check(head + "\r\n") == nil)
        let named = head + "Sec-WebSocket-Protocol: a\r\n\r\n"
        #expect(try check(named, protocols: ["a"]) == "a")
        #expect(throws: WebSocketClientError.self) { try check(named, protocols: ["b"]) }
        let extended = head + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
        #expect(throws: WebSocketClientError.self) { try check(extended) }
    }

    @Test func `answers that it does not`() {
        #expect(throws: WebSocketClientError.refused(status: 403)) {
            try check("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        }
        let answers = [
            "Connection: upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n",
            "Upgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n",
            "Upgrade: websocket\r\nConnection: upgrade\r\n",
            "Upgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: AAAA\r\n",
        ]
        for answer in answers {
            #expect(throws: WebSocketClientError.self) {
                try check("HTTP/1.1 101 Switching Protocols\r\n\(answer)\r\n")
            }
        }
    }
}
