// What a socket calls. One object may serve one socket or all of a loop.

/// Receives the events of sockets, on their loop. Payloads are valid during the call only. A class for
/// cheap dispatch.
open class WebSocketDelegate: @unchecked Sendable {
    /// Takes no events until a method is overridden.
    public init() {}

    /// A whole text has arrived; it is valid UTF-8.
    open func text(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection) {}

    open func binary(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection) {}

    /// What waited for a slow reader has been taken by the kernel.
    open func drained(_ socket: WebSocketConnection) {}

    /// The socket is gone. The last call, made once.
    /// - Parameters:
    ///   - code: of the first close frame, whoever sent it; 1005 when it had none, 1006 when the
    ///     connection broke.
    ///   - reason: that came with the code.
    open func closed(_ socket: WebSocketConnection, code: UInt16, reason: String) {}
}
