// Bounds of a socket and why they are where they are.

/// Bounds of the sockets of one service or client. Durations are nanoseconds.
package struct WebSocketLimits: Sendable {
    /// Bytes of one received message, fragments together; more is refused with 1009. Chat and
    /// subscriptions need a few hundred.
    package var message = 65_536
    /// Bytes that may wait for a slow reader; with more it is closed with 1013.
    package var outgoing = 1_048_576
    /// Bytes waiting for a reader from which on nothing more is read from it, so that a peer that asks
    /// without listening holds up itself and no memory.
    package var readPause = 131_072
    /// Silence after which a ping asks whether the peer is still there. Below the idle time of common
    /// proxies.
    package var pingAfter: UInt64 = 30_000_000_000
    /// Silence after which the peer is given up.
    package var closeAfter: UInt64 = 75_000_000_000
    /// From the first close frame, sent or received, to the end of the connection.
    package var closeDeadline: UInt64 = 2_000_000_000
    /// Open sockets a loop; the next handshake is refused with 503. Their idle memory stays below
    /// 400 MB.
    package var sockets = 50_000

    package init() {}
}
