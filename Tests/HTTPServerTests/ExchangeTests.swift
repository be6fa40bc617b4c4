// What a client of the server sees: keep-alive, order, framing, interim answers.

import EventLoop
import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite struct ExchangeTests {
    @Test func keepsTheConnection() async throws {
        let server = try LoopbackServer(echo)
        let socket = try RawSocket(port: server.port)
        for number in 0..<20 {
            socket.send(request("/\(number)"))
            let answer = socket.read(through: "GET /\(number) 0")
            #expect(statuses(answer) == [200])
            #expect(answer.contains("\r\nDate: "))
            #expect(!answer.contains("Connection:"))
        }
        #expect(await server.openConnections() == 1)
        socket.end()
        #expect(await eventually { await server.openConnections() == 0 })
        await server.stop()
    }

    @Test func answersPipelinedRequestsInOrder() async throws {
        let server = try LoopbackServer { request in
            // The first ones take longest.
            if let number = Int(request.query.text) {
                try? await Task.sleep(for: .milliseconds(10 - number))
            }
            return await echo(request)
        }
        let socket = try RawSocket(port: server.port)
        socket.send((0..<10).map { request("/\($0)?\($0)") }.joined())
        let answer = socket.read(through: "GET /9 0")
        let order = parts(of: answer, after: "GET /").compactMap { Int($0.prefix(1)) }
        #expect(order == Array(0..<10))
        #expect(statuses(answer) == Array(repeating: 200, count: 10))
        socket.end()
        await server.stop()
    }

    @Test func answersThousandsSentAhead() async throws {
        let server = try LoopbackServer(echo)
        let socket = try RawSocket(port: server.port)
        let count = 5000
        let wire = String(repeating: getRoot, count: count) + request("/end")
        async let sent = onThread { socket.send(wire) }
        let answer = await onThread { socket.read(through: "GET /end 0") }
        #expect(await sent)
        #expect(statuses(answer) == Array(repeating: 200, count: count + 1))
        socket.end()
        await server.stop()
    }

    @Test func headHasNoBody() async throws {
        let server = try LoopbackServer { request in
            if request.path.text == "/stream" {
                return HTTPResponse(
                    200, fields: [],
                    body: .stream { try await $0.write(Array("never".utf8)) })
            }
            return .text("12345")
        }
        let socket = try RawSocket(port: server.port)
        socket.send(request("/", method: "HEAD"))
        #expect(socket.read(through: "\r\n\r\n").contains("Content-Length: 5\r\n"))
        socket.send(request("/stream", method: "HEAD"))
        #expect(socket.read(through: "\r\n\r\n").contains("Transfer-Encoding: chunked\r\n"))
        socket.send(request("/", "Connection: close\r\n"))
        #expect(socket.readToEnd().hasSuffix("12345"))
        await server.stop()
    }

    @Test func takesBodiesInEachFraming() async throws {
        let server = try LoopbackServer(echo)
        let socket = try RawSocket(port: server.port)
        socket.send(request("/a", "Content-Length: 3\r\n", method: "POST") + "abc")
        #expect(socket.read(through: "POST /a 3") != "")
        socket.send(request("/b", "Transfer-Encoding: chunked\r\n", method: "PUT"))
        for piece in ["2\r", "\nab", "\r\n1;x\r\nc\r\n0\r\n", "T: x\r\n\r", "\n"] {
            socket.send(piece)
        }
        #expect(socket.read(through: "PUT /b 3").hasSuffix("PUT /b 3"))
        let large = [UInt8](repeating: 0x61, count: 900_000)
        socket.send(request("/c", "Content-Length: \(large.count)\r\n", method: "POST"))
        socket.send(large)
        #expect(socket.read(through: "POST /c 900000").hasSuffix("POST /c 900000"))
        socket.end()
        await server.stop()
    }

    @Test func says100BeforeTheBody() async throws {
        let server = try LoopbackServer(bodyLimit: 10, echo)
        let socket = try RawSocket(port: server.port)
        let expects = "Expect: 100-continue\r\n"
        socket.send(request("/a", expects + "Content-Length: 3\r\n", method: "POST"))
        #expect(socket.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        socket.send("abc")
        #expect(statuses(socket.read(through: "POST /a 3")) == [200])
        // Whoever sends the body unasked needs no interim answer.
        socket.send(request("/b", expects + "Content-Length: 3\r\n", method: "POST") + "abc")
        #expect(statuses(socket.read(through: "POST /b 3")) == [200])
        // What is too long is refused before it is sent.
        socket.send(request("/c", expects + "Content-Length: 11\r\n", method: "POST"))
        let refusal = socket.readToEnd()
        #expect(statuses(refusal) == [413])
        #expect(refusal.contains("Connection: close\r\n"))
        await server.stop()
    }

    @Test func oldClientsAreClosedOn() async throws {
        let server = try LoopbackServer { request in
            request.path.text == "/stream"
                ? HTTPResponse(
                    200, fields: [],
                    body: .stream { writer in
                        try await writer.write(Array("ab".utf8))
                        try await writer.write(Array("c".utf8))
                    })
                : await echo(request)
        }
        let plain = try RawSocket(port: server.port)
        plain.send("GET / HTTP/1.0\r\n\r\n")
        #expect(plain.readToEnd().hasSuffix("Connection: close\r\n\r\nGET / 0"))
        let kept = try RawSocket(port: server.port)
        kept.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(kept.read(through: "GET / 0").contains("Connection: keep-alive\r\n"))
        // Without chunks, the end of the connection is the end of the body.
        kept.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(kept.readToEnd().hasSuffix("\r\n\r\nabc"))
        await server.stop()
    }

    @Test func halfClosedClientsGetTheirAnswers() async throws {
        let server = try LoopbackServer { request in
            try? await Task.sleep(for: .milliseconds(20))
            return await echo(request)
        }
        let socket = try RawSocket(port: server.port)
        socket.send(request("/a") + request("/b") + request("/c"))
        socket.endOutput()
        let answer = socket.readToEnd()
        #expect(statuses(answer) == [200, 200, 200])
        #expect(answer.hasSuffix("GET /c 0"))
        let cut = try RawSocket(port: server.port)
        cut.send(request("/a") + "GET /b HT")
        cut.endOutput()
        #expect(statuses(cut.readToEnd()) == [200])
        await server.stop()
    }

    @Test func handlersAreCancelledWhenTheClientIsGone() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            await gate.pass()
            do {
                try await Task.sleep(for: .seconds(60))
                return .text("slept")
            } catch {
                return .text("cancelled")
            }
        }
        do {
            let socket = try RawSocket(port: server.port)
            socket.endByReset()
            socket.send(getRoot)
            #expect(await eventually { gate.arrived == 1 })
        }
        gate.open()
        #expect(await eventually { await server.requestsInFlight() == 0 })
        #expect(await server.openConnections() == 0)
        await server.stop()
    }

    @Test func refusalsCloseAfterTheAnswer() async throws {
        let server = try LoopbackServer(echo)
        for (wire, status) in [
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505),
            (request("/", "X: \(String(repeating: "a", count: 20_000))\r\n"), 431),
            (request("/", "Transfer-Encoding: gzip\r\n"), 501),
            (request("/", "Content-Length: 2000000\r\n", method: "POST"), 413),
        ] {
            let socket = try RawSocket(port: server.port)
            socket.send(getRoot + wire + getRoot)
            let answer = socket.readToEnd()
            #expect(statuses(answer) == [200, status])
            #expect(parts(of: answer, after: "\r\nConnection: close\r\n").count == 1)
        }
        #expect(await eventually { await server.openConnections() == 0 })
        await server.stop()
    }
}
