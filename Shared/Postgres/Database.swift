// What a service holds: the pools of its loops behind one value.
package import EventLoop

/// A PostgreSQL database, reached through a pool on each loop of the process.
///
/// Each call runs on the pool of the loop it is made on; from outside of the loops it hops to the
/// first. Connections open on demand and come back by themselves after a loss; while the server is
/// away calls fail at once with `PostgresError.unavailable`. Call `shutDown()` before letting go of
/// it.
package final class Database: Session {
    /// The deadline of the work that the current task does, monotonic nanoseconds. It takes the
    /// place of the configured statement time-out for every call that is not given one; the
    /// server's own limit stays.
    @TaskLocal package static var deadline: UInt64?

    package let configuration: DatabaseConfiguration
    private let pools: [LoopPool]
    private let poolByLoop: [LoopPool?]

    /// Starts to connect at once.
    /// - Precondition: at least one loop.
    package init(_ configuration: DatabaseConfiguration, loops: [EventLoop]) {
        precondition(!loops.isEmpty, "a database needs a loop")
        self.configuration = configuration
        let pools = loops.map { LoopPool(configuration, on: $0) }
        var byLoop: [LoopPool?] = Array(
            repeating: nil, count: loops.reduce(0) { max($0, $1.index) } + 1)
        for pool in pools { byLoop[pool.loop.index] = pool }
        self.pools = pools
        poolByLoop = byLoop
        for pool in pools { pool.loop.execute { pool.start() } }
    }

    private var local: LoopPool? {
        guard let loop = EventLoop.current, loop.index < poolByLoop.count,
            let pool = poolByLoop[loop.index], pool.loop === loop
        else { return nil }
        return pool
    }

    /// The pool of the caller's loop; from outside of the loops that of the first.
    var poolForCaller: LoopPool { local ?? pools[0] }

    package func perform(_ sql: SQL, deadline: UInt64?) async throws -> ServerResult {
        let deadline = deadline ?? Self.deadline
        if let pool = local { return try await pool.perform(sql, deadline: deadline) }
        let pool = pools[0]
        return try await withTaskExecutorPreference(pool.loop) {
            try await pool.perform(sql, deadline: deadline)
        }
    }

    /// Runs `body` in a transaction: commits when it returns, rolls back when it throws.
    ///
    /// `begin` travels with the first statement; a transaction without statements costs nothing. Do
    /// not use the database itself inside of `body` for writes: that would take a second
    /// connection.
    /// - Parameters:
    ///   - isolation: of the transaction.
    ///   - retries: how often `body` runs again after a serialization failure or deadlock. It must
    ///     then have no effect but its statements.
    ///   - deadline: monotonic nanoseconds for all of it; `nil` takes `Database.deadline`, and each
    ///     statement has the configured time-out.
    /// - Throws: what `body` throws, or `PostgresError` of taking a connection or committing. After
    ///   `.connectionLost` from the commit it is unknown whether it happened.
    @discardableResult
    package func transaction<Value: Sendable>(
        _ isolation: Isolation = .readCommitted, retries: Int = 0, deadline: UInt64? = nil,
        _ body: @Sendable (Transaction) async throws -> Value
    ) async throws -> Value {
        let deadline = deadline ?? Self.deadline
        if let pool = local {
            return try await pool.transaction(isolation, retries, deadline, body)
        }
        let pool = pools[0]
        return try await withTaskExecutorPreference(pool.loop) {
            try await pool.transaction(isolation, retries, deadline, body)
        }
    }

    /// Whether the server answers within a second; what readiness asks.
    package func isReachable() async -> Bool {
        let limit = EventLoop.now &+ 1_000_000_000
        let answer = try? await one("select 1" as Query<Int32>, deadline: limit)
        return answer == 1
    }

    /// Numbers of each loop's pool, by loop. Callable from any thread.
    package var statistics: [PoolStatistics] { pools.map(\.counters.snapshot) }

    /// Ends it: what waits fails, idle connections close, those in use close when their statement
    /// is done. Callable from any thread, more than once.
    package func shutDown() {
        for pool in pools { pool.loop.execute { pool.shutDown() } }
    }
}

/// Transaction isolation (PostgreSQL manual, 13.2).
package enum Isolation: Sendable {
    case readCommitted
    case repeatableRead
    case serializable
    /// One snapshot for several reads.
    case readOnlySnapshot

    var begin: SQL {
        switch self {
        case .readCommitted: "begin"
        case .repeatableRead: "begin isolation level repeatable read"
        case .serializable: "begin isolation level serializable"
        case .readOnlySnapshot: "begin isolation level repeatable read read only"
        }
    }
}
