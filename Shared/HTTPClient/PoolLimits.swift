// Every bound of the connection pool and why it is where it is.
package import HTTP

/// Bounds of a `PooledHTTPClient`. Durations are nanoseconds.
package struct PoolLimits: Sendable {
    /// Connections to one peer from one loop, those being opened included. A service answers in
    /// milliseconds, so this many carry tens of thousands of requests a second.
    package var connectionsPerPeer = 64
    /// Requests that may wait for a connection to one peer; more are refused at once, since they
    /// would only pass their deadlines.
    package var waitingPerPeer = 1024
    /// Connections kept to one peer while nobody uses them: all, since fewer would be closed and opened
    /// again within one burst, which doubles what a request costs.
    package var idlePerPeer = 64
    /// How long an unused connection is kept: well below `ServerLimits.idleDeadline`, so that this
    /// side closes first and no request meets a connection that the server is just closing.
    package var idleDeadline: UInt64 = 90_000_000_000
    /// To look up and connect. Services stand close to each other.
    package var connectDeadline: UInt64 = 3_000_000_000
    /// Of a response.
    package var head = HeadLimits(bytes: 32_768)

    package init() {}
}
