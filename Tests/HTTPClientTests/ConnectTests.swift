// Connecting: names, refusals, deadlines, cancellation.

import EventLoop
import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite struct ConnectTests {
    private let loop: EventLoop

    init() throws {
        loop = try EventLoop()
        loop.start()
    }

    private func failure(host: String, port: Int, seconds: Double = 5) async -> HTTPClientError? {
        do {
            let stream = try await connectTCP(
                host: host, port: port, deadline: EventLoop.now + UInt64(seconds * 1e9), loop: loop)
            loop.execute { stream.close() }
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func connects(host: String) async throws {
        let server = try ScriptedServer { connection, _ in connection.send("hello") }
        defer { server.stop() }
        let stream = try await connectTCP(
            host: host, port: server.port, deadline: EventLoop.now + 5_000_000_000, loop: loop)
        let text = await withCheckedContinuation { continuation in
            loop.execute {
                stream.handler = Listener { continuation.resume(returning: $0) }
                stream.start()
            }
        }
        #expect(text == "hello")
        loop.stop()
    }

    @Test func saysWhyNot() async throws {
        let server = try ScriptedServer { _, _ in }
        let port = server.port
        server.stop()
        #expect(
            await eventually {
                await failure(host: "127.0.0.1", port: port)
                    == .connect("connect to 127.0.0.1:\(port): Connection refused")
            })
        guard case .connect = await failure(host: "no-such-host.invalid", port: 80) else {
            Issue.record("a name that does not exist was found")
            return
        }
        loop.stop()
    }

    @Test func endsAtTheDeadline() async throws {
        let full = try FullListener()
        defer { full.stop() }
        #expect(await failure(host: "127.0.0.1", port: full.port, seconds: 0.1) == .timedOut)
        #expect(await failure(host: "127.0.0.1", port: full.port, seconds: 0) == .timedOut)
        loop.stop()
    }

    @Test func canBeCancelled() async throws {
        let full = try FullListener()
        defer { full.stop() }
        let task = Task { await failure(host: "127.0.0.1", port: full.port, seconds: 60) }
        try await Task.sleep(for: .milliseconds(5))
        task.cancel()
        #expect(await task.value == .cancelled)
        loop.stop()
    }

    @Test func thePoolTellsConnectFailures() async throws {
        let server = try ScriptedServer { _, _ in }
        let port = server.port
        server.stop()
        let client = try ClientFixture()
        let all = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let failure = await client.failure(port: port)
                    if case .connect = failure { return true }
                    return false
                }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(all)
        #expect(await client.usage() == (0, 0))
        client.end()
        loop.stop()
    }

    @Test func thePoolGivesUpConnecting() async throws {
        let full = try FullListener()
        defer { full.stop() }
        var limits = PoolLimits()
        limits.connectDeadline = 100_000_000
        let client = try ClientFixture(limits: limits)
        #expect(
            await client.failure(port: full.port)
                == .connect("connect to http://127.0.0.1:\(full.port): timed out"))
        client.end()
        loop.stop()
    }
}

private final class Listener: StreamHandler, @unchecked Sendable {
    private let completion: (String) -> Void
    private var bytes: [UInt8] = []

    init(_ completion: @escaping (String) -> Void) { self.completion = completion }

    override func received(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes += bytes }

    override func endOfInput() { completion(String(decoding: bytes, as: UTF8.self)) }
}
