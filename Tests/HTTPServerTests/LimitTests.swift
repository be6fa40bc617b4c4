// Bounds: deadlines, connections, slow readers.

import EventLoop
import HTTP
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite struct LimitTests {

    @Test func headsHaveADeadline() async throws {
        let server = try LoopbackServer(limits: shortLimits(), echo)
        let silent = try RawSocket(port: server.port)
        let port = server.port
        async let answer = onThread {
            guard let dripping = try? RawSocket(port: port) else { return "" }
            dripping.send("GET / HTTP/1.1\r\nHost: a\r\nX: ")
            // Each byte comes in time, all of them never do.
            var sent = 0
            while sent < 5000, dripping.send("a"), !dripping.hasInput(within: 20) { sent += 1 }
            return dripping.readToEnd()
        }
        #expect(statuses(await answer) == [408])
        #expect(await onThread { silent.readToEnd() } == "")
        #expect(await eventually { await server.openConnections() == 0 })
        await server.stop()
    }

    @Test func laterHeadsHaveOneToo() async throws {
        let server = try LoopbackServer(limits: shortLimits(), echo)
        let socket = try RawSocket(port: server.port)
        socket.send(getRoot)
        #expect(statuses(socket.read(through: "GET / 0")) == [200])
        socket.send("GET / HTT")
        #expect(statuses(await onThread { socket.readToEnd() }) == [408])
        await server.stop()
    }

    @Test(arguments: ["Content-Length: 1000\r\n", "Transfer-Encoding: chunked\r\n"])
    func bodiesHaveADeadline(framing: String) async throws {
        let server = try LoopbackServer(limits: shortLimits(), echo)
        let socket = try RawSocket(port: server.port)
        let answer = await onThread {
            socket.send(request("/", framing, method: "POST"))
            if framing.hasPrefix("T") { socket.send("500\r\n") }
            var sent = 0
            while sent < 900, socket.send("a"), !socket.hasInput(within: 20) { sent += 1 }
            return socket.readToEnd()
        }
        #expect(statuses(answer) == [408])
        await server.stop()
    }

    @Test func unusedConnectionsEnd() async throws {
        let server = try LoopbackServer(
            limits: shortLimits { $0.idleDeadline = 300_000_000 }, echo)
        let socket = try RawSocket(port: server.port)
        socket.send(getRoot)
        #expect(await onThread { socket.readToEnd() }.hasSuffix("GET / 0"))
        await server.stop()
    }

    @Test func slowReadersHoldTheProducerBack() async throws {
        let (pieces, size) = (500, 100_000)
        let written = Mutex(0)
        let server = try LoopbackServer(limits: shortLimits { $0.writeDeadline = .max / 4 }) { _ in
            HTTPResponse(
                200, fields: [],
                body: .stream { writer in
                    for _ in 0..<pieces {
                        try await writer.write([UInt8](repeating: 0x61, count: size))
                        written.withLock { $0 += size }
                    }
                })
        }
        let socket = try RawSocket(port: server.port, receiveBuffer: 20_000)
        socket.send(getRoot)
        var last = -1
        // Until no more is written between two looks.
        #expect(
            await eventually {
                try? await Task.sleep(for: .milliseconds(100))
                defer { last = written.withLock { $0 } }
                return last > 0 && last == written.withLock { $0 }
            })
        // The kernel's buffer and the window take something, but far from all.
        #expect(last < pieces * size / 2, "\(last) bytes were written for nobody")
        let length = await onThread {
            var length = 0
            while let more = socket.read() {
                length += more.count
                if more.suffix(7).elementsEqual("\r\n0\r\n\r\n".utf8) { break }
            }
            return length
        }
        #expect(length > pieces * size)
        #expect(written.withLock { $0 } == pieces * size)
        socket.end()
        await server.stop()
    }

    @Test(arguments: [true, false])
    func readersThatNeverReadAreCut(streamed: Bool) async throws {
        let size = 30_000_000
        let handled = Mutex(false)
        let server = try LoopbackServer(limits: shortLimits()) { _ in
            handled.withLock { $0 = true }
            let body = [UInt8](repeating: 0x61, count: size)
            if !streamed { return HTTPResponse(200, body: body) }
            return HTTPResponse(200, fields: [], body: .stream { try await $0.write(body) })
        }
        let socket = try RawSocket(port: server.port, receiveBuffer: 20_000)
        socket.send(getRoot)
        #expect(await eventually { handled.withLock { $0 } })
        #expect(await eventually { await server.openConnections() == 0 })
        #expect(await eventually { await server.requestsInFlight() == 0 })
        withExtendedLifetime(socket) {}
        await server.stop()
    }

    @Test func whatWaitsForAPipelinerThatNeverReadsIsBounded() async throws {
        let handled = Mutex(0)
        let size = 1_000_000
        let server = try LoopbackServer(limits: shortLimits()) { _ in
            handled.withLock { $0 += 1 }
            return HTTPResponse(200, body: [UInt8](repeating: 0x61, count: size))
        }
        let socket = try RawSocket(port: server.port, receiveBuffer: 20_000)
        // More than the kernel keeps for the two.
        let wire = String(repeating: getRoot, count: 1_000_000)
        // Ends when the server no longer reads, and then ends the connection.
        let sent = await onThread { socket.send(wire) }
        #expect(!sent)
        #expect(await eventually { await server.openConnections() == 0 })
        #expect(handled.withLock { $0 } < 20)
        await server.stop()
    }

    @Test func connectionsAreLimited() async throws {
        let server = try LoopbackServer(limits: shortLimits { $0.connections = 3 }, echo)
        var sockets: [RawSocket] = []
        for _ in 0..<3 {
            let socket = try RawSocket(port: server.port)
            socket.send(getRoot)
            #expect(statuses(socket.read(through: "GET / 0")) == [200])
            sockets.append(socket)
        }
        let surplus = try RawSocket(port: server.port)
        #expect(surplus.isEnded())
        #expect(await server.openConnections() == 3)
        sockets.removeLast().end()
        #expect(await eventually { await server.openConnections() == 2 })
        let next = try RawSocket(port: server.port)
        next.send(getRoot)
        #expect(statuses(next.read(through: "GET / 0")) == [200])
        await server.stop()
    }

    /// A client that is gone while reading is off must not keep the loop busy.
    @Test func aResetWhileReadingIsPausedEndsQuietly() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            await gate.pass()
            return await echo(request)
        }
        do {
            let socket = try RawSocket(port: server.port, patience: 1)
            socket.endByReset()
            let surplus = String(repeating: getRoot, count: 200_000)
            #expect(!socket.send(surplus), "reading goes on")
            #expect(gate.arrived == 1)
        }
        #expect(await eventually { await server.openConnections() == 0 })
        gate.open()
        #expect(await eventually { await server.requestsInFlight() == 0 })
        #expect(gate.arrived == 1)
        await server.stop()
    }
}
