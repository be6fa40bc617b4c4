// Starting and stopping: what was accepted is answered, what is handed over is left alone.

import CLinux
import EventLoop
import Glibc
import HTTP
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite struct StopTests {
    @Test func requestsInFlightAreFinished() async throws {
        let gate = Gate()
        let server = try LoopbackServer(limits: shortLimits()) { request in
            await gate.pass()
            return await echo(request)
        }
        let socket = try RawSocket(port: server.port)
        socket.send(getRoot)
        #expect(await eventually { gate.arrived == 1 })
        async let stopped: Void = server.stop()
        #expect(await eventually { (try? RawSocket(port: server.port)) == nil })
        gate.open()
        let answer = await onThread { socket.readToEnd() }
        #expect(answer.hasSuffix("GET / 0"))
        #expect(answer.contains("Connection: close\r\n"))
        await stopped
    }

    @Test func idleConnectionsMayFinishWhatIsOnItsWay() async throws {
        let server = try LoopbackServer(
            limits: shortLimits { $0.drainIdle = 700_000_000 }, echo)
        let used = try RawSocket(port: server.port)
        used.send(getRoot)
        #expect(statuses(used.read(through: "GET / 0")) == [200])
        let unused = try RawSocket(port: server.port)
        #expect(await eventually { await server.openConnections() == 2 })
        async let stopped: Void = server.stop()
        #expect(await eventually { (try? RawSocket(port: server.port)) == nil })
        used.send(getRoot)
        #expect(await onThread { used.readToEnd() }.contains("Connection: close\r\n"))
        #expect(await onThread { unused.readToEnd() } == "")
        await stopped
    }

    /// While it drains, a server takes new connections, and lets none live on for another request.
    @Test func drainingAnswersOnceAConnection() async throws {
        let server = try LoopbackServer(loops: 2, limits: shortLimits(), echo)
        let kept = try RawSocket(port: server.port)
        kept.send(getRoot)
        #expect(!kept.read(through: "GET / 0").contains("Connection: close"))
        server.server.drain()
        for loop in server.loops { await loop.read {} }
        kept.send(getRoot)
        #expect(await onThread { kept.readToEnd() }.contains("Connection: close\r\n"))
        let new = try RawSocket(port: server.port)
        new.send(getRoot)
        let answer = await onThread { new.readToEnd() }
        #expect(statuses(answer) == [200])
        #expect(answer.contains("Connection: close\r\n"))
        await server.stop()
    }

    @Test func whatTakesTooLongIsCut() async throws {
        let server = try LoopbackServer(limits: shortLimits()) { _ in
            try? await Task.sleep(for: .seconds(60))
            return .text("slept")
        }
        let socket = try RawSocket(port: server.port)
        socket.send(getRoot)
        #expect(await eventually { await server.requestsInFlight() == 1 })
        await server.stop()
        #expect(await onThread { socket.readToEnd() } == "")
    }

    /// Clients that send as fast as they can, each on its own connection, until it is closed on them:
    /// each request whose bytes the server took is answered.
    @Test func nothingAcceptedIsLostUnderLoad() async throws {
        let server = try LoopbackServer(
            loops: 2, limits: shortLimits { $0.drainIdle = 2_000_000_000 }
        ) {
            request in
            try? await Task.sleep(for: .milliseconds(1))
            return await echo(request)
        }
        let port = server.port
        let answered = Tally()
        let clients = (0..<8).map { _ in
            Task { await onThread { askUntilClosed(port: port, answered) } }
        }
        #expect(await eventually { answered.count > 200 })
        await server.stop()
        for client in clients { #expect(await client.value) }
    }

    @Test func upgradesHandTheConnectionOver() async throws {
        let server = try LoopbackServer(limits: shortLimits()) { request in
            guard request.hasToken("echo", in: "upgrade") else { return await echo(request) }
            return HTTPResponse(
                101, fields: [.init("Upgrade", "echo"), .init("Connection", "Upgrade")],
                body: .upgrade { Echo(stream: $0) })
        }
        let socket = try RawSocket(port: server.port)
        // What is sent ahead belongs to the new protocol.
        socket.send(request("/", "Connection: Upgrade\r\nUpgrade: echo\r\n") + "early ")
        let answer = socket.read(through: "early ")
        #expect(answer.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
        #expect(answer.hasSuffix("Connection: Upgrade\r\n\r\nearly "))
        #expect(await server.openConnections() == 0)
        // The server's stop neither waits for it nor ends it: that is for whoever took it.
        await server.server.stop()
        socket.send("late")
        #expect(socket.read(through: "late") == "late")
        socket.endOutput()
        #expect(socket.isEnded())
        await server.stop()
    }

    @Test(arguments: [1, 2])
    func aBusyPortIsFound(loops count: Int) async throws {
        let first = try LoopbackServer(loops: 2, echo)
        let loops = try (0..<count).map { try EventLoop(index: $0) }
        let second = HTTPServer(
            host: "127.0.0.1", port: first.port, loops: loops,
            handler: ClosureHandler(bodyLimit: 0, respond: echo))
        let failure = #expect(throws: SystemError.self) { try second.start() }
        #expect(failure?.code == EADDRINUSE)
        await first.stop()
        // And a port that has become free is taken at once.
        let third = HTTPServer(
            host: "127.0.0.1", port: first.port, loops: loops,
            handler: ClosureHandler(bodyLimit: 0, respond: echo))
        #expect(try third.start() == first.port)
        for loop in loops { loop.start() }
        await third.stop()
        for loop in loops { loop.stop() }
    }

    @Test func everyLoopAccepts() async throws {
        let seen = Mutex<Set<Int>>([])
        let server = try LoopbackServer(loops: 2) { request in
            if let loop = EventLoop.current { seen.withLock { _ = $0.insert(loop.index) } }
            return await echo(request)
        }
        // The kernel spreads by a hash of the addresses, so some ports will do.
        #expect(
            await eventually {
                guard let socket = try? RawSocket(port: server.port) else { return false }
                socket.send(request("/", "Connection: close\r\n"))
                _ = socket.readToEnd()
                return seen.withLock { $0 } == [0, 1]
            })
        await server.stop()
    }
}

private final class Echo: StreamHandler, @unchecked Sendable {
    private let stream: TCPStream

    init(stream: TCPStream) { self.stream = stream }

    override func received(_ bytes: UnsafeMutableRawBufferPointer) {
        stream.send(UnsafeRawBufferPointer(bytes))
    }

    override func endOfInput() { stream.finish() }
}

/// Counts over threads.
private final class Tally: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add() { value.withLock { $0 += 1 } }
}

/// - Returns: whether every request got its answer, the last one with the word that it is the last.
private func askUntilClosed(port: Int, _ answered: Tally) -> Bool {
    guard let socket = try? RawSocket(port: port) else { return false }
    while true {
        socket.send(getRoot)
        let answer = socket.read(through: "GET / 0")
        if statuses(answer) != [200] { return false }
        answered.add()
        if answer.contains("Connection: close") { return true }
    }
}
