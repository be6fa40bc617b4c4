// The connections of one loop to one peer: which are unused, who waits for one, and when another is
// opened. Waiting requests are served in order.
import EventLoop
import Glibc

/// Used on its loop's thread only.
final class Peer: @unchecked Sendable {
    private let origin: HTTPOrigin
    private let loop: EventLoop
    private let limits: PoolLimits
    /// The least recently used first; taken from the end, so that surplus ones age.
    private var idle: [ClientConnection] = []
    private var busy: [ObjectIdentifier: ClientConnection] = [:]
    private var waiting: [Exchange] = []
    private var connecting: [ObjectIdentifier: TCPConnect] = [:]
    /// How many of `connecting` belong to a request that is sent again and does not wait in line.
    private var reserved = 0
    /// Where requests are put together; nothing of it outlives a call.
    private var output: [UInt8] = []
    private var isOpening = false
    private var sweepIsDue = false
    private var isShutDown = false

    init(_ origin: HTTPOrigin, loop: EventLoop, limits: PoolLimits) {
        self.origin = origin
        self.loop = loop
        self.limits = limits
    }

    var connectionCount: Int { idle.count + busy.count + connecting.count }
    var waitingCount: Int { waiting.count }
    var isUnused: Bool { connectionCount == 0 && waiting.isEmpty }

    // MARK: Requests

    func submit(_ exchange: Exchange) {
        while let connection = idle.popLast() {
            // One that cannot be sent twice must not meet a connection that the peer has closed.
            if !exchange.request.mayBeReplayed && connection.hasInput {
                connection.close()
                continue
            }
            begin(exchange, on: connection)
            return
        }
        guard waiting.count < limits.waitingPerPeer else {
            exchange.fail(.tooManyWaiting)
            return
        }
        exchange.queue = self
        waiting.append(exchange)
        openIfNeeded()
    }

    /// Takes a request out of the line.
    func remove(_ exchange: Exchange) {
        exchange.queue = nil
        if let index = waiting.firstIndex(where: { $0 === exchange }) { waiting.remove(at: index) }
    }

    private func popWaiting() -> Exchange? {
        guard !waiting.isEmpty else { return nil }
        let exchange = waiting.removeFirst()
        exchange.queue = nil
        return exchange
    }

    private func begin(_ exchange: Exchange, on connection: ClientConnection) {
        busy[ObjectIdentifier(connection)] = connection
        output.removeAll(keepingCapacity: output.capacity < 1_048_576)
        exchange.request.encode(into: &output)
        output.withUnsafeBytes { connection.begin(exchange, $0) }
    }

    // MARK: Connections

    private func openIfNeeded() {
        // An attempt may fail before it returns and come back here.
        if isOpening { return }
        isOpening = true
        defer { isOpening = false }
        while connecting.count - reserved < waiting.count
            && connectionCount < limits.connectionsPerPeer
        {
            open(for: nil)
        }
    }

    /// - Parameter exchange: the request that has this connection to itself, if any.
    private func open(for exchange: Exchange?) {
        let attempt = TCPConnect(
            host: origin.host, port: origin.port,
            deadline: EventLoop.now &+ limits.connectDeadline, loop: loop)
        connecting[ObjectIdentifier(attempt)] = attempt
        if exchange != nil { reserved += 1 }
        attempt.start { [self] outcome in
            connecting[ObjectIdentifier(attempt)] = nil
            if exchange != nil { reserved -= 1 }
            switch outcome {
            case .success(let descriptor): opened(descriptor, for: exchange)
            case .failure(let error): failedToOpen(error, for: exchange)
            }
        }
    }

    private func opened(_ descriptor: Int32, for exchange: Exchange?) {
        if isShutDown {
            Glibc.close(descriptor)
            return
        }
        let connection = ClientConnection(peer: self, limits: limits)
        connection.start(TCPStream(descriptor: descriptor, loop: loop, handler: connection))
        if let exchange, !exchange.isFinished {
            begin(exchange, on: connection)
        } else {
            serve(connection)
        }
    }

    private func failedToOpen(_ error: HTTPClientError, for exchange: Exchange?) {
        let error = error == .timedOut ? .connect("connect to \(origin): timed out") : error
        if let exchange = exchange ?? waiting.first { exchange.fail(error) }
        openIfNeeded()
    }

    /// Gives a usable connection to whoever waits first, or keeps it.
    private func serve(_ connection: ClientConnection) {
        if let next = popWaiting() {
            begin(next, on: connection)
        } else if idle.count < limits.idlePerPeer {
            connection.idleSince = loop.turnBegan
            idle.append(connection)
            scheduleSweep()
        } else {
            connection.close()
        }
    }

    /// The connection has carried its exchange and can carry another.
    func release(_ connection: ClientConnection) {
        busy[ObjectIdentifier(connection)] = nil
        serve(connection)
    }

    /// The connection is closed.
    /// - Parameter exchange: a request that is to be sent again, on a connection of its own.
    func lost(_ connection: ClientConnection, replaying exchange: Exchange?) {
        if busy.removeValue(forKey: ObjectIdentifier(connection)) == nil,
            let index = idle.firstIndex(where: { $0 === connection })
        {
            idle.remove(at: index)
        }
        if isShutDown {
            exchange?.fail(.cancelled)
            return
        }
        if let exchange { open(for: exchange) }
        openIfNeeded()
    }

    private func scheduleSweep() {
        if sweepIsDue { return }
        sweepIsDue = true
        let pause = max(limits.idleDeadline / 4, 1_000_000)
        loop.schedule(after: pause) { [weak self] in self?.closeOutdated() }
    }

    private func closeOutdated() {
        sweepIsDue = false
        let now = loop.turnBegan
        for connection in idle where now - connection.idleSince >= limits.idleDeadline {
            connection.close()
        }
        if !idle.isEmpty { scheduleSweep() }
    }

    func shutDown() {
        isShutDown = true
        for exchange in waiting { exchange.fail(.cancelled) }
        for attempt in connecting.values { attempt.cancel() }
        for connection in idle + Array(busy.values) { connection.close() }
    }
}
