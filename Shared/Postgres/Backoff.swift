// How long to wait before the next attempt to connect.

/// Doubles from 50 ms to 2 s with each failure; each delay is between half and all of that, so that
/// replicas do not return at the same moment.
struct Backoff {
    static let least: UInt64 = 50_000_000
    static let most: UInt64 = 2_000_000_000
    private(set) var failures = 0

    /// Counts a failure and returns nanoseconds to wait.
    mutating func failed(using random: inout some RandomNumberGenerator) -> UInt64 {
        let limit = min(Self.least << UInt64(min(failures, 10)), Self.most)
        failures += 1
        return UInt64.random(in: (limit / 2)...limit, using: &random)
    }

    mutating func succeeded() {
        failures = 0
    }
}
