// LISTEN on a connection of its own per loop, which comes back after a loss and says that something
// may have been missed: PostgreSQL keeps no notifications for those who are away.
import CPostgres
import EventLoop

/// What a listener of a channel is told.
package enum ChannelEvent: Sendable, Equatable {
    /// Notifications arrive from here on. What was sent before may have been missed, so read the
    /// state now. Comes first, and again after every reconnect.
    case listening
    /// The payload of a notification.
    case notification(String)
}

/// A channel being listened to, until cancelled.
package struct Subscription: Sendable {
    let listener: Listener
    let channel: String
    let number: Int

    /// Ends it. Callable from any thread; events already under way may still arrive.
    package func cancel() {
        listener.loop.execute { listener.unsubscribe(channel, number) }
    }
}

final class Listener: @unchecked Sendable {
    /// Nanoseconds between two questions whether the connection still lives, and the limit for the
    /// answer.
    static let heartbeat: UInt64 = 30_000_000_000
    static let answerLimit: UInt64 = 5_000_000_000

    let configuration: DatabaseConfiguration
    let loop: EventLoop
    private let counters: PoolCounters
    private var handlers: [String: [Int: @Sendable (ChannelEvent) -> Void]] = [:]
    private var listening: Set<String> = []
    private var connection: ListenerConnection?
    private var isConnecting = false
    private var isShutDown = false
    private var backoff = Backoff()
    private var timer: LoopTimer?
    /// Channels that the command under way adds.
    private var adding: Set<String> = []

    init(_ configuration: DatabaseConfiguration, on loop: EventLoop, _ counters: PoolCounters) {
        self.configuration = configuration
        self.loop = loop
        self.counters = counters
    }

    // MARK: Subscribers (loop thread only)

    func subscribe(
        _ channel: String, _ number: Int, _ handler: @escaping @Sendable (ChannelEvent) -> Void
    ) {
        if isShutDown { return }
        handlers[channel, default: [:]][number] = handler
        if listening.contains(channel) {
            handler(.listening)
        } else {
            advance()
        }
    }

    func unsubscribe(_ channel: String, _ number: Int) {
        handlers[channel]?[number] = nil
        if handlers[channel]?.isEmpty == true { handlers[channel] = nil }
        advance()
    }

    func shutDown() {
        isShutDown = true
        handlers = [:]
        timer?.cancel()
        connection?.close()
        connection = nil
    }

    // MARK: Connection

    /// Brings the connection to what the subscribers want.
    private func advance() {
        guard let connection else { return connect() }
        if connection.isBusy { return }
        let wanted = Set(handlers.keys)
        adding = wanted.subtracting(listening)
        let dropping = listening.subtracting(wanted)
        if adding.isEmpty && dropping.isEmpty { return scheduleHeartbeat() }
        listening.subtract(dropping)
        let commands =
            adding.map { "listen \(Self.quote($0));" }
            + dropping.map { "unlisten \(Self.quote($0));" }
        send(commands.joined(separator: " "), on: connection)
    }

    private func send(_ command: String, on connection: ListenerConnection) {
        guard connection.send(command) else { return lost(connection) }
        timer?.cancel()
        timer = loop.schedule(after: Self.answerLimit) { [weak self, weak connection] in
            guard let self, let connection else { return }
            self.lost(connection)
        }
    }

    private func scheduleHeartbeat() {
        timer?.cancel()
        timer = loop.schedule(after: Self.heartbeat) { [weak self] in
            guard let self, let connection = self.connection else { return }
            self.send("select 1", on: connection)
        }
    }

    private func connect() {
        if isConnecting || isShutDown || handlers.isEmpty || timer?.isPending == true { return }
        isConnecting = true
        Connector.connect(configuration, as: .notifications, on: loop) { [self] result in
            isConnecting = false
            switch result {
            case .success(let open):
                PoolCounters.count(counters.connects)
                let connection = ListenerConnection(open, self)
                if isShutDown { return connection.close() }
                self.connection = connection
                advance()
            case .failure: retry()
            }
        }
    }

    private func retry() {
        if isShutDown { return }
        var random = SystemRandomNumberGenerator()
        let delay = backoff.failed(using: &random)
        timer?.cancel()
        timer = loop.schedule(after: delay) { [weak self] in self?.connect() }
    }

    // MARK: Called by the connection

    func answered(_ connection: ListenerConnection, succeeded: Bool) {
        guard succeeded else { return lost(connection) }
        backoff.succeeded()
        timer?.cancel()
        let added = adding
        adding = []
        listening.formUnion(added)
        for channel in added { deliver(.listening, to: channel) }
        advance()
    }

    func deliver(_ event: ChannelEvent, to channel: String) {
        guard let handlers = handlers[channel] else { return }
        for handler in handlers.values { handler(event) }
    }

    func lost(_ connection: ListenerConnection) {
        guard self.connection === connection else { return }
        PoolCounters.count(counters.losses)
        connection.close()
        self.connection = nil
        listening = []
        adding = []
        retry()
    }

    /// A channel name as an identifier, so that its case is kept as in `pg_notify`.
    static func quote(_ channel: String) -> String {
        "\""
            + channel.split(separator: "\"", omittingEmptySubsequences: false).joined(
                separator: "\"\"")
            + "\""
    }
}

/// The connection of a listener: plain, not pipelined, one command at a time.
final class ListenerConnection: Watcher, @unchecked Sendable {
    private let raw: OpaquePointer
    private let listener: Listener
    private(set) var isBusy = false
    private var isClosed = false
    private var succeeded = true

    init(_ connection: OpenConnection, _ listener: Listener) {
        raw = connection.raw
        self.listener = listener
        super.init(descriptor: PQsocket(connection.raw))
        listener.loop.register(self, for: [.readable])
    }

    /// Commands are short: they fit the socket's buffer or the connection is given up.
    func send(_ command: String) -> Bool {
        isBusy = true
        succeeded = true
        return PQsendQuery(raw, command) == 1 && PQflush(raw) == 0
    }

    override func ready(_ readiness: Readiness) {
        if isClosed { return }
        guard PQconsumeInput(raw) == 1 else { return listener.lost(self) }
        let listener = self.listener
        var finished = false
        while isBusy, PQisBusy(raw) == 0 {
            guard let result = PQgetResult(raw) else {
                isBusy = false
                finished = true
                break
            }
            if PQresultStatus(result) == PGRES_FATAL_ERROR { succeeded = false }
            PQclear(result)
        }
        // The channels of this command are announced before the notifications that came behind it.
        if finished { listener.answered(self, succeeded: succeeded) }
        while !isClosed, let notification = PQnotifies(raw) {
            defer { PQfreemem(notification) }
            let channel = String(cString: notification.pointee.relname)
            let payload = String(cString: notification.pointee.extra)
            listener.deliver(.notification(payload), to: channel)
        }
    }

    func close() {
        if isClosed { return }
        isClosed = true
        listener.loop.unregister(self)
        PQfinish(raw)
    }
}
