// Who reads slowly costs a bounded amount of memory, and what it then hears is documented.
import EventLoop
import Synchronization
import TestSupport
import Testing
import WebSocket

@Suite struct SlowReaderTests {
    /// A frame that no socket buffer holds many of: key, number, and filling.
    private static func frame(_ key: Int, _ number: Int) -> SharedFrame {
        .text("\(key) \(number) " + String(repeating: "x", count: 20_000))
    }

    /// Key and number of a received frame.
    private static func parts(_ event: DecodedEvent?) -> (key: Int, number: Int)? {
        guard case .text(let text) = event else { return nil }
        let fields = text.split(separator: " ").prefix(2).compactMap { Int($0) }
        return fields.count == 2 ? (fields[0], fields[1]) : nil
    }

    @Test func `more than the bound waiting closes with 1013, after what was queued`() async throws
    {
        var limits = WebSocketLimits()
        limits.outgoing = 1_000_000
        limits.closeDeadline = 10_000_000_000
        let recorder = Recorder()
        let sockets = Sockets()
        let server = try SocketServer(limits: limits) { socket in
            sockets.add(socket)
            return recorder
        }
        let port = server.port
        let peer = try await onThread {
            Result { try RawPeer(port: port, receiveBuffer: 8192) }
        }.get()
        let sent = await sockets.first { socket in
            var sent = 0
            while !socket.isClosing && sent < 10_000 {
                socket.send(frame: Self.frame(0, sent))
                sent += 1
            }
            #expect(socket.outgoingBytes < 1_200_000)
            return sent
        }
        let events = await onThread { peer.rest() }
        #expect(events.last == .close(1013, "reading too slowly"))
        #expect(events.dropLast().compactMap { Self.parts($0)?.number } == Array(0..<(sent ?? 0)))
        #expect(await eventually { recorder.code == 1013 })
        await server.stop()
    }

    @Test func `a peer that asks without listening is not read from`() async throws {
        let sockets = Sockets()
        let server = try SocketServer { socket in
            sockets.add(socket)
            return Recorder(echoes: true)
        }
        let port = server.port
        let text = String(repeating: "y", count: 50_000)
        let (peer, isStuck) = try await onThread {
            Result {
                let peer = try RawPeer(port: port, patience: 1, receiveBuffer: 8192)
                // Each is echoed and the echo not read; at some point nothing more is taken.
                let frame = RawFrame.text(text).bytes
                var isStuck = false
                for _ in 0..<1000 where !isStuck {
                    isStuck = !peer.socket.send(frame)
                }
                return (peer, isStuck)
            }
        }.get()
        #expect(isStuck)
        let waiting = await sockets.first { $0.outgoingBytes } ?? 0
        #expect(waiting < WebSocketLimits().outgoing)
        #expect(await server.openSockets() == 1)
        // Once it listens, it gets its answers.
        let answers = await onThread { (0..<20).map { _ in peer.next() } }
        #expect(answers == Array(repeating: .text(text), count: 20))
        peer.socket.end()
        await server.stop()
    }

    @Test func `a task that is busy holds up its peer and loses nothing`() async throws {
        let gate = Gate()
        let received = Mutex<[Int]>([])
        let server = try SocketServer { socket in
            let queue = MessageQueue(socket, window: 100_000)
            socket.loop.spawn {
                await gate.wait()
                while let message = await queue.next() {
                    if case .text(let bytes) = message, let space = bytes.firstIndex(of: 0x20) {
                        let number = Int(String(decoding: bytes[..<space], as: UTF8.self)) ?? -1
                        received.withLock { $0.append(number) }
                    }
                }
                received.withLock { $0.append(Int(queue.closure?.code ?? 0)) }
            }
            return queue
        }
        let port = server.port
        let filling = String(repeating: "z", count: 30_000)
        let peer = try await onThread { Result { try RawPeer(port: port, patience: 1) } }.get()
        let stuckAt = await onThread { () -> Int in
            // What a failed send leaves half sent is finished below.
            for number in 0..<2000 {
                var frame = RawFrame.text("\(number) \(filling)")
                frame.mask = [0, 0, 0, 0]
                if !peer.socket.send(frame.bytes) { return number }
            }
            return 2000
        }
        #expect(stuckAt < 2000)
        gate.open()
        #expect(await eventually { received.withLock { $0.count } >= stuckAt })
        #expect(received.withLock { Array($0.prefix(stuckAt)) } == Array(0..<stuckAt))
        peer.socket.end()
        #expect(await eventually { received.withLock { $0.last } == 1006 })
        await server.stop()
    }

    @Test func `a conflating room gives a slow reader the newest of each key`() async throws {
        let rooms = Mutex<Broadcaster?>(nil)
        let server = try SocketServer { socket in
            rooms.withLock { $0 }?.join(socket)
            return Recorder()
        }
        let broadcaster = Broadcaster(loops: server.loops, policy: .conflate, window: 100_000)
        rooms.withLock { $0 = broadcaster }
        let port = server.port
        let slow = try await onThread {
            Result { try RawPeer(port: port, receiveBuffer: 8192) }
        }.get()
        let count = 600
        for number in 0..<count {
            broadcaster.broadcast(Self.frame(number % 3, number), key: number % 3)
        }
        let numbers = await onThread {
            var numbers: [[Int]] = [[], [], []]
            while let (key, number) = Self.parts(slow.next()) {
                numbers[key].append(number)
                if numbers.allSatisfy({ ($0.last ?? 0) >= count - 3 }) { break }
            }
            return numbers
        }
        for key in 0..<3 {
            #expect(numbers[key].last == count - 3 + key)
            #expect(numbers[key] == numbers[key].sorted())
            #expect(Set(numbers[key]).count == numbers[key].count)
        }
        #expect(numbers.joined().count < count)
        // It keeps up again and hears everything.
        broadcaster.broadcast(.text("9 9"))
        let last = await onThread { Self.parts(slow.next()) }
        #expect(last?.number == 9)
        slow.socket.end()
        await server.stop()
    }

    @Test func `a closing room gives up who is slow and keeps the others`() async throws {
        var limits = WebSocketLimits()
        limits.closeDeadline = 100_000_000
        // On a busy machine this takes longer than the silence after which it would ask.
        limits.pingAfter = 600_000_000_000
        limits.closeAfter = 600_000_000_000
        let recorder = Recorder()
        let rooms = Mutex<Broadcaster?>(nil)
        let server = try SocketServer(limits: limits) { socket in
            rooms.withLock { $0 }?.join(socket)
            return recorder
        }
        let broadcaster = Broadcaster(loops: server.loops, policy: .close, window: 100_000)
        rooms.withLock { $0 = broadcaster }
        let port = server.port
        let slow = try await onThread {
            Result { try RawPeer(port: port, receiveBuffer: 8192) }
        }.get()
        let fast = try await onThread { Result { try RawPeer(port: port) } }.get()
        let count = 400
        var heard: [Int] = []
        for number in 0..<count {
            // At the fast one's pace, so that only the slow one falls behind.
            broadcaster.broadcast(Self.frame(0, number))
            heard.append(await onThread { Self.parts(fast.next())?.number } ?? -1)
            if heard.last != number { break }
        }
        #expect(heard == Array(0..<count))
        #expect(await eventually { recorder.code == 1013 })
        let members = await server.loop.read { broadcaster.room(on: server.loop).count }
        #expect(members == 1)
        slow.socket.end()
        fast.socket.end()
        await server.stop()
    }

    @Test func `rooms: newcomers, replay, several rooms, leaving`() async throws {
        let sockets = Sockets()
        let server = try SocketServer { socket in
            sockets.add(socket)
            return Recorder()
        }
        let port = server.port
        let peer = try await onThread { Result { try RawPeer(port: port) } }.get()
        let loop = server.loop
        await sockets.first { socket in
            let first = Room(loop: loop, policy: .conflate)
            let second = Room(loop: loop, policy: .close)
            first.broadcast(.text("a1"), key: 1)
            first.broadcast(.text("b1"), key: 2)
            first.broadcast(.text("a2"), key: 1)
            first.broadcast(.text("c1"), key: 3)
            first.forget(key: 3)
            first.join(socket, replaying: true)
            second.join(socket)
            second.join(socket)
            #expect(first.count == 1 && second.count == 1)
            first.broadcast(.text("a3"), key: 1)
            second.broadcast(.text("s1"))
            second.leave(socket)
            second.broadcast(.text("s2"))
            #expect(second.count == 0)
            loop.schedule(after: 1_000_000) {
                first.broadcast(.text("end"))
            }
        }
        let events = await onThread { (0..<4).map { _ in peer.next() } }
        #expect(events == [.text("b1"), .text("a2"), .text("a3"), .text("end")])
        peer.socket.end()
        await server.stop()
    }
}

/// Opens once for all who wait.
private final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>(
        (false, []))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
