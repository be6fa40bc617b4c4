// The sockets of the benchmark service: one path echoes, one sends what it hears to everybody on the
// loop.
import EventLoop
import HTTPServer
import ServiceRuntime
import WebSocket

/// The service's sockets, and a room for each loop.
final class BenchmarkSockets: Sendable {
    private let rooms: Broadcaster
    private let server: WebSocketServer

    init(_ loops: [EventLoop]) {
        rooms = Broadcaster(loops: loops, policy: .close, window: 8_388_608)
        var limits = WebSocketLimits()
        // kosoku's largest message has 16 MB.
        limits.message = 20_000_000
        limits.outgoing = 64_000_000
        server = WebSocketServer(loops: loops, limits: limits)
    }

    func echo(_ context: Context) throws -> HTTPResponse {
        try server.accept(context) { _ in Echo() }
    }

    func broadcast(_ context: Context) throws -> HTTPResponse {
        let rooms = self.rooms
        return try server.accept(context) { socket in
            rooms.join(socket)
            return Member(rooms.room(on: socket.loop))
        }
    }

    func stop() async { await server.stop() }
}

/// Sends back what arrives.
private final class Echo: WebSocketDelegate, @unchecked Sendable {
    override func text(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection) {
        socket.send(text: bytes)
    }

    override func binary(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection) {
        socket.send(binary: bytes)
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
}
