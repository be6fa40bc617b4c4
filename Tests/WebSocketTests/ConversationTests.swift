// Server and client over real sockets: messages, closing, silence, and peers that misbehave.
import EventLoop
import HTTPServer
import Synchronization
import TestSupport
import Testing
import WebSocket

@Suite struct ConversationTests {
    @Test func `messages there and back, in order and of any size`() async throws {
        let server = try SocketServer { _ in Recorder(echoes: true) }
        let heard = Recorder()
        let socket = try await server.connect(heard)
        let sizes = [0, 1, 125, 126, 65_535, 65_536]
        let sent = sizes.map { WebSocketMessage.binary([UInt8](repeating: 7, count: $0)) }
        await server.loop.read {
            socket.send(text: "안녕")
            for size in sizes { socket.send(binary: [UInt8](repeating: 7, count: size)) }
            socket.send(text: Array("end".utf8))
        }
        let expected = [.text(Array("안녕".utf8))] + sent + [.text(Array("end".utf8))]
        #expect(await eventually { heard.messages.count == expected.count })
        #expect(heard.messages == expected)
        await server.stop()
    }

    @Test func `a subprotocol is agreed on`() async throws {
        let sockets = Sockets()
        let server = try SocketServer(protocols: ["v2", "v1"]) { socket in
            sockets.add(socket)
            return Recorder()
        }
        let socket = try await server.connect(protocols: ["v1", "v2"], Recorder())
        #expect(socket.subprotocol == "v1")
        #expect(await sockets.first { $0.subprotocol } == "v1")
        await server.stop()
    }

    @Test func `frames sent together with the handshake`() async throws {
        let server = try SocketServer { _ in Recorder(echoes: true) }
        let port = server.port
        let event = try await onThread {
            Result { try RawPeer(port: port, early: RawFrame.text("early").bytes).next() }
        }.get()
        #expect(event == .text("early"))
        await server.stop()
    }

    @Test func `more than a pipeline's worth sent together with the handshake`() async throws {
        let server = try SocketServer { _ in Recorder(echoes: true) }
        let port = server.port
        let text = String(repeating: "x", count: 60_000)
        let early = (0..<8).flatMap { _ in RawFrame.text(text).bytes }
        let events = try await onThread {
            Result {
                let peer = try RawPeer(port: port, early: early)
                return (0..<8).map { _ in peer.next() }
            }
        }.get()
        #expect(events == Array(repeating: .text(text), count: 8))
        await server.stop()
    }

    @Test func `pings are answered with their payload`() async throws {
        let server = try SocketServer { _ in Recorder() }
        let port = server.port
        let event = try await onThread {
            Result {
                let peer = try RawPeer(port: port)
                peer.send(RawFrame(opcode: 9, payload: [1, 2, 3]))
                return peer.next()
            }
        }.get()
        #expect(event == .pong([1, 2, 3]))
        await server.stop()
    }

    // MARK: Closing

    @Test func `both ends learn code and reason, whoever closes`() async throws {
        let there = Recorder()
        let sockets = Sockets()
        let server = try SocketServer { socket in
            sockets.add(socket)
            return there
        }
        let here = Recorder()
        let socket = try await server.connect(here)
        await server.loop.read { socket.close(CloseCode(rawValue: 4000), "bye") }
        #expect(await eventually { there.code == 4000 && here.code == 4000 })
        #expect(there.reason == "bye")
        #expect(await eventually { await server.openSockets() == 0 })

        let other = Recorder()
        _ = try await server.connect(other)
        let last = sockets.all[1]
        await server.loop.read { last.close(.policyViolation, "no") }
        #expect(await eventually { other.code == 1008 })
        #expect(other.reason == "no")
        await server.stop()
    }

    @Test func `a close frame is answered and ends the connection`() async throws {
        let recorder = Recorder()
        let server = try SocketServer { _ in recorder }
        let port = server.port
        let events = try await onThread {
            Result {
                let peer = try RawPeer(port: port)
                peer.send(.close(1000, "done"))
                return peer.rest()
            }
        }.get()
        #expect(events == [.close(1000, "")])
        #expect(await eventually { recorder.code == 1000 })
        await server.stop()
    }

    @Test func `a close without code is answered in kind`() async throws {
        let recorder = Recorder()
        let server = try SocketServer { _ in recorder }
        let port = server.port
        let events = try await onThread {
            Result {
                let peer = try RawPeer(port: port)
                peer.send(RawFrame(opcode: 8))
                return peer.rest()
            }
        }.get()
        #expect(events == [.close(nil, "")])
        #expect(await eventually { recorder.code == 1005 })
        await server.stop()
    }

    @Test func `a peer that never answers a close is cut at the deadline`() async throws {
        var limits = WebSocketLimits()
        limits.closeDeadline = 50_000_000
        let recorder = Recorder()
        let server = try SocketServer(limits: limits) { socket in
            socket.close(.goingAway)
            return recorder
        }
        let port = server.port
        let events = try await onThread { Result { try RawPeer(port: port).rest() } }.get()
        #expect(events == [.close(1001, "")])
        #expect(await eventually { recorder.code == 1001 })
        await server.stop()
    }

    @Test func `a connection that just ends is abnormal`() async throws {
        let recorder = Recorder()
        let server = try SocketServer { _ in recorder }
        let port = server.port
        _ = try await onThread { Result { try RawPeer(port: port).socket.end() } }.get()
        #expect(await eventually { recorder.code == 1006 })
        #expect(await server.openSockets() == 0)
        await server.stop()
    }

    @Test(arguments: [
        (RawFrame.text("a").unmasked(), 1002), (RawFrame(opcode: 1, payload: [0xFF]), 1007),
        (RawFrame(opcode: 2, payload: [UInt8](repeating: 0, count: 101)), 1009),
    ])
    func `what is against the rules ends the connection with its code`(
        frame: RawFrame, code: Int
    ) async throws {
        var limits = WebSocketLimits()
        limits.message = 100
        let recorder = Recorder()
        let server = try SocketServer(limits: limits) { _ in recorder }
        let port = server.port
        let events = try await onThread {
            Result {
                let peer = try RawPeer(port: port)
                peer.send(frame)
                return peer.rest()
            }
        }.get()
        guard case .close(let sent, _) = events.last else {
            Issue.record("no close frame in \(events)")
            return
        }
        #expect(sent == UInt16(code))
        #expect(await eventually { recorder.code == UInt16(code) })
        #expect(recorder.messages.isEmpty)
        await server.stop()
    }

    @Test func `a stop tells everybody, waits for them, and refuses newcomers`() async throws {
        let there = Recorder()
        let server = try SocketServer(loops: 2) { _ in there }
        let recorders = (0..<4).map { _ in Recorder() }
        for recorder in recorders { _ = try await server.connect(recorder) }
        await server.sockets.stop()
        #expect(there.code == 1001)
        for recorder in recorders { #expect(await eventually { recorder.code == 1001 }) }
        await #expect(throws: WebSocketClientError.refused(status: 503)) {
            try await server.connect(Recorder())
        }
        await server.stop()
    }

    @Test func `the number of sockets is bounded`() async throws {
        var limits = WebSocketLimits()
        limits.sockets = 1
        let server = try SocketServer(limits: limits) { _ in Recorder() }
        let first = try await server.connect(Recorder())
        await #expect(throws: WebSocketClientError.refused(status: 503)) {
            try await server.connect(Recorder())
        }
        await server.loop.read { first.close() }
        #expect(await eventually { await server.openSockets() == 0 })
        _ = try await server.connect(Recorder())
        await server.stop()
    }

    @Test func `nothing keeps a closed socket alive`() async throws {
        final class Witness: WebSocketDelegate, @unchecked Sendable {
            private let ended: Mutex<Int>.Box
            var socket: WebSocketConnection?

            init(_ ended: Mutex<Int>.Box) {
                self.ended = ended
                super.init()
            }

            deinit { ended.mutex.withLock { $0 += 1 } }
        }
        let ended = Mutex<Int>.Box()
        let server = try SocketServer { socket in
            let witness = Witness(ended)
            witness.socket = socket
            return witness
        }
        let port = server.port
        for _ in 0..<3 {
            _ = try await onThread { Result { try RawPeer(port: port).socket.end() } }.get()
        }
        #expect(await eventually { ended.mutex.withLock { $0 } == 3 })
        await server.stop()
    }

    // MARK: Silence

    @Test func `a silent peer is asked, and given up when it stays silent`() async throws {
        var limits = WebSocketLimits()
        limits.pingAfter = 20_000_000
        limits.closeAfter = 150_000_000
        let recorder = Recorder()
        let server = try SocketServer(limits: limits) { _ in recorder }
        let port = server.port
        let events = try await onThread { Result { try RawPeer(port: port).rest() } }.get()
        #expect(events == [.ping([])])
        #expect(await eventually { recorder.code == 1006 })
        await server.stop()
    }

    @Test func `a peer that answers is asked again and kept`() async throws {
        var limits = WebSocketLimits()
        limits.pingAfter = 20_000_000
        limits.closeAfter = 2_000_000_000
        let recorder = Recorder()
        let server = try SocketServer(limits: limits) { _ in recorder }
        let port = server.port
        let answers = try await onThread {
            Result {
                let peer = try RawPeer(port: port)
                var answers = 0
                while answers < 10, peer.next() == .ping([]) {
                    peer.send(RawFrame(opcode: 10))
                    answers += 1
                }
                peer.send(.close(1000))
                return answers
            }
        }.get()
        #expect(answers == 10)
        #expect(await eventually { recorder.code == 1000 })
        await server.stop()
    }
}

extension Mutex where Value == Int {
    /// A counter that several objects share.
    final class Box: Sendable {
        let mutex = Mutex(0)
    }
}
