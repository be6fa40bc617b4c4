// The pool against the real server: reuse, bounds, deadlines, cancellation.

import EventLoop
import HTTP
import HTTPClient
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite struct PoolTests {
    @Test func reusesOneConnection() async throws {
        let server = try LoopbackServer { request in
            .text("\(request.path.text)?\(request.query.text) \(request.body.count)")
        }
        let client = try ClientFixture()
        for number in 0..<50 {
            let body = [UInt8](repeating: 1, count: number)
            let response = try await client.send(
                .post, port: server.port, target: "/a?b=\(number)", body: body)
            #expect(response.status == 200)
            #expect(response.text == "/a?b=\(number) \(number)")
            #expect(response.field("content-type") == "text/plain")
        }
        #expect(await client.usage() == (1, 0))
        client.end()
        await server.stop()
    }

    @Test func sendsFieldsAndHost() async throws {
        let server = try LoopbackServer { request in
            .text(request.fields.map { "\($0.name)=\($0.value)" }.joined(separator: ","))
        }
        let client = try ClientFixture()
        let response = try await client.send(
            .put, port: server.port, fields: [("X-A", "1"), ("X-B", "zwei ü")])
        #expect(
            response.text == "Host=127.0.0.1:\(server.port),X-A=1,X-B=zwei ü,Content-Length=0")
        client.end()
        await server.stop()
    }

    @Test func staysOnTheLoopOfTheCaller() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try ClientFixture()
        let stayed = await withCheckedContinuation { continuation in
            client.loop.spawn {
                let response = try? await client.send(port: server.port)
                continuation.resume(returning: client.loop.isCurrent && response != nil)
            }
        }
        #expect(stayed)
        client.end()
        await server.stop()
    }

    @Test func opensNoMoreThanAllowedAndServesInOrder() async throws {
        let order = Mutex<[String]>([])
        let server = try LoopbackServer { request in
            order.withLock { $0.append(request.query.text) }
            try? await Task.sleep(for: .milliseconds(5))
            return .text("x")
        }
        var limits = PoolLimits()
        limits.connectionsPerPeer = 1
        let client = try ClientFixture(limits: limits)
        let (loop, port) = (client.loop, server.port)
        // Started on the loop one after the other, so that their order is known.
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                await withCheckedContinuation { started in
                    group.addTask(executorPreference: loop) {
                        started.resume()
                        _ = try? await client.send(port: port, target: "/?\(number)")
                    }
                }
                #expect(await client.usage().connections <= 1)
            }
        }
        #expect(order.withLock { $0 } == (0..<20).map(String.init))
        client.end()
        await server.stop()
    }

    @Test func spreadsOverSeveralConnections() async throws {
        let peak = Mutex((now: 0, most: 0))
        let server = try LoopbackServer { _ in
            peak.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            try? await Task.sleep(for: .milliseconds(20))
            peak.withLock { $0.now -= 1 }
            return .text("x")
        }
        var limits = PoolLimits()
        limits.connectionsPerPeer = 4
        limits.idlePerPeer = 2
        let client = try ClientFixture(limits: limits)
        let port = server.port
        let failures = await withTaskGroup(of: HTTPClientError?.self) { group in
            for _ in 0..<40 { group.addTask { await client.failure(port: port) } }
            return await group.reduce(into: [HTTPClientError]()) { all, failure in
                if let failure { all.append(failure) }
            }
        }
        #expect(failures == [])
        #expect(peak.withLock { $0.most } == 4)
        #expect(await eventually { await client.usage() == (2, 0) })
        client.end()
        await server.stop()
    }

    @Test func refusesWhenTooManyWait() async throws {
        let server = try ScriptedServer { connection, _ in
            _ = connection.read()
            _ = connection.readToEnd()
        }
        defer { server.stop() }
        var limits = PoolLimits()
        limits.connectionsPerPeer = 1
        limits.waitingPerPeer = 2
        let client = try ClientFixture(limits: limits)
        let port = server.port
        let first = Task { await client.failure(port: port, seconds: 2) }
        #expect(await eventually { await client.usage() == (1, 0) })
        let others = [1, 2].map { _ in Task { await client.failure(port: port, seconds: 2) } }
        #expect(await eventually { await client.usage() == (1, 2) })
        #expect(await client.failure(port: port) == .tooManyWaiting)
        for task in others { task.cancel() }
        for task in others { #expect(await task.value == .cancelled) }
        #expect(await client.usage() == (1, 0))
        first.cancel()
        #expect(await first.value == .cancelled)
        #expect(await eventually { await client.usage() == (0, 0) })
        client.end()
    }

    @Test func deadlinesHoldOnTheWireAndInTheQueue() async throws {
        let server = try ScriptedServer { connection, _ in _ = connection.readToEnd() }
        defer { server.stop() }
        var limits = PoolLimits()
        limits.connectionsPerPeer = 1
        let client = try ClientFixture(limits: limits)
        let port = server.port
        async let first = client.failure(port: port, seconds: 0.2)
        async let second = client.failure(port: port, seconds: 0.1)
        #expect(await first == .timedOut)
        #expect(await second == .timedOut)
        #expect(await client.failure(port: port, seconds: 0) == .timedOut)
        client.end()
    }

    @Test func cancelledBeforeItBegins() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try ClientFixture()
        let port = server.port
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await client.failure(port: port)
        }
        #expect(await task.value == .cancelled)
        #expect(await client.usage() == (0, 0))
        client.end()
        await server.stop()
    }

    @Test func unusedConnectionsEnd() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        var limits = PoolLimits()
        limits.idleDeadline = 40_000_000
        let client = try ClientFixture(limits: limits)
        _ = try await client.send(port: server.port)
        #expect(await eventually { await client.usage().connections == 0 })
        _ = try await client.send(port: server.port)
        client.end()
        await server.stop()
    }

    @Test func checksWhatIsSent() async throws {
        let client = try ClientFixture()
        for field in [
            ("X", "a\r\nY: b"), ("X Y", "a"), ("", "a"), ("X", "a\0"), ("Host", "x"),
            ("content-length", "1"), ("Transfer-Encoding", "chunked"), ("CONNECTION", "close"),
        ] {
            await #expect(throws: HTTPClientError.self) {
                try await client.send(port: 1, fields: [field])
            }
        }
        await #expect(throws: HTTPClientError.self) { try await client.send(.other, port: 1) }
        let secure = try HTTPURL("https://127.0.0.1/")
        await #expect(throws: HTTPClientError.self) {
            try await client.pool.send(
                HTTPClientRequest(.get, secure, deadline: EventLoop.now + 1_000_000_000))
        }
        client.end()
    }

    @Test func survivesBeingDropped() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let loop = try EventLoop()
        loop.start()
        var client: PooledHTTPClient? = PooledHTTPClient(loop: loop)
        let url = try HTTPURL("http://127.0.0.1:\(server.port)/")
        let request = HTTPClientRequest(.get, url, deadline: EventLoop.now + 5_000_000_000)
        #expect(try await client?.send(request).status == 200)
        client = nil
        #expect(
            await eventually {
                await withCheckedContinuation { continuation in
                    server.loops[0].execute {
                        let open = server.server.openConnections(on: server.loops[0])
                        continuation.resume(returning: open == 0)
                    }
                }
            })
        loop.stop()
        await server.stop()
    }
}
