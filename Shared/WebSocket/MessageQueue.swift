// Messages one after the other for handlers that are easier to write as a loop than as callbacks.

/// A received message, copied.
package enum WebSocketMessage: Sendable, Equatable {
    /// UTF-8, checked.
    case text([UInt8])
    case binary([UInt8])

    var count: Int {
        switch self {
        case .text(let bytes), .binary(let bytes): bytes.count
        }
    }
}

/// Keeps the messages of one socket for a task on its loop. While more than `window` bytes wait for
/// the task, nothing is read from the peer.
package final class MessageQueue: WebSocketDelegate, @unchecked Sendable {
    private let window: Int
    private unowned let socket: WebSocketConnection
    private var messages: [WebSocketMessage] = []
    private var taken = 0
    private var bytes = 0
    private var isPaused = false
    private var isClosed = false
    private var waiting: CheckedContinuation<Void, Never>?
    /// Code and reason once the socket is closed.
    package private(set) var closure: (code: UInt16, reason: String)?

    /// What an empty message counts, so that a flood of them is held back too.
    private static let messageCost = 64

    package init(_ socket: WebSocketConnection, window: Int = 65_536) {
        self.socket = socket
        self.window = window
        super.init()
    }

    /// The next message; `nil` after the last one of a closed socket. One task at a time, on the loop.
    package nonisolated(nonsending) func next() async -> WebSocketMessage? {
        while taken == messages.count {
            if isClosed { return nil }
            await withCheckedContinuation { waiting = $0 }
        }
        let message = messages[taken]
        taken += 1
        bytes -= message.count + Self.messageCost
        if taken == messages.count {
            messages.removeAll(keepingCapacity: messages.capacity <= 16)
            taken = 0
        }
        if isPaused && bytes <= window / 2 {
            isPaused = false
            if !isClosed { socket.resumeReading() }
        }
        return message
    }

    package override func text(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection) {
        add(.text(Array(bytes)))
    }

    package override func binary(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection)
    {
        add(.binary(Array(bytes)))
    }

    package override func closed(_ socket: WebSocketConnection, code: UInt16, reason: String) {
        isClosed = true
        closure = (code, reason)
        wake()
    }

    private func add(_ message: WebSocketMessage) {
        messages.append(message)
        bytes += message.count + Self.messageCost
        if bytes > window && !isPaused {
            isPaused = true
            socket.pauseReading()
        }
        wake()
    }

    private func wake() {
        let continuation = waiting
        waiting = nil
        continuation?.resume()
    }
}
