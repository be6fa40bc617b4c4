// One connection of either role. Everything happens on its loop, by call and without tasks, so an idle socket costs a few
// hundred bytes.
public import EventLoop

/// What a socket calls. Payloads are valid during the call only. A class for cheap dispatch; on the socket's loop.
open class WebSocketDelegate: @unchecked Sendable {
    public init() {}

    open func text(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection) {}
    open func binary(_ bytes: UnsafeRawBufferPointer, from socket: WebSocketConnection) {}

    /// What waited for a slow reader has been taken.
    open func drained(_ socket: WebSocketConnection) {}

    /// The socket is gone. The last call, made once.
    open func closed(_ socket: WebSocketConnection, code: UInt16) {}
}

/// A WebSocket connection after its handshake. Used on its loop's thread only.
public final class WebSocketConnection: StreamHandler, @unchecked Sendable {
    package let stream: TCPStream
    private let delegate: WebSocketDelegate
    private let limits: WebSocketLimits
    private let role: WebSocketRole
    private let makeMask: () -> UInt32
    private var decoder: FrameDecoder
    private var lastHeard: UInt64
    private var pinged = false
    private var closeSent = false
    private var closeCode = CloseCode.abnormal
    /// Its place in the list of its server's loop; kept by the list.
    var place = -1
    weak var registry: SocketRegistry?

    /// - Parameter makeMask: fresh random masks; used by clients only.
    package init(
        _ stream: TCPStream, role: WebSocketRole, limits: WebSocketLimits,
        delegate: WebSocketDelegate, makeMask: @escaping () -> UInt32 = { 0 }
    ) {
        self.stream = stream
        self.role = role
        self.limits = limits
        self.delegate = delegate
        self.makeMask = makeMask
        decoder = FrameDecoder(role: role, maximumMessage: limits.message)
        lastHeard = stream.loop.turnBegan
    }

    /// Whether nothing more can be sent.
    package var isClosing: Bool { closeSent || stream.isClosed }

    /// Bytes that wait for the reader.
    package var outgoingBytes: Int { stream.outgoingBytes }

    // MARK: Sending

    /// Sends a text; several of one turn leave in one system call.
    package func send(text: String) { send(.text, Array(text.utf8)) }
    package func send(text bytes: [UInt8]) { send(.text, bytes) }
    package func send(binary bytes: [UInt8]) { send(.binary, bytes) }

    /// Sends a frame made by `FrameEncoder`; from servers only, whose frames are not masked.
    package func send(frame: [UInt8]) {
        if isClosing { return }
        stream.enqueue(frame)
        checkReader()
    }

    private func send(_ opcode: Opcode, _ payload: [UInt8]) {
        if isClosing { return }
        stream.enqueue(FrameEncoder.encode(opcode, payload, mask: mask))
        checkReader()
    }

    /// Writes frames of a room at once, without copying them unless the kernel's buffer is full.
    func write(_ frames: UnsafeRawBufferPointer) {
        if isClosing { return }
        stream.send(frames)
    }

    func checkReader() {
        if stream.outgoingBytes > limits.outgoing {
            closeCode = .tryAgainLater
            stream.close()
        }
    }

    private var mask: UInt32? { role == .client ? makeMask() : nil }

    /// Starts the closing handshake.
    package func close(_ code: CloseCode = .normal, _ reason: String = "") {
        if isClosing { return }
        closeSent = true
        closeCode = code
        stream.enqueue(FrameEncoder.close(code, reason, mask: mask))
        stream.loop.schedule(after: limits.closeDeadline) { [weak self] in
            self?.stream.close()
        }
    }

    // MARK: Receiving

    public override func received(_ bytes: UnsafeMutableRawBufferPointer) {
        lastHeard = stream.loop.turnBegan
        pinged = false
        do throws(WebSocketFault) {
            try decoder.decode(bytes) { event in take(event) }
        } catch {
            fail(error)
        }
    }

    private func take(_ event: WebSocketEvent) {
        switch event {
        case .text(let bytes): if !closeSent { delegate.text(bytes, from: self) }
        case .binary(let bytes): if !closeSent { delegate.binary(bytes, from: self) }
        case .ping(let bytes): if !closeSent { send(.pong, Array(bytes)) }
        case .pong: break
        case .close(let code):
            if !closeSent {
                closeSent = true
                closeCode = code ?? CloseCode(rawValue: 1005)
                let answer =
                    code.map { FrameEncoder.close($0, "", mask: mask) }
                    ?? FrameEncoder.encode(.close, [], mask: mask)
                stream.send(answer)
            }
            // The server closes the connection first, RFC 6455, section 7.1.1.
            if role == .server { stream.finish() }
        }
    }

    private func fail(_ fault: WebSocketFault) {
        if !closeSent {
            closeSent = true
            closeCode = fault.code
            stream.send(FrameEncoder.close(fault.code, fault.reason, mask: mask))
        }
        stream.finish()
    }

    public override func endOfInput() {
        stream.finish()
        if stream.outgoingBytes == 0 { stream.close() }
    }

    public override func drained() { delegate.drained(self) }

    public override func closed() {
        registry?.remove(self)
        delegate.closed(self, code: closeCode.rawValue)
    }

    /// Asks a silent peer whether it is there, and gives it up when it does not answer. Called by the registry's sweep.
    func checkSilence(_ now: UInt64) {
        let silence = now &- min(lastHeard, now)
        if silence >= limits.closeAfter {
            stream.close()
        } else if silence >= limits.pingAfter && !pinged {
            pinged = true
            send(.ping, [])
        }
    }
}

extension TCPStream {
    fileprivate func send(_ bytes: [UInt8]) { bytes.withUnsafeBytes { send($0) } }
}
