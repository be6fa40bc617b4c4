// The pool against peers that close, dribble and lie, each played byte by byte.

import EventLoop
import HTTP
import HTTPClient
import Synchronization
import TestSupport
import Testing

@Suite struct BrokenPeerTests {
    /// Answers one request a connection, then closes it when the next one has come.
    private func staleServer(_ requests: @escaping @Sendable (Int) -> Void) throws
        -> ScriptedServer
    {
        try ScriptedServer { connection, number in
            _ = connection.read()
            requests(number)
            connection.send(emptyOK)
            if connection.read() != nil { requests(number) }
            connection.end()
        }
    }

    @Test func replaysOnceOnAFreshConnection() async throws {
        let seen = Mutex<[Int]>([])
        let server = try staleServer { number in seen.withLock { $0.append(number) } }
        defer { server.stop() }
        let client = try ClientFixture()
        _ = try await client.send(port: server.port)
        _ = try await client.send(port: server.port)
        #expect(seen.withLock { $0 } == [0, 0, 1])
        client.end()
    }

    @Test func doesNotReplayWhatMayNotBe() async throws {
        let server = try staleServer { _ in }
        defer { server.stop() }
        let client = try ClientFixture()
        _ = try await client.send(port: server.port)
        let failure = await client.failure(.post, port: server.port)
        #expect(failure == .connectionClosed(mayHaveBeenProcessed: true))
        _ = try await client.send(port: server.port)
        _ = try await client.send(.post, port: server.port, replay: .allowed)
        await #expect(throws: HTTPClientError.connectionClosed(mayHaveBeenProcessed: true)) {
            try await client.send(port: server.port, replay: .never)
        }
        client.end()
    }

    @Test func doesNotReplayOnAFirstUse() async throws {
        let count = Mutex(0)
        let server = try ScriptedServer { connection, _ in
            _ = connection.read()
            count.withLock { $0 += 1 }
        }
        defer { server.stop() }
        let client = try ClientFixture()
        let failure = await client.failure(port: server.port)
        #expect(failure == .connectionClosed(mayHaveBeenProcessed: true))
        #expect(count.withLock { $0 } == 1)
        client.end()
    }

    @Test func doesNotReplayOnceAnAnswerHasBegun() async throws {
        let count = Mutex(0)
        let server = try ScriptedServer { connection, _ in
            _ = connection.read()
            connection.send(emptyOK)
            _ = connection.read()
            count.withLock { $0 += 1 }
            connection.send("HTTP/1.1 200 OK\r\nContent-Le")
        }
        defer { server.stop() }
        let client = try ClientFixture()
        _ = try await client.send(port: server.port)
        let failure = await client.failure(port: server.port)
        #expect(failure == .connectionClosed(mayHaveBeenProcessed: true))
        #expect(count.withLock { $0 } == 1)
        client.end()
    }

    @Test func noticesAPeerThatLeaves() async throws {
        let server = try ScriptedServer { connection, _ in
            _ = connection.read()
            connection.send(emptyOK)
        }
        defer { server.stop() }
        let client = try ClientFixture()
        _ = try await client.send(port: server.port)
        #expect(await eventually { await client.usage().connections == 0 })
        _ = try await client.send(.post, port: server.port)
        client.end()
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "abc"),
        (chunkedHead + "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "abc"),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nA: b\r\n\r\n" + emptyOK, ""),
        ("HTTP/1.1 204 No Content\r\n\r\n", ""),
        ("HTTP/1.0 200 OK\r\n\r\nabc", "abc"),
        ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc", "abc"),
    ])
    func takesProperResponses(wire: String, body: String) async throws {
        for step in [1, 7, 1000] {
            let server = try ScriptedServer { connection, _ in
                _ = connection.read()
                let bytes = Array(wire.utf8)
                for start in stride(from: 0, to: bytes.count, by: step) {
                    connection.send(Array(bytes[start..<min(start + step, bytes.count)]))
                }
            }
            defer { server.stop() }
            let client = try ClientFixture()
            #expect(try await client.send(port: server.port).text == body)
            client.end()
        }
    }

    @Test(arguments: [
        "HTTP/2 200 OK\r\n\r\n", "SSH-2.0-x\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "HTTP/1.1 101 Switching Protocols\r\n\r\n",
    ])
    func refusesImproperOnes(wire: String) async throws {
        let server = try ScriptedServer { connection, _ in
            _ = connection.read()
            connection.send(wire)
            _ = connection.readToEnd()
        }
        defer { server.stop() }
        let client = try ClientFixture()
        let failure = await client.failure(port: server.port)
        guard case .badResponse = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(await eventually { await client.usage().connections == 0 })
        client.end()
    }

    @Test(arguments: [
        "Content-Length: 11\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nb\r\n",
        "Transfer-Encoding: chunked\r\n\r\n6\r\n012345\r\n5\r\n", "\r\n01234567890",
    ])
    func boundsTheBody(tail: String) async throws {
        let server = try ScriptedServer { connection, _ in
            _ = connection.read()
            connection.send("HTTP/1.1 200 OK\r\n" + tail)
            _ = connection.readToEnd()
        }
        defer { server.stop() }
        let client = try ClientFixture()
        #expect(await client.failure(port: server.port, maximumBody: 10) == .bodyTooLarge)
        client.end()
    }

    @Test func doesNotReuseAfterSurplusBytes() async throws {
        let connections = Mutex(0)
        let server = try ScriptedServer { connection, _ in
            connections.withLock { $0 += 1 }
            _ = connection.read()
            connection.send(emptyOK + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged")
            _ = connection.readToEnd()
        }
        defer { server.stop() }
        let client = try ClientFixture()
        #expect(try await client.send(port: server.port).text == "")
        #expect(try await client.send(port: server.port).text == "")
        #expect(connections.withLock { $0 } == 2)
        client.end()
    }

    @Test func takesAnAnswerThatComesBeforeTheRequestIsRead() async throws {
        let server = try ScriptedServer { connection, _ in
            _ = connection.read()
            connection.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
            _ = connection.readToEnd()
        }
        defer { server.stop() }
        let client = try ClientFixture()
        let body = [UInt8](repeating: 0, count: 30_000_000)
        #expect(try await client.send(.post, port: server.port, body: body).status == 413)
        client.end()
    }

    @Test func headResponsesHaveNoBody() async throws {
        let server = try ScriptedServer { connection, _ in
            for _ in 0..<2 {
                _ = connection.read()
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n")
            }
            _ = connection.readToEnd()
        }
        defer { server.stop() }
        let client = try ClientFixture()
        for _ in 0..<2 {
            let response = try await client.send(.head, port: server.port)
            #expect(response.field("content-length") == "500")
        }
        #expect(await client.usage().connections == 1)
        client.end()
    }
}
