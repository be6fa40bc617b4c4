// What a pool has done and is doing, readable from any thread for /metrics.
import Synchronization

/// Numbers of one loop's pool.
package struct PoolStatistics: Sendable, Equatable {
    /// Nothing counted yet.
    package static let zero = PoolStatistics()

    /// Leased connections in use.
    package var inUse = 0
    package var idle = 0
    /// Callers that wait for a connection.
    package var waiting = 0
    /// Statements sent since the start.
    package var queries = 0
    /// Connections opened since the start.
    package var connects = 0
    /// Connections that broke or were dropped since the start.
    package var losses = 0
    /// Statements that ran out of time since the start.
    package var timeouts = 0
}

/// Written by one loop, read by any thread.
final class PoolCounters: Sendable {
    let inUse = Atomic(0)
    let idle = Atomic(0)
    let waiting = Atomic(0)
    let queries = Atomic(0)
    let connects = Atomic(0)
    let losses = Atomic(0)
    let timeouts = Atomic(0)

    /// Adds one without a locked instruction: there is a single writer.
    static func count(_ counter: borrowing Atomic<Int>) {
        counter.store(counter.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    var snapshot: PoolStatistics {
        PoolStatistics(
            inUse: inUse.load(ordering: .relaxed), idle: idle.load(ordering: .relaxed),
            waiting: waiting.load(ordering: .relaxed), queries: queries.load(ordering: .relaxed),
            connects: connects.load(ordering: .relaxed), losses: losses.load(ordering: .relaxed),
            timeouts: timeouts.load(ordering: .relaxed))
    }
}
