// The shared connections for reads: which one takes the next, and how they come back after a loss.
import EventLoop

/// The place of one shared connection, whether it is open or not.
final class ReadChannel: @unchecked Sendable {
    /// The first is kept open; others open when it is held up.
    let index: Int
    var connection: Connection?
    var isConnecting = false
    /// Reads that wait for the connection.
    var waiting = FIFO<PendingQuery>()
    var backoff = Backoff()
    var retry: LoopTimer?

    init(index: Int) {
        self.index = index
    }

    var load: Int { (connection?.queryCount ?? 0) + waiting.count }

    /// Fails what has run out of time and returns when to look again.
    func expire(at now: UInt64, _ counters: PoolCounters) -> UInt64 {
        var next = connection?.expire(at: now) ?? UInt64.max
        for query in waiting.removeAll() {
            if query.deadline <= now {
                PoolCounters.count(counters.timeouts)
                query.fail(PostgresError.timedOut)
            } else {
                next = min(next, query.deadline)
                waiting.append(query)
            }
        }
        return next
    }

    func failWaiting(_ error: PostgresError) {
        for query in waiting.removeAll() { query.fail(error) }
    }

    func shutDown() {
        retry?.cancel()
        failWaiting(.unavailable("shutting down"))
        connection?.close("shut down", isLoss: false)
    }
}

extension LoopPool {
    /// Opens the first shared connection, so that the first request does not wait for it.
    func start() {
        if channels[0].connection == nil, !channels[0].isConnecting { connect(channels[0]) }
    }

    /// Sends a read on the best shared connection, or lets it wait for one.
    func submitRead(_ query: PendingQuery) {
        if isShutDown { return query.fail(PostgresError.unavailable("shutting down")) }
        watch(query.deadline)
        if let connection = channels[0].connection, !connection.isHeldUp(at: now),
            connection.queryCount < configuration.maximumReads
        {
            return connection.share(query)
        }
        submitAround(query)
    }

    /// The first connection is missing or held up.
    private func submitAround(_ query: PendingQuery) {
        var best: ReadChannel?
        var opening: ReadChannel?
        for channel in channels {
            guard let connection = channel.connection else {
                if channel.isConnecting || channel.retry == nil { opening = opening ?? channel }
                continue
            }
            if !connection.isHeldUp(at: now), connection.queryCount < configuration.maximumReads {
                return connection.share(query)
            }
            if best == nil || channel.load < best?.load ?? 0 { best = channel }
        }
        if let opening { return wait(query, for: opening) }
        guard let connection = best?.connection else {
            return query.fail(PostgresError.unavailable(lastFailure ?? "reconnecting"))
        }
        guard connection.queryCount < configuration.maximumReads else {
            return query.fail(PostgresError.poolExhausted)
        }
        connection.share(query)
    }

    private func wait(_ query: PendingQuery, for channel: ReadChannel) {
        guard channel.waiting.count < configuration.maximumReads else {
            return query.fail(PostgresError.poolExhausted)
        }
        channel.waiting.append(query)
        if !channel.isConnecting { connect(channel) }
    }

    private func connect(_ channel: ReadChannel) {
        channel.isConnecting = true
        Connector.connect(configuration, as: .reads, on: loop) { [self] result in
            channel.isConnecting = false
            switch result {
            case .success(let open): channelOpened(channel, open)
            case .failure(let error): channelFailed(channel, error)
            }
        }
    }

    private func channelOpened(_ channel: ReadChannel, _ open: OpenConnection) {
        PoolCounters.count(counters.connects)
        lastFailure = nil
        let connection = Connection(open, pool: self, role: .reads)
        channel.connection = connection
        if isShutDown { return connection.close("shut down", isLoss: false) }
        for query in channel.waiting.removeAll() where !query.isAbandoned {
            connection.share(query)
        }
    }

    private func channelFailed(_ channel: ReadChannel, _ error: PostgresError) {
        if case .unavailable(let reason) = error { lastFailure = reason }
        if let other = channels.first(where: { $0.connection != nil })?.connection {
            // One more than the server allows, perhaps. Better late than refused.
            for query in channel.waiting.removeAll() { other.share(query) }
        } else {
            channel.failWaiting(error)
        }
        reconnect(channel, after: delay(channel))
    }

    /// A channel's connection broke. At once when it had lasted; otherwise the server may be
    /// refusing us.
    func channelLost(_ channel: ReadChannel, _ connection: Connection) {
        channel.connection = nil
        if isShutDown || channel.index > 0 { return }
        if EventLoop.now - connection.openedAt >= Self.stableAge {
            channel.backoff.succeeded()
            connect(channel)
        } else {
            lastFailure = "the connection broke soon after it was opened"
            reconnect(channel, after: delay(channel))
        }
    }

    private func delay(_ channel: ReadChannel) -> UInt64 {
        var random = SystemRandomNumberGenerator()
        return channel.backoff.failed(using: &random)
    }

    /// Another connection was opened: the first channel need not wait for its next attempt.
    func serverIsBack() {
        lastFailure = nil
        let first = channels[0]
        guard let retry = first.retry else { return }
        retry.cancel()
        first.retry = nil
        connect(first)
    }

    private func reconnect(_ channel: ReadChannel, after delay: UInt64) {
        guard !isShutDown else { return }
        channel.retry = loop.schedule(after: delay) { [weak self, weak channel] in
            guard let self, let channel else { return }
            channel.retry = nil
            if channel.index == 0 || !channel.waiting.isEmpty { self.connect(channel) }
        }
    }
}
