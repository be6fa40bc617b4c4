// The connections of one loop: a few that all reads share, pipelined, and a bounded number that are
// leased one caller at a time for writes and transactions. Used on the loop's thread only, so
// without locks.
//
// A write waits for row locks, and everything behind it on the same connection would wait with it;
// with the lock held by a task that itself waits for a read, that is a deadlock. So writes never go
// on the shared connections.
import EventLoop
import Synchronization

final class LoopPool: @unchecked Sendable {
    /// Nanoseconds after which reads avoid a connection whose first query has no answer yet.
    static let holdUpLimit: UInt64 = 20_000_000
    /// Nanoseconds between two cancel requests for the same query.
    static let cancelInterval: UInt64 = 500_000_000
    /// Nanoseconds after the first cancel request until the connection is given up.
    static let cancelPatience: UInt64 = 2_000_000_000
    /// Nanoseconds that a connection must last for the next loss to be followed by an attempt at
    /// once.
    static let stableAge: UInt64 = 1_000_000_000
    /// Nanoseconds between two looks for connections that nobody needs.
    static let longestReapInterval: UInt64 = 10_000_000_000
    static let registryLimit = 1024

    let loop: EventLoop
    let configuration: DatabaseConfiguration
    let counters = PoolCounters()
    /// The clock when the last query was submitted.
    var now: UInt64 = 0
    var isShutDown = false

    private(set) var registry = StatementRegistry(limit: LoopPool.registryLimit)
    var channels: [ReadChannel]
    var leases: LeaseQueue<Connection, LeaseWaiter>
    var leasedConnections: [ObjectIdentifier: Connection] = [:]
    /// Why the last attempt to connect failed; `nil` after one that succeeded.
    var lastFailure: String?
    private var alarm: LoopTimer?
    private var reaper: LoopTimer?
    let listener: Listener

    init(_ configuration: DatabaseConfiguration, on loop: EventLoop) {
        self.configuration = configuration
        self.loop = loop
        listener = Listener(configuration, on: loop, counters)
        channels = (0..<max(configuration.readConnections, 1)).map { ReadChannel(index: $0) }
        leases = LeaseQueue(
            maximum: max(configuration.maximumConnections, 1),
            maximumWaiters: configuration.maximumWaiters)
    }

    // MARK: Statements

    /// Runs one statement outside of a transaction block. Loop thread only.
    func perform(_ sql: SQL, deadline: UInt64?) async throws -> ServerResult {
        let (statement, deadline) = try begin(sql, deadline)
        if statement.isRead && !sql.hasEffect {
            do {
                return try await withUnsafeThrowingContinuation { continuation in
                    submitRead(
                        PendingQuery(
                            statement, sql, deadline: deadline, mayRepeat: true, continuation))
                }
            } catch is WritesAfterAll {
                statement.isRead = false
            }
        }
        let connection = try await lease(until: deadline)
        do {
            let result = try await withUnsafeThrowingContinuation { continuation in
                connection.send(
                    PendingQuery(statement, sql, deadline: deadline, mayRepeat: true, continuation))
                watch(deadline)
            }
            giveBack(connection)
            return result
        } catch {
            giveBack(connection)
            throw error
        }
    }

    /// Runs one statement on a leased connection, with `opening` (a `begin`) ahead of it in the
    /// same Sync.
    func perform(
        _ sql: SQL, on connection: Connection, after opening: SQL? = nil, deadline: UInt64?
    ) async throws -> ServerResult {
        let (statement, deadline) = try begin(sql, deadline)
        return try await withUnsafeThrowingContinuation { continuation in
            let first = opening.map {
                PendingQuery(
                    registry.statement(for: $0), $0, deadline: deadline, mayRepeat: false, nil)
            }
            connection.send(
                PendingQuery(statement, sql, deadline: deadline, mayRepeat: false, continuation),
                after: first)
            watch(deadline)
        }
    }

    private func begin(_ sql: SQL, _ deadline: UInt64?) throws -> (Statement, UInt64) {
        now = EventLoop.now
        if let reason = sql.values.refusal { throw PostgresError.invalidValue(reason) }
        if sql.pieces.count > SQL.maximumParameters, sql.parameterCount > SQL.maximumParameters {
            throw PostgresError.invalidValue("more than \(SQL.maximumParameters) values")
        }
        if isShutDown { throw PostgresError.unavailable("shutting down") }
        let deadline = deadline ?? now &+ configuration.statementTimeout
        if deadline <= now { throw PostgresError.timedOut }
        PoolCounters.count(counters.queries)
        return (registry.statement(for: sql), deadline)
    }

    // MARK: Deadlines

    /// Makes sure that the pool wakes at `deadline`.
    func watch(_ deadline: UInt64) {
        if let alarm, alarm.isPending, alarm.deadline <= deadline { return }
        alarm?.cancel()
        alarm = loop.schedule(at: deadline) { [weak self] in self?.expire() }
    }

    /// Fails what has run out of time. One timer serves all queries: most of them are answered long
    /// before.
    private func expire() {
        let now = EventLoop.now
        var next = UInt64.max
        for waiter in leases.withdraw(where: { $0.deadline <= now }) {
            waiter.fail(waiter.isCutShort ? PostgresError.timedOut : .poolExhausted)
        }
        leases.waiting.forEach { next = min(next, $0.deadline) }
        for channel in channels {
            next = min(next, channel.expire(at: now, counters))
        }
        for connection in leasedConnections.values {
            next = min(next, connection.expire(at: now))
        }
        countLeases()
        if next < UInt64.max { watch(next) }
    }

    // MARK: Closing

    /// Called by a connection that broke or was closed.
    func connectionClosed(_ connection: Connection) {
        if connection.role == .reads {
            channels.first { $0.connection === connection }.map { channelLost($0, connection) }
        } else if leasedConnections.removeValue(forKey: ObjectIdentifier(connection)) != nil {
            // Its user finds out by the failing statement and gives it back.
        } else {
            _ = leases.removeIdle { $0 === connection }
        }
        countLeases()
    }

    /// Closes idle connections that were not used for a while, and starts over.
    func scheduleReaping() {
        guard reaper == nil, !isShutDown else { return }
        reaper = loop.schedule(
            after: min(Self.longestReapInterval, configuration.idleTimeout)
        ) { [weak self] in
            guard let self else { return }
            self.reaper = nil
            let limit = EventLoop.now &- self.configuration.idleTimeout
            // The one used last stays, so that a write now and then need not connect first.
            let newest = self.leases.idle.last
            let old = self.leases.removeIdle { $0.idleSince < limit && $0 !== newest }
            for connection in old { connection.close("not needed", isLoss: false) }
            self.countLeases()
            if self.leases.idle.count > 1 { self.scheduleReaping() }
        }
    }

    /// Fails what waits, closes what is idle; leased connections close when they are given back.
    func shutDown() {
        guard !isShutDown else { return }
        isShutDown = true
        listener.shutDown()
        for waiter in leases.withdraw(where: { _ in true }) {
            waiter.fail(PostgresError.unavailable("shutting down"))
        }
        for connection in leases.removeIdle(where: { _ in true }) {
            connection.close("shut down", isLoss: false)
        }
        for channel in channels { channel.shutDown() }
        alarm?.cancel()
        reaper?.cancel()
        countLeases()
    }

    func countLeases() {
        counters.inUse.store(leases.leased, ordering: .relaxed)
        counters.idle.store(leases.idle.count, ordering: .relaxed)
        counters.waiting.store(leases.waiting.count, ordering: .relaxed)
    }
}
