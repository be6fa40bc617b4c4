// Bounds of a socket and why they are where they are.

/// Bounds of the sockets of one service. Durations are nanoseconds.
package struct WebSocketLimits: Sendable {
    /// Bytes of one message from a client. Chat and subscriptions need a few hundred.
    package var message = 65_536
    /// Bytes that may wait for a slow reader before its socket's policy applies.
    package var outgoing = 1_048_576
    /// Silence after which a ping asks whether the peer is still there. Below the idle time of common proxies.
    package var pingAfter: UInt64 = 30_000_000_000
    /// Silence after which the peer is given up.
    package var closeAfter: UInt64 = 75_000_000_000
    /// From sending a close frame to closing without the peer's.
    package var closeDeadline: UInt64 = 2_000_000_000

    package init() {}
}
