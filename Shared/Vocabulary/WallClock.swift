// Time comes in from outside, so that tests can say what time it is.
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tells the time of day.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Instant

    /// A clock that asks `now`.
    public init(_ now: @escaping @Sendable () -> Instant) {
        read = now
    }

    /// The present moment.
    public func now() -> Instant { read() }

    /// The clock of the machine.
    public static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(
            microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}

/// A clock that stands still until it is moved; for tests.
public final class ManualClock: Sendable {
    private let time: Mutex<Instant>

    /// Stands at `start`.
    public init(_ start: Instant) {
        time = Mutex(start)
    }

    /// Moves forward, or back with a negative number.
    public func advance(seconds: Int) {
        time.withLock { $0 = $0.adding(seconds: seconds) }
    }

    /// Jumps.
    public func set(_ instant: Instant) {
        time.withLock { $0 = instant }
    }

    /// What to hand to the code under test.
    public var clock: WallClock {
        WallClock { [self] in time.withLock { $0 } }
    }
}
