// Opening a WebSocket to servers that do as they should, and to others.
import EventLoop
import Synchronization
import TestSupport
import Testing
import WebSocket

@Suite struct ClientTests {
    private let loop: EventLoop

    init() throws {
        loop = try EventLoop()
        loop.start()
    }

    private func failure(
        _ address: String, seconds: Double = 60,
        fields: [(name: String, value: String)] = []
    ) async -> WebSocketClientError? {
        do {
            _ = try await WebSocketClient.connect(
                address, fields: fields, deadline: EventLoop.now + UInt64(seconds * 1e9), loop: loop
            ) { _ in Recorder() }
            return nil
        } catch {
            return error
        }
    }

    /// Answers a request, whose key it reads, with what `answer` makes of the accept value.
    private func server(_ answer: @escaping @Sendable (String) -> [UInt8]) throws -> ScriptedServer
    {
        try ScriptedServer { socket, _ in
            let head = socket.read(through: "\r\n\r\n")
            let line = head.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }
            let key = String(line?.dropFirst(19) ?? "")
            socket.send(answer(Handshake.acceptance(of: key)))
            _ = socket.readToEnd()
        }
    }

    private static func head(_ acceptance: String) -> [UInt8] {
        Array(
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(acceptance)\r\n\r\n").utf8)
    }

    @Test func `messages right behind the answer, after an interim response`() async throws {
        let server = try server { acceptance in
            Array("HTTP/1.1 103 Early Hints\r\n\r\n".utf8) + Self.head(acceptance)
                + RawFrame.text("first").unmasked().bytes + RawFrame.close(1000).unmasked().bytes
        }
        let recorder = Recorder()
        _ = try await WebSocketClient.connect(
            "ws://127.0.0.1:\(server.port)/x", deadline: EventLoop.now + 60_000_000_000, loop: loop
        ) { _ in recorder }
        #expect(await eventually { recorder.code == 1000 })
        #expect(recorder.messages == [.text(Array("first".utf8))])
        server.stop()
        loop.stop()
    }

    @Test func `a server that masks is left with 1002`() async throws {
        let server = try server { Self.head($0) + RawFrame.text("a").bytes }
        let recorder = Recorder()
        _ = try await WebSocketClient.connect(
            "ws://localhost:\(server.port)", deadline: EventLoop.now + 60_000_000_000, loop: loop
        ) { _ in recorder }
        #expect(await eventually { recorder.code == 1002 })
        server.stop()
        loop.stop()
    }

    @Test func `a server that stays silent is given up`() async throws {
        let server = try server { Self.head($0) }
        var limits = WebSocketLimits()
        limits.pingAfter = 20_000_000
        limits.closeAfter = 100_000_000
        let recorder = Recorder()
        _ = try await WebSocketClient.connect(
            "ws://127.0.0.1:\(server.port)", limits: limits,
            deadline: EventLoop.now + 60_000_000_000, loop: loop
        ) { _ in recorder }
        #expect(await eventually { recorder.code == 1006 })
        server.stop()
        loop.stop()
    }

    @Test func `answers that open nothing`() async throws {
        let other = try server { _ in Array("HTTP/1.1 404 Not Found\r\n\r\n".utf8) }
        #expect(await failure("ws://127.0.0.1:\(other.port)/") == .refused(status: 404))
        let wrong = try server { _ in Self.head("AAAA") }
        #expect(await isBadHandshake("ws://127.0.0.1:\(wrong.port)/"))
        let noise = try server { _ in Array("SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8) }
        #expect(await isBadHandshake("ws://127.0.0.1:\(noise.port)/"))
        let ending = try ScriptedServer { socket, _ in _ = socket.read() }
        #expect(await isBadHandshake("ws://127.0.0.1:\(ending.port)/"))
        for server in [other, wrong, noise, ending] { server.stop() }
        loop.stop()
    }

    private func isBadHandshake(_ address: String) async -> Bool {
        if case .badHandshake = await failure(address) { true } else { false }
    }

    @Test func `no server, a mute one, an address that is none`() async throws {
        let mute = try ScriptedServer { socket, _ in _ = socket.readToEnd() }
        #expect(await failure("ws://127.0.0.1:\(mute.port)/", seconds: 0.1) == .timedOut)
        mute.stop()
        if case .connect = await failure("ws://127.0.0.1:1/") {
        } else {
            Issue.record("connected to a port nobody listens on")
        }
        for address in ["wss://127.0.0.1/", "http://127.0.0.1/", "ws://", "ws://a b/", "ws://h:0/"]
        {
            guard case .badRequest = await failure(address) else {
                Issue.record("\(address) was taken")
                continue
            }
        }
        let fields = [(name: "X", value: "a\r\nY: b")]
        guard case .badRequest = await failure("ws://127.0.0.1:1/", fields: fields) else {
            Issue.record("a broken field was taken")
            return
        }
        loop.stop()
    }

    @Test func `cancelling ends the attempt`() async throws {
        let began = Mutex(false)
        let mute = try ScriptedServer { socket, _ in
            began.withLock { $0 = true }
            _ = socket.readToEnd()
        }
        let address = "ws://127.0.0.1:\(mute.port)/"
        let loop = self.loop
        let task = Task {
            try await WebSocketClient.connect(
                address, deadline: EventLoop.now + 60_000_000_000, loop: loop
            ) { _ in Recorder() }
        }
        #expect(await eventually { began.withLock { $0 } })
        task.cancel()
        await #expect(throws: WebSocketClientError.cancelled) { try await task.value }
        mute.stop()
        loop.stop()
    }
}
