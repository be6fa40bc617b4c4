// What the tests over real sockets share: a server, a delegate that remembers, and a client whose every
// byte a test decides.
import EventLoop
import HTTP
import HTTPServer
import Synchronization
import TestSupport
import WebSocket

/// A server whose every request is a handshake. `stop` when done.
final class SocketServer: Sendable {
    typealias Open = @Sendable (WebSocketConnection) -> WebSocketDelegate

    let loops: [EventLoop]
    let port: Int
    let sockets: WebSocketServer
    private let http: HTTPServer

    init(
        loops count: Int = 1, limits: WebSocketLimits = WebSocketLimits(),
        protocols: [String] = [], _ open: @escaping Open
    ) throws {
        let loops = try (0..<count).map { try EventLoop(index: $0) }
        let sockets = WebSocketServer(loops: loops, limits: limits)
        let handler = ClosureHandler(bodyLimit: 0) { request in
            do throws(HandshakeRefusal) {
                return try sockets.accept(request, protocols: protocols, open: open)
            } catch {
                return HTTPResponse(error.status, fields: error.fields)
            }
        }
        http = HTTPServer(host: "127.0.0.1", port: 0, loops: loops, handler: handler)
        port = try http.start()
        for loop in loops { loop.start() }
        self.loops = loops
        self.sockets = sockets
    }

    var loop: EventLoop { loops[0] }

    var address: String { "ws://127.0.0.1:\(port)/" }

    /// Open sockets of the first loop.
    func openSockets() async -> Int {
        let (loop, sockets) = (loop, sockets)
        return await loop.read { sockets.openSockets(on: loop) }
    }

    func stop() async {
        await sockets.stop()
        await http.stop()
        for loop in loops { loop.stop() }
    }

    /// Connects a client on the server's first loop, which changes nothing between them but the thread.
    func connect(
        protocols: [String] = [], limits: WebSocketLimits = WebSocketLimits(),
        _ delegate: WebSocketDelegate
    ) async throws -> WebSocketConnection {
        try await WebSocketClient.connect(
            address, protocols: protocols, limits: limits,
            deadline: EventLoop.now + 60_000_000_000, loop: loop
        ) { _ in delegate }
    }
}

/// Remembers what a socket reports, and echoes if told to.
final class Recorder: WebSocketDelegate, @unchecked Sendable {
    private let state = Mutex(State())
    private let echoes: Bool

    struct State: Sendable {
        var messages: [WebSocketMessage] = []
        var code: UInt16?
        var reason = ""
    }

    init(echoes: Bool = false) {
        self.echoes = echoes
        super.init()
    }

    var messages: [WebSocketMessage] { state.withLock { $0.messages } }
    var code: UInt16? { state.withLock { $0.code } }
    var reason: String { state.withLock { $0.reason } }

    override func text(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection) {
        if echoes { socket.send(text: bytes) } else { add(.text(Array(bytes))) }
    }

    override func binary(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection) {
        if echoes { socket.send(binary: bytes) } else { add(.binary(Array(bytes))) }
    }

    override func closed(_ socket: WebSocketConnection, code: UInt16, reason: String) {
        state.withLock {
            $0.code = code; $0.reason = reason
        }
    }

    private func add(_ message: WebSocketMessage) {
        state.withLock { $0.messages.append(message) }
    }
}

/// Keeps what a server's `open` was given.
final class Sockets: Sendable {
    private let list = Mutex<[WebSocketConnection]>([])

    func add(_ socket: WebSocketConnection) { list.withLock { $0.append(socket) } }

    func removeAll() { list.withLock { $0 = [] } }

    var all: [WebSocketConnection] { list.withLock { $0 } }

    /// Runs a body with the first socket on its loop.
    func first<Value: Sendable>(
        _ body: @escaping @Sendable (WebSocketConnection) -> Value
    ) async -> Value? {
        guard let socket = all.first else { return nil }
        return await socket.loop.read { body(socket) }
    }
}

/// A client made of bytes. Blocking: use it on a thread of its own.
final class RawPeer: @unchecked Sendable {
    let socket: RawSocket
    private var decoder = FrameDecoder(role: .client, maximumMessage: 64_000_000)
    private var events: [DecodedEvent] = []

    /// Connects and shakes hands.
    /// - Parameter early: sent together with the request, before its answer.
    init(
        port: Int, early: [UInt8] = [], patience: Int = 10, receiveBuffer: Int32? = nil
    ) throws {
        socket = try RawSocket(port: port, patience: patience, receiveBuffer: receiveBuffer)
        let head =
            "GET / HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        socket.send(Array(head.utf8) + early)
        var answer: [UInt8] = []
        while answer.suffix(4) != [13, 10, 13, 10], let byte = readByte() { answer.append(byte) }
        guard String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 101 ") else {
            throw HandshakeFailed()
        }
    }

    /// One byte at a time, so that no frame behind the head is swallowed.
    private func readByte() -> UInt8? { socket.read(atMost: 1)?.first }

    func send(_ frame: RawFrame) { socket.send(frame.bytes) }

    /// The next event; `nil` when the connection or the patience has ended.
    func next() -> DecodedEvent? {
        while events.isEmpty {
            guard var bytes = socket.read() else { return nil }
            bytes.withUnsafeMutableBytes { buffer in
                do throws(WebSocketFault) {
                    try decoder.decode(buffer) { events.append(DecodedEvent($0)) }
                } catch {
                    events.append(.fault(error.code))
                }
            }
        }
        return events.removeFirst()
    }

    /// All events to the end of the connection.
    func rest() -> [DecodedEvent] {
        var all: [DecodedEvent] = []
        while let event = next() { all.append(event) }
        return all
    }
}

/// The server did not answer with 101.
struct HandshakeFailed: Error {}
