// Writes a streamed response at the pace of its reader.
import EventLoop
import HTTP

/// Takes the pieces of a streamed body. Used by the producer on the connection's loop.
package final class BodyWriter: @unchecked Sendable {
    private let stream: TCPStream
    private weak var connection: ServerConnection?
    private let chunked: Bool
    private let window: Int
    private var waiting: CheckedContinuation<Void, Never>?
    private var output = OutputBuffer()

    init(_ stream: TCPStream, of connection: ServerConnection, chunked: Bool, window: Int) {
        self.stream = stream
        self.connection = connection
        self.chunked = chunked
        self.window = window
    }

    /// Sends bytes and returns when fewer than the window are waiting for the reader.
    /// - Throws: `CancellationError` when the client is gone.
    package nonisolated(nonsending) func write(_ bytes: [UInt8]) async throws {
        if bytes.isEmpty { return }
        if chunked {
            output.reset()
            output.appendChunk(bytes)
            stream.send(output.bytes)
        } else {
            bytes.withUnsafeBytes { stream.send($0) }
        }
        if stream.outgoingBytes > window {
            connection?.producerWaits(true)
            await withCheckedContinuation { waiting = $0 }
            connection?.producerWaits(false)
        }
        if stream.isClosed { throw CancellationError() }
    }

    func windowOpened() {
        waiting?.resume()
        waiting = nil
    }

    func end() {
        guard chunked else { return }
        output.reset()
        output.append("0\r\n\r\n")
        stream.send(output.bytes)
    }
}
