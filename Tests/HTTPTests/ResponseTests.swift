// Response heads and bodies, as a client reads them.

import HTTP
import Testing

@Suite struct ResponseTests {
    private struct Answer: Equatable {
        var status: Int
        var framing: BodyFraming
        var keepsAlive: Bool
        var fields: [String]
    }

    /// - Returns: the head, `nil` when more is needed.
    private func parse(
        _ wire: String, method: HTTPMethod = .get, piece: Int = .max
    ) throws(Refusal) -> Answer? {
        var parser = ResponseParser()
        let bytes = Array(wire.utf8)
        var length = 0
        while length < bytes.count {
            length = min(bytes.count, piece == .max ? .max : length + piece)
            let result = bytes[..<length].withUnsafeBytes { bytes in
                Result { () throws(Refusal) in try parser.parse(bytes, method: method) }
            }
            guard let (head, consumed) = try result.get() else { continue }
            #expect(consumed <= length)
            return Answer(
                status: head.status, framing: head.framing, keepsAlive: head.keepsAlive,
                fields: head.fields.map { "\($0.name): \($0.value)" })
        }
        return nil
    }

    private static let framings: [(String, HTTPMethod, BodyFraming, Bool)] = [
        ("200 OK\r\nContent-Length: 3\r\n", .get, .sized(3), true),
        ("200 OK\r\nContent-Length: 0\r\n", .get, .none, true),
        ("200 OK\r\nContent-Length: 3\r\n", .head, .none, true),
        ("200 OK\r\nTransfer-Encoding: chunked\r\n", .get, .chunked, true),
        ("200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n", .get, .chunked, false),
        ("200 OK\r\n", .get, .untilClose, false),
        ("200 OK\r\n", .head, .none, true),
        ("204 No Content\r\nContent-Length: 3\r\n", .get, .none, true),
        ("304 Not Modified\r\nContent-Length: 3\r\n", .get, .none, true),
        ("100 Continue\r\n", .post, .none, true),
        ("404\r\nContent-Length: 1\r\n", .get, .sized(1), true),
        ("599 \r\nContent-Length: 1\r\n", .get, .sized(1), true),
    ]

    @Test(arguments: framings)
    func findsTheFraming(
        wire: String, method: HTTPMethod, framing: BodyFraming, keepsAlive: Bool
    ) throws {
        for piece in [1, 5, .max] {
            let answer = try parse("HTTP/1.1 \(wire)\r\n", method: method, piece: piece)
            #expect(answer?.framing == framing)
            #expect(answer?.keepsAlive == keepsAlive)
            #expect(answer?.status == Int(wire.prefix(3)))
        }
    }

    @Test func oldServersCloseUnlessTheySayOtherwise() throws {
        let length = "Content-Length: 1\r\n"
        #expect(try parse("HTTP/1.0 200 OK\r\n\(length)\r\n")?.keepsAlive == false)
        #expect(
            try parse("HTTP/1.0 200 OK\r\n\(length)Connection: keep-alive\r\n\r\n")?.keepsAlive
                == true)
    }

    @Test(arguments: [
        "HTTP/2 200 OK\r\n\r\n\r\n", "HTTP/1.1 99 Low\r\n\r\n", "HTTP/1.1 099 Low\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n",
        "HTTP/1.2 200 OK\r\n\r\n", "http/1.1 200 OK\r\n\r\n", "HTTP/1.1\r\n\r\n", "\r\n\r\n\r\n",
        "HTTP/1.1 200 O\0K\r\n\r\n", "HTTP/1.1 200 OK\n\n", "HTTP/1.1 200\tOK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX : a\r\n\r\n", "HTTP/1.1 200 OK\r\n X: a\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    ])
    func refuses(wire: String) {
        for piece in [1, .max] {
            #expect(throws: Refusal.self) { try parse(wire, piece: piece) }
        }
    }

    @Test func bodiesUntilTheEndAreBounded() throws {
        var decoder = try BodyDecoder(.untilClose, limit: 5)
        #expect(try decode(&decoder, Array("abc".utf8)) == 3)
        #expect(!decoder.isDone && decoder.endsWithConnection)
        #expect(decoder.body == Array("abc".utf8))
        #expect(throws: Refusal.self) { try decode(&decoder, Array("def".utf8)) }
        #expect(decoder.body.count <= 5)
    }

    @Test func aDoneBodyTakesNothing() throws {
        var decoder = try BodyDecoder(.sized(2), limit: 5)
        #expect(try decode(&decoder, Array("abc".utf8)) == 2)
        #expect(decoder.isDone)
        #expect(try decode(&decoder, Array("c".utf8)) == 0)
    }

    @Test func headsFromElsewhereReadTheSame() throws {
        let head = try #require(
            HTTPResponseHead.received(status: 201, fields: [("X-A", "b"), ("empty", "")]))
        #expect(head.status == 201)
        #expect(head.text("x-a") == "b")
        #expect(head.text("empty") == "")
        #expect(head.text("x-b") == nil)
        let long = String(repeating: "a", count: 65_535)
        #expect(HTTPResponseHead.received(status: 200, fields: [("", long)]) != nil)
        #expect(HTTPResponseHead.received(status: 200, fields: [("a", long)]) == nil)
    }
}

@Suite struct ByteTests {
    @Test func decimalsAreDigitsOnly() {
        for (text, value) in [
            ("0", 0), ("00012", 12), ("9223372036854775807", Int.max), ("9223372036854775808", nil),
            ("", nil), ("-1", nil), ("+1", nil), (" 1", nil), ("1a", nil),
            ("0000000000000000001", 1),
        ] as [(String, Int?)] {
            #expect(Array(text.utf8).withUnsafeBytes { $0.decimal } == value, "\(text)")
        }
    }

    @Test func namesAndValuesToSendAreChecked() {
        #expect(isFieldName("X-Foo!#$%&'*+-.^_`|~09az"))
        for bad in ["", "a b", "a:", "ü", "a\r", "(", "@", "\"", "a/b", "{", "\u{7F}"] {
            #expect(!isFieldName(bad), "\(bad)")
        }
        #expect(isFieldValue("") && isFieldValue("a\tb ü~"))
        for bad in ["\r", "\n", "a\0", "\u{7F}", "\u{1B}["] {
            #expect(!isFieldValue(bad), "\(bad)")
        }
    }

    @Test func methodsAreCaseSensitive() {
        func method(_ text: String) -> HTTPMethod {
            Array(text.utf8).withUnsafeBytes { HTTPMethod($0) }
        }
        for known in HTTPMethod.allCases where known != .other {
            #expect(method(known.rawValue) == known)
            #expect(method(known.rawValue.lowercased()) == .other)
        }
        #expect(method("OTHER") == .other)
        #expect(method("TRACE") == .other)
    }
}
