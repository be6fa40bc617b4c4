// `/v1/market/stream`: live prices by WebSocket. Every loop has a room for all coins and one for each coin; a price is
// encoded once and written once a turn to each room's members.
import Endpoints
import EventLoop
import HTTPServer
import JSON
import MarketAPI
import ServiceRuntime
import Synchronization
import Vocabulary
import WebSocket

/// The rooms of all loops.
final class TickerStream: Sendable {
    private let floors: [Floor]
    private let hasPublished = Atomic(false)

    init(loops: [EventLoop]) {
        floors = loops.map(Floor.init)
    }

    /// Whether no price was published yet.
    var isEmpty: Bool { !hasPublished.load(ordering: .relaxed) }

    /// Tells a price to everybody who wants it, on all loops.
    func publish(_ coin: ListedCoin, _ price: ExactDecimal, asOf: Instant) {
        guard let id = Coin.ID(rawValue: coin.id) else { return }
        let message = StreamMessage.ticker(
            id, coin.symbol, price, asOf: asOf, source: SimulatedExchange.source)
        guard let bytes = try? JSONCoder.standard.encode(message) else { return }
        let frame = FrameEncoder.text(bytes)
        hasPublished.store(true, ordering: .relaxed)
        for floor in floors { floor.loop.execute { floor.publish(coin.id, frame) } }
    }

    func accept(_ context: Context) throws -> HTTPResponse {
        do throws(HandshakeRefusal) {
            return try Handshake.accept(context.request) { [self] stream in
                floors[stream.loop.index].accept(stream)
            }
        } catch {
            throw Problem(error.status == 426 ? .upgradeRequired : .badRequest, error.detail)
        }
    }

    func closeAll() async {
        for floor in floors { await floor.loop.read { floor.registry.closeAll() } }
    }

    /// Open sockets.
    var count: Int {
        get async {
            var count = 0
            for floor in floors { count += await floor.loop.read { floor.registry.count } }
            return count
        }
    }
}

/// The rooms of one loop. Used on its thread only.
private final class Floor: @unchecked Sendable {
    let loop: EventLoop
    let registry: SocketRegistry
    private let all: Room
    private var rooms: [Int64: Room] = [:]
    /// The newest frame of each coin: what a newcomer and a reader that fell behind get.
    private var newest: [Int64: [UInt8]] = [:]

    init(loop: EventLoop) {
        self.loop = loop
        registry = SocketRegistry(loop: loop)
        all = Room(loop: loop, policy: .skip, window: Limits.streamWindow)
        all.caughtUp = { [unowned self] socket in
            for frame in newest.values { socket.send(frame: frame) }
        }
    }

    func publish(_ coin: Int64, _ frame: [UInt8]) {
        newest[coin] = frame
        all.broadcast(frame)
        room(coin).broadcast(frame)
    }

    func accept(_ stream: TCPStream) -> StreamHandler {
        let socket = WebSocketConnection(
            stream, role: .server, limits: WebSocketLimits(), delegate: Subscriber(self))
        registry.add(socket)
        return socket
    }

    func isKnown(_ coin: Int64) -> Bool { newest[coin] != nil }

    func joinAll(_ socket: WebSocketConnection) {
        all.join(socket)
        for coin in newest.keys.sorted() { newest[coin].map { socket.send(frame: $0) } }
    }

    func join(_ socket: WebSocketConnection, _ coin: Int64) {
        room(coin).join(socket)
        newest[coin].map { socket.send(frame: $0) }
    }

    func leave(_ socket: WebSocketConnection, _ coin: Int64) { rooms[coin]?.leave(socket) }

    func leaveAll(_ socket: WebSocketConnection) { all.leave(socket) }

    func drained(_ socket: WebSocketConnection) {
        all.drained(socket)
        for room in rooms.values { room.drained(socket) }
    }

    private func room(_ coin: Int64) -> Room {
        if let room = rooms[coin] { return room }
        let room = Room(loop: loop, policy: .skip, window: Limits.streamWindow)
        room.caughtUp = { [unowned self] socket in
            newest[coin].map { socket.send(frame: $0) }
        }
        rooms[coin] = room
        return room
    }
}

/// One socket's wishes.
private final class Subscriber: WebSocketDelegate, @unchecked Sendable {
    private let floor: Floor
    private var coins: Set<Int64> = []
    private var wantsAll = false

    init(_ floor: Floor) {
        self.floor = floor
        super.init()
    }

    override func text(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection) {
        guard let request = try? JSONCoder.standard.decode(StreamRequest.self, from: bytes) else {
            answer(.error("malformed"), socket)
            return
        }
        let wanted = request.subscribe ?? []
        if wanted.count > MarketLimits.subscriptions {
            answer(.error("too_many"), socket)
            return
        }
        if request.subscribe == nil && request.unsubscribe == nil { subscribeToAll(socket) }
        for coin in wanted where !coins.contains(coin) {
            guard floor.isKnown(coin) else {
                answer(.error("unknown_coin", coin: coin), socket)
                continue
            }
            coins.insert(coin)
            if !wantsAll { floor.join(socket, coin) }
        }
        for coin in request.unsubscribe ?? [] where coins.remove(coin) != nil {
            floor.leave(socket, coin)
        }
    }

    /// Everything includes what was named before; nobody gets a price twice.
    private func subscribeToAll(_ socket: WebSocketConnection) {
        if wantsAll { return }
        wantsAll = true
        for coin in coins { floor.leave(socket, coin) }
        floor.joinAll(socket)
    }

    override func binary(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection) {
        answer(.error("malformed"), socket)
    }

    private func answer(_ message: StreamMessage, _ socket: WebSocketConnection) {
        if let bytes = try? JSONCoder.standard.encode(message) { socket.send(text: bytes) }
    }

    override func drained(_ socket: WebSocketConnection) { floor.drained(socket) }

    override func closed(_ socket: WebSocketConnection, code: UInt16) {
        for coin in coins { floor.leave(socket, coin) }
        floor.leaveAll(socket)
    }
}
