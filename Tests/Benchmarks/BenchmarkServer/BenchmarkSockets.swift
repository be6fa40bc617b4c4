// The sockets of the benchmark service: one path echoes, one sends what it hears to everybody on the loop.
import Endpoints
import EventLoop
import HTTPServer
import ServiceRuntime
import WebSocket

/// Rooms and registries, one of each a loop.
final class BenchmarkSockets: Sendable {
    private let loops: [EventLoop]
    private let rooms: [Room]
    private let registries: [SocketRegistry]
    private let limits: WebSocketLimits

    init(_ loops: [EventLoop]) {
        self.loops = loops
        rooms = loops.map { Room(loop: $0, policy: .close, window: 8_388_608) }
        registries = loops.map(SocketRegistry.init)
        var limits = WebSocketLimits()
        // kosoku's largest message has 16 MB.
        limits.message = 20_000_000
        limits.outgoing = 64_000_000
        self.limits = limits
    }

    /// - Parameter delegate: `nil` joins the loop's room.
    func accept(_ context: Context, _ delegate: WebSocketDelegate?) throws -> HTTPResponse {
        do throws(HandshakeRefusal) {
            return try Handshake.accept(context.request) { [self] stream in
                let place = stream.loop.index
                let member = delegate ?? Member(rooms[place])
                let socket = WebSocketConnection(
                    stream, role: .server, limits: limits, delegate: member)
                registries[place].add(socket)
                if delegate == nil { rooms[place].join(socket) }
                return socket
            }
        } catch {
            throw Problem(error.status == 426 ? .upgradeRequired : .badRequest, error.detail)
        }
    }

    func closeAll() async {
        for (loop, registry) in zip(loops, registries) { await loop.read { registry.closeAll() } }
    }
}

/// Sends back what arrives.
final class Echo: WebSocketDelegate, @unchecked Sendable {
    override func text(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection) {
        socket.send(text: Array(bytes))
    }

    override func binary(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection) {
        socket.send(binary: Array(bytes))
    }
}

/// Sends what arrives to the room.
private final class Member: WebSocketDelegate, @unchecked Sendable {
    private let room: Room

    init(_ room: Room) {
        self.room = room
        super.init()
    }

    override func text(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection) {
        room.broadcast(text: bytes)
    }

    override func closed(_ socket: WebSocketConnection, code: UInt16) { room.leave(socket) }
}
