// One connection of either role after its handshake. Everything happens on its loop, by call and
// without tasks or timers of its own, so an idle socket costs a few hundred bytes.
public import EventLoop

/// An open WebSocket. Used on its loop's thread only.
public final class WebSocketConnection: StreamHandler, @unchecked Sendable {
    package let stream: TCPStream
    /// The subprotocol agreed on.
    package let subprotocol: String?
    package var delegate: WebSocketDelegate

    private let limits: WebSocketLimits
    private let makeMask: (() -> UInt32)?
    private var decoder: FrameDecoder
    private var lastHeard: UInt64
    private var state: State = []
    private var closeCode = CloseCode.abnormal
    private var closeReason = ""
    /// The rooms it is in.
    var rooms: [Room] = []
    /// Its place among the sockets of its server's loop, kept by their list.
    var place = -1
    var list: SocketList?

    private struct State: OptionSet {
        let rawValue: UInt8
        /// A close frame is sent or queued; no other frame may follow.
        static let closing = State(rawValue: 1)
        static let pinged = State(rawValue: 2)
        static let pausedByOwner = State(rawValue: 4)
        static let pausedByOutput = State(rawValue: 8)
        static let ending = State(rawValue: 16)
    }

    /// - Parameter makeMask: random masks, fresh for each frame, which makes this a client's end;
    ///   `nil` for a server's.
    package init(
        _ stream: TCPStream, limits: WebSocketLimits, subprotocol: String? = nil,
        makeMask: (() -> UInt32)? = nil
    ) {
        self.stream = stream
        self.limits = limits
        self.subprotocol = subprotocol
        self.makeMask = makeMask
        delegate = WebSocketDelegate()
        decoder = FrameDecoder(
            role: makeMask == nil ? .server : .client, maximumMessage: limits.message)
        lastHeard = stream.loop.turnBegan
    }

    package var loop: EventLoop { stream.loop }

    /// Whether nothing more can be sent: a close frame is on its way, or the connection is gone.
    package var isClosing: Bool { state.contains(.closing) || stream.isClosed }

    /// Bytes that wait for the reader, or for the end of the turn.
    package var outgoingBytes: Int { stream.outgoingBytes }

    // MARK: Sending

    /// Sends a text. What one turn of the loop sends leaves in one system call.
    package func send(text: String) {
        var text = text
        text.withUTF8 { send(.text, UnsafeRawBufferPointer($0)) }
    }

    /// Sends a text given as its UTF-8, which is not checked.
    package func send(text bytes: [UInt8]) { bytes.withUnsafeBytes { send(.text, $0) } }

    package func send(text bytes: UnsafeRawBufferPointer) { send(.text, bytes) }

    package func send(binary bytes: [UInt8]) { bytes.withUnsafeBytes { send(.binary, $0) } }

    package func send(binary bytes: UnsafeRawBufferPointer) { send(.binary, bytes) }

    /// Sends a frame that was made for many. On a server's end only: a client's frames are masked.
    package func send(frame: SharedFrame) {
        precondition(makeMask == nil, "a client must mask what it sends")
        frame.bytes.withUnsafeBytes { write($0, atOnce: false) }
        checkReader()
    }

    /// Asks the peer for a pong with the same payload, at most 125 bytes.
    package func ping(_ payload: [UInt8] = []) {
        precondition(payload.count <= 125)
        payload.withUnsafeBytes { send(.ping, $0) }
    }

    private func send(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer) {
        if isClosing { return }
        let mask = makeMask?()
        stream.enqueue { FrameEncoder.append(opcode, payload, mask: mask, to: &$0) }
        checkReader()
    }

    /// Writes frames that were made for many: at once and uncopied if the kernel takes them, or with
    /// the other frames of the turn.
    func write(_ frames: UnsafeRawBufferPointer, atOnce: Bool) {
        if isClosing { return }
        if atOnce { stream.send(frames) } else { stream.enqueue { $0.append(contentsOf: frames) } }
    }

    /// Bytes that the kernel did not take, once it was asked.
    func waitingBytes() -> Int {
        if stream.outgoingBytes > 0 { stream.flushQueued() }
        return stream.outgoingBytes
    }

    private func checkReader() {
        if stream.outgoingBytes <= min(65_536, limits.outgoing) { return }
        if waitingBytes() > limits.outgoing { closeAsTooSlow() }
    }

    /// Closes a reader that is too slow: what was queued and 1013 still reach it if it hurries.
    func closeAsTooSlow() {
        if isClosing { return }
        sendClose(.tryAgainLater, "reading too slowly")
        end()
    }

    // MARK: Closing

    /// Starts the closing handshake. What was sent before still leaves; nothing is delivered any more.
    /// - Parameter reason: for the peer's developer, cut to 123 bytes.
    package func close(_ code: CloseCode = .normal, _ reason: String = "") {
        if isClosing { return }
        precondition(code.isSendable, "close code \(code.rawValue) is not for the wire")
        sendClose(code, reason)
        scheduleEnd()
    }

    private func sendClose(_ code: CloseCode?, _ reason: String) {
        state.insert(.closing)
        closeCode = code ?? .none
        closeReason = reason
        let mask = makeMask?()
        let payload = FrameEncoder.closePayload(code, reason)
        stream.enqueue { frames in
            payload.withUnsafeBytes { FrameEncoder.append(.close, $0, mask: mask, to: &frames) }
        }
    }

    private func scheduleEnd() {
        if state.contains(.ending) { return }
        state.insert(.ending)
        loop.schedule(after: limits.closeDeadline) { [weak stream] in stream?.close() }
    }

    /// Sends what is queued and ends the connection.
    private func end() {
        scheduleEnd()
        stream.finish()
    }

    // MARK: Receiving

    /// Stops delivering, up to what has been read already (64 kB), until `resumeReading`. Meanwhile
    /// the peer's silence is not held against it.
    package func pauseReading() { setPaused(.pausedByOwner, true) }

    package func resumeReading() { setPaused(.pausedByOwner, false) }

    private func setPaused(_ cause: State, _ isPaused: Bool) {
        let causes: State = [.pausedByOwner, .pausedByOutput]
        let was = !state.isDisjoint(with: causes)
        if isPaused { state.insert(cause) } else { state.remove(cause) }
        let now = !state.isDisjoint(with: causes)
        if was == now || stream.isClosed { return }
        if now { stream.pauseReading() } else { stream.resumeReading() }
    }

    public override func received(_ bytes: UnsafeMutableRawBufferPointer) {
        lastHeard = loop.turnBegan
        state.remove(.pinged)
        do throws(WebSocketFault) {
            try decoder.decode(bytes) { take($0) }
        } catch {
            if !state.contains(.closing) { sendClose(error.code, error.reason) }
            end()
        }
        if stream.outgoingBytes > limits.readPause && waitingBytes() > limits.readPause {
            setPaused(.pausedByOutput, true)
        }
    }

    private func take(_ event: WebSocketEvent) {
        if case .close(let code, let reason) = event {
            if !state.contains(.closing) {
                sendClose(code, "")
                closeReason = reason
            }
            // The server ends the connection first, RFC 6455, section 7.1.1.
            if makeMask == nil { end() } else { scheduleEnd() }
            return
        }
        if isClosing { return }
        switch event {
        case .text(let bytes): delegate.text(bytes, from: self)
        case .binary(let bytes): delegate.binary(bytes, from: self)
        case .ping(let bytes): send(.pong, bytes)
        case .pong, .close: break
        }
    }

    public override func endOfInput() { end() }

    public override func drained() {
        setPaused(.pausedByOutput, false)
        for room in rooms { room.drained(self) }
        if !stream.isClosed { delegate.drained(self) }
    }

    public override func closed() {
        for room in rooms { room.leave(self) }
        list?.remove(self)
        list = nil
        let delegate = self.delegate
        // Ends the cycle of those who keep their socket.
        self.delegate = WebSocketDelegate()
        delegate.closed(self, code: closeCode.rawValue, reason: closeReason)
    }

    // MARK: Silence

    /// Asks a silent peer whether it is there, and gives it up when it does not answer.
    func checkSilence(_ now: UInt64) {
        if isClosing { return }
        if state.contains(.pausedByOwner) { lastHeard = now }
        let silence = now &- min(lastHeard, now)
        if silence >= limits.closeAfter {
            stream.close()
        } else if silence >= limits.pingAfter && !state.contains(.pinged) {
            state.insert(.pinged)
            ping()
        }
    }

    /// Checks the peer's silence from time to time, for a socket in no server's list.
    func watchSilence() {
        loop.schedule(after: max(limits.pingAfter / 4, 1_000_000)) { [weak self] in
            guard let self, !self.isClosing else { return }
            self.checkSilence(EventLoop.now)
            self.watchSilence()
        }
    }
}
