// A non-blocking TCP connection on a loop: reads go through the loop's scratch buffer, so an idle connection holds no
// buffer of its own; writes go straight to the kernel and only what it does not take is kept.
import CLinux
import Glibc

/// What a stream calls. A class for cheap dispatch; used on the stream's loop only.
open class StreamHandler: @unchecked Sendable {
    /// Takes no notice of anything.
    static let inert = StreamHandler()

    /// A handler that takes no notice until it is subclassed.
    public init() {}

    /// Bytes have arrived. The buffer is the loop's scratch and may be changed in place; it is gone after the call.
    open func received(_ bytes: UnsafeMutableRawBufferPointer) {}

    /// The peer will send no more.
    open func endOfInput() {}

    /// All that was queued has been handed to the kernel. Called only after some had to wait.
    open func drained() {}

    /// The stream is gone: closed by this side, by the peer, or broken. The last call.
    open func closed() {}
}

/// A connected, or connecting, TCP socket.
package final class TCPStream: Watcher, Deferred, @unchecked Sendable {
    package let loop: EventLoop
    /// Receives the events. Replaced at a protocol upgrade.
    package var handler: StreamHandler

    private var outgoing: [UInt8] = []
    private var sent = 0
    private var interest: Readiness = []
    private var flags: Flags = []

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let closed = Flags(rawValue: 1)
        static let paused = Flags(rawValue: 2)
        static let inputEnded = Flags(rawValue: 4)
        static let finishing = Flags(rawValue: 8)
        static let flushScheduled = Flags(rawValue: 16)
        static let shutDown = Flags(rawValue: 32)
    }

    /// Takes ownership of a non-blocking descriptor. Call `start` to receive events.
    package init(descriptor: Int32, loop: EventLoop, handler: StreamHandler) {
        self.loop = loop
        self.handler = handler
        super.init(descriptor: descriptor)
    }

    /// Begins to report what arrives.
    package func start() {
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(4))
        interest = .readable
        loop.register(self, for: interest)
    }

    /// Whether the descriptor is closed; nothing is called any more.
    package var isClosed: Bool { flags.contains(.closed) }

    /// Bytes queued and not yet taken by the kernel: what a slow reader costs.
    package var outgoingBytes: Int { outgoing.count - sent }

    // MARK: Reading

    public override func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) { flush() }
        if isClosed { return }
        if !readiness.isDisjoint(with: [.readable, .hangUp, .error, .peerClosed]) {
            readAvailable()
        }
    }

    private func readAvailable() {
        let scratch = loop.scratch
        if flags.contains(.inputEnded) {
            // Only an error or a hang-up can bring us here once reading is off.
            close()
            return
        }
        let count = recv(descriptor, scratch.baseAddress, scratch.count, 0)
        if count > 0 {
            if flags.contains(.finishing) { return }
            handler.received(UnsafeMutableRawBufferPointer(rebasing: scratch[..<count]))
        } else if count == 0 {
            flags.insert(.inputEnded)
            if flags.contains(.shutDown) {
                close()
            } else {
                setInterest()
                handler.endOfInput()
            }
        } else if errno != EAGAIN && errno != EINTR {
            close()
        }
    }

    /// Stops reading until `resumeReading`, which lets the peer's window fill.
    package func pauseReading() {
        flags.insert(.paused)
        setInterest()
    }

    /// Reads again after `pauseReading`.
    package func resumeReading() {
        flags.remove(.paused)
        setInterest()
    }

    private func setInterest() {
        if isClosed { return }
        var wanted: Readiness = []
        if !flags.contains(.paused) && !flags.contains(.inputEnded) { wanted.insert(.readable) }
        if outgoingBytes > 0 { wanted.insert(.writable) }
        if wanted == interest { return }
        interest = wanted
        loop.update(self, for: wanted)
    }

    // MARK: Writing

    /// Sends at once what the kernel takes and queues the rest.
    package func send(_ bytes: UnsafeRawBufferPointer) {
        if isClosed || flags.contains(.finishing) { return }
        if outgoingBytes > 0 {
            outgoing.append(contentsOf: bytes)
            return
        }
        let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        if count == bytes.count { return }
        if count < 0 && errno != EAGAIN && errno != EINTR {
            close()
            return
        }
        outgoing.append(contentsOf: bytes[max(count, 0)...])
        setInterest()
    }

    /// Queues bytes and sends all that a turn queued with one system call.
    package func enqueue(_ bytes: [UInt8]) {
        enqueue { $0.append(contentsOf: bytes) }
    }

    /// Lets `append` add to what the end of the turn sends, which spares a copy.
    package func enqueue(_ append: (inout [UInt8]) -> Void) {
        if isClosed || flags.contains(.finishing) { return }
        append(&outgoing)
        if flags.contains(.flushScheduled) { return }
        flags.insert(.flushScheduled)
        loop.atEndOfTurn(self)
    }

    package func endOfTurn() {
        flags.remove(.flushScheduled)
        flushQueued()
    }

    /// Sends what is queued without waiting for the end of the turn, unless the kernel is known to be full.
    package func flushQueued() {
        if !interest.contains(.writable) { flush() }
    }

    private func flush() {
        while outgoingBytes > 0 && !isClosed {
            let count = outgoing.withUnsafeBytes { buffer in
                Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            if count < 0 {
                if errno == EAGAIN || errno == EINTR {
                    dropSent()
                    setInterest()
                } else {
                    close()
                }
                return
            }
            sent += count
        }
        if isClosed { return }
        let waited = interest.contains(.writable)
        sent = 0
        if outgoing.capacity > 4096 {
            outgoing = []
        } else {
            outgoing.removeAll(keepingCapacity: true)
        }
        setInterest()
        if flags.contains(.finishing) { shutDownOutput() } else if waited { handler.drained() }
    }

    private func dropSent() {
        // Half at least, so that a long response costs linear time.
        if sent > 65_536 && sent * 2 > outgoing.count {
            outgoing.removeSubrange(..<sent)
            sent = 0
        }
    }

    // MARK: Ending

    /// Sends what is queued, then ends: output is shut down and input is drained for up to a second, so that the peer
    /// reads the last bytes instead of a reset.
    package func finish() {
        if isClosed || flags.contains(.finishing) { return }
        flags.insert(.finishing)
        if outgoingBytes == 0 { shutDownOutput() }
    }

    private func shutDownOutput() {
        if flags.contains(.shutDown) { return }
        if flags.contains(.inputEnded) {
            close()
            return
        }
        flags.insert(.shutDown)
        _ = shutdown(descriptor, Int32(SHUT_WR))
        flags.remove(.paused)
        setInterest()
        loop.schedule(after: 1_000_000_000) { [weak self] in self?.close() }
    }

    /// Closes at once; what is queued is lost.
    package func close() {
        if isClosed { return }
        flags.insert(.closed)
        loop.unregister(self)
        Glibc.close(descriptor)
        outgoing = []
        sent = 0
        // Stream and handler know each other; here the cycle ends.
        let last = handler
        handler = .inert
        last.closed()
    }
}
