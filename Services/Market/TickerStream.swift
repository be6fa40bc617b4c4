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
    private let loops: [EventLoop]
    private let floors: [Floor]
    private let server: WebSocketServer
    private let hasPublished = Atomic(false)

    init(loops: [EventLoop]) {
        self.loops = loops
        floors = loops.map(Floor.init)
        server = WebSocketServer(loops: loops)
    }

    /// Whether no price was published yet.
    var isEmpty: Bool { !hasPublished.load(ordering: .relaxed) }

    /// Tells a price to everybody who wants it, on all loops.
    func publish(_ coin: ListedCoin, _ price: ExactDecimal, asOf: Instant) {
        guard let id = Coin.ID(rawValue: coin.id) else { return }
        let message = StreamMessage.ticker(
            id, coin.symbol, price, asOf: asOf, source: SimulatedExchange.source)
        guard let bytes = try? JSONCoder.standard.encode(message) else { return }
        let frame = SharedFrame.text(bytes)
        hasPublished.store(true, ordering: .relaxed)
        for floor in floors { floor.loop.execute { floor.publish(coin.id, frame) } }
    }

    func accept(_ context: Context) throws -> HTTPResponse {
        let floors = self.floors
        return try server.accept(context) { Subscriber(floors[$0.loop.index]) }
    }

    func stop() async { await server.stop() }

    /// Open sockets.
    var count: Int {
        get async {
            var count = 0
            let server = self.server
            for loop in loops { count += await loop.read { server.openSockets(on: loop) } }
            return count
        }
    }
}

/// The rooms of one loop. Used on its thread only.
private final class Floor: @unchecked Sendable {
    let loop: EventLoop
    private let all: Room
    private var rooms: [Int64: Room] = [:]

    init(loop: EventLoop) {
        self.loop = loop
        all = Room(loop: loop, policy: .conflate, window: Limits.streamWindow)
    }

    func publish(_ coin: Int64, _ frame: SharedFrame) {
        all.broadcast(frame, key: Int(coin))
        let room =
            rooms[coin] ?? Room(loop: loop, policy: .conflate, window: Limits.streamWindow)
        rooms[coin] = room
        room.broadcast(frame, key: Int(coin))
    }

    func joinAll(_ socket: WebSocketConnection) { all.join(socket, replaying: true) }

    /// - Returns: whether there is such a coin.
    func join(_ socket: WebSocketConnection, _ coin: Int64) -> Bool {
        guard let room = rooms[coin] else { return false }
        room.join(socket, replaying: true)
        return true
    }

    func isKnown(_ coin: Int64) -> Bool { rooms[coin] != nil }

    func leave(_ socket: WebSocketConnection, _ coin: Int64) { rooms[coin]?.leave(socket) }
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
            guard wantsAll ? floor.isKnown(coin) : floor.join(socket, coin) else {
                answer(.error("unknown_coin", coin: coin), socket)
                continue
            }
            coins.insert(coin)
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
}
