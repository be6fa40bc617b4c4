// Requests whole, cut, in a row and at their limits.

import HTTP
import Testing

@Suite struct RequestTests {
    @Test(arguments: improperHeads + improperFramings + improperBodies)
    func refuses(improper: Improper) {
        let outcome = Outcome(improper.wire)
        #expect(outcome.requests.isEmpty)
        #expect(outcome.refusal.map(improper.statuses.contains) == true, "\(outcome)")
    }

    /// What a proxy before us takes for one request must not be two here.
    @Test(arguments: improperHeads + improperFramings + improperBodies)
    func refusesForGood(improper: Improper) {
        let outcome = Outcome(improper.wire + get() + get())
        #expect(outcome.requests.isEmpty)
    }

    @Test(arguments: properRequests)
    func accepts(wire: String) {
        let outcome = Outcome(wire)
        #expect(outcome.refusal == nil)
        #expect(outcome.requests.count == 1)
    }

    @Test func seesWhatWasSent() throws {
        let wire = "POST /a%20b/c?d=e?f HTTP/1.1\r\nHost: x:1\r\nX-A:  b\tc \r\nx-a: d\r\n"
        let outcome = Outcome(wire + "Content-Length: 3\r\n\r\nabc")
        let request = try #require(outcome.requests.first)
        #expect(request.method == .post)
        #expect(request.path == "/a%20b/c")
        #expect(request.query == "d=e?f")
        #expect(request.fields == ["Host: x:1", "X-A: b\tc", "x-a: d", "Content-Length: 3"])
        #expect(request.body == Array("abc".utf8))
        #expect(request.keepsAlive)
        #expect(!request.expectsContinue)
    }

    @Test(arguments: [
        (get(), true), (get("Host: a\r\nConnection: close\r\n"), false),
        (get("Host: a\r\nConnection: a ,\tCLOSE\r\n"), false),
        (get("Host: a\r\nConnection: keep-alive\r\nConnection: close\r\n"), false),
        (get("Host: a\r\nConnection: closed\r\n"), true), (get("", version: "HTTP/1.0"), false),
        (get("Connection: Keep-Alive\r\n", version: "HTTP/1.0"), true),
        (get("Connection: keep-alive, close\r\n", version: "HTTP/1.0"), false),
    ])
    func knowsWhetherTheConnectionStays(wire: String, keepsAlive: Bool) {
        #expect(Outcome(wire).requests.first?.keepsAlive == keepsAlive)
    }

    @Test(arguments: [
        (post("Content-Length: 1\r\nExpect: 100-Continue\r\n", "a"), true),
        (post("Content-Length: 0\r\nExpect: 100-continue\r\n"), false),
        (
            "POST /x HTTP/1.0\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\na", false
        ),
    ])
    func knowsWhoWaitsForContinue(wire: String, expects: Bool) {
        #expect(Outcome(wire).requests.first?.expectsContinue == expects)
    }

    @Test func findsPathsInEachForm() {
        func target(_ wire: String) -> String? {
            Outcome(wire).requests.first.map { "\($0.path)|\($0.query)" }
        }
        #expect(target(get("Host: a\r\n", "/")) == "/|")
        #expect(target(get("Host: a\r\n", "/?")) == "/|")
        #expect(target(get("Host: a\r\n", "//x")) == "//x|")
        #expect(target(get("Host: a\r\n", "/../../etc")) == "/../../etc|")
        #expect(target(get("Host: a\r\n", "HTTPS://b/y?z")) == "/y|z")
        #expect(target(get("Host: a\r\n", "*", method: "OPTIONS")) == "*|")
        #expect(Outcome(get("Host: a\r\n", "http://b")).refusal == 400)
        #expect(Outcome(get("Host: a\r\n", "http://b?x=/")).refusal == 400)
    }

    @Test func readsFieldsByName() throws {
        let wire = Array(get("Host: a\r\nAccept: b, C\r\naccept: \td\r\nX:\r\n").utf8)
        var parser = RequestParser()
        let parsed = try wire.withUnsafeBytes { try parser.parse($0) }
        let request = try #require(parsed?.request)
        #expect(request.text("accept") == "b, C")
        #expect(request.text("x") == "")
        #expect(request.text("y") == nil)
        #expect(request.hasToken("c", in: "accept"))
        #expect(request.hasToken("d", in: "accept"))
        #expect(!request.hasToken("e", in: "accept"))
        #expect(request.fieldCount == 4)
    }
}

@Suite struct CutTests {
    private static let everything =
        properRequests + (improperHeads + improperFramings + improperBodies).map(\.wire)

    @Test(arguments: everything)
    func byteByByteIsTheSame(wire: String) {
        let bytes = Array(wire.utf8)
        // One that no proper message begins with is still found out, just later.
        #expect(Outcome(bytes, nextSize: { 1 }) == Outcome(bytes))
    }

    @Test func anyCutIsTheSame() {
        var generator = SeededGenerator(state: 20_261_201)
        for round in 0..<3000 {
            var wire = ""
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let all = round.isMultiple(of: 2) ? properRequests : Self.everything
                wire += all.randomElement(using: &generator) ?? ""
                if wire.utf8.count > 20_000 { break }
            }
            let bytes = Array(wire.utf8)
            let whole = Outcome(bytes)
            let most = Int.random(in: 1...max(2, min(bytes.count, 200)), using: &generator)
            let cut = Outcome(bytes, nextSize: { Int.random(in: 1...most, using: &generator) })
            guard whole == cut else {
                Issue.record("round \(round): \(wire.prefix(500)): \(whole) is not \(cut)")
                return
            }
        }
    }

    @Test func requestsInARowAreAllSeen() {
        let wire = properRequests.joined()
        let outcome = Outcome(wire)
        #expect(outcome.refusal == nil)
        #expect(outcome.requests == properRequests.flatMap { Outcome($0).requests })
        #expect(outcome.requests.count == properRequests.count)
    }

    @Test func unfinishedMessagesWait() {
        for wire in properRequests {
            // The empty line that one may begin with is not a message.
            for length in 0..<wire.utf8.count {
                let outcome = Outcome(Array(wire.utf8.prefix(length)))
                #expect(outcome == Outcome(""), "\(length) bytes of \(wire)")
            }
        }
    }
}

@Suite struct LimitTests {
    private func head(of size: Int) -> [UInt8] {
        let frame = get("Host: a\r\nX: \r\n").utf8.count
        return Array(
            get("Host: a\r\nX: \(String(repeating: "a", count: size - frame))\r\n").utf8)
    }

    @Test(arguments: [1, 4096, .max])
    func headsEndAtTheLimit(piece: Int) {
        let limits = HeadLimits(bytes: 5000, fields: 3)
        #expect(head(of: 5000).count == 5000)
        #expect(Outcome(head(of: 5000), limits: limits, nextSize: { piece }).requests.count == 1)
        #expect(Outcome(head(of: 5001), limits: limits, nextSize: { piece }).refusal == 431)
        let endless = [UInt8](repeating: 0x61, count: 5001)
        #expect(Outcome(endless, limits: limits, nextSize: { piece }).refusal == 431)
        #expect(Outcome(Array(endless.dropLast()), limits: limits).refusal == nil)
    }

    @Test func theLargestHeadAllowedIsRead() {
        let limits = HeadLimits(bytes: 65_535)
        let outcome = Outcome(head(of: 65_535), limits: limits)
        #expect(outcome.requests.first?.fields.last?.utf8.count == 65_535 - 33 + 3)
    }

    @Test func fieldsEndAtTheLimit() {
        let limits = HeadLimits(fields: 3)
        #expect(
            Outcome(Array(get("Host: a\r\nX: \r\nX: \r\n").utf8), limits: limits).refusal == nil)
        let four = get("Host: a\r\nX: \r\nX: \r\nX: \r\n")
        #expect(Outcome(Array(four.utf8), limits: limits).refusal == 431)
    }

    @Test func bodiesEndAtTheLimit() {
        let chunks = "3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n"
        #expect(Outcome(post(chunkedField, chunks), bodyLimit: 6).requests.first?.body.count == 6)
        #expect(Outcome(post(chunkedField, chunks), bodyLimit: 5).refusal == 413)
        #expect(Outcome(post("Content-Length: 6\r\n", "abcdef"), bodyLimit: 6).refusal == nil)
        #expect(Outcome(post("Content-Length: 6\r\n"), bodyLimit: 5).refusal == 413)
        #expect(Outcome(post(chunkedField, "0\r\n\r\n"), bodyLimit: 0).requests.count == 1)
    }
}
