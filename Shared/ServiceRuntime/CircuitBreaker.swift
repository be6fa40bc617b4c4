// Keeps callers from waiting for a peer that does not answer: after some failures in a row calls fail at once, and now and
// then one of them finds out whether the peer is back. A value without a clock; its owner locks it.

/// What is known of a peer's health.
package struct CircuitBreaker: Sendable {
    /// Failures in a row until calls are held back. A replica that dies under load costs a few.
    package static let threshold = 5
    /// Nanoseconds until the first probe, doubled at each that fails.
    package static let shortestPause: UInt64 = 250_000_000
    package static let longestPause: UInt64 = 5_000_000_000

    private var failures = 0
    private var pause = Self.shortestPause
    /// When the next call may try.
    private var probeAt: UInt64 = 0

    package init() {}

    /// Whether calls are held back.
    package var isOpen: Bool { failures >= Self.threshold }

    /// Whether a call may go out. While the peer is held to be down, one call each pause may; should it never report, the
    /// next may a pause later.
    package mutating func mayCall(at now: UInt64) -> Bool {
        if !isOpen { return true }
        if now < probeAt { return false }
        probeAt = now &+ pause
        return true
    }

    /// The peer answered.
    package mutating func succeeded() {
        failures = 0
        pause = Self.shortestPause
    }

    /// The peer did not answer, or said that it can't work.
    package mutating func failed(at now: UInt64) {
        failures = min(failures + 1, Self.threshold + 1)
        guard isOpen else { return }
        if failures > Self.threshold { pause = min(pause * 2, Self.longestPause) }
        probeAt = now &+ pause
    }
}
