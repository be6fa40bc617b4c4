// One client connection: bytes in, requests to the handler one after the other, responses out in order.
import EventLoop
import HTTP

/// Drives the parser, the handler's task and the stream of one connection.
final class ServerConnection: StreamHandler, @unchecked Sendable {
    private let server: ServerLoop
    private(set) var stream: TCPStream?
    private let peerAddress: String
    private var parser: RequestParser
    private var state = State.head
    /// What was received ahead of its turn, from `pendingStart` on.
    private var pending: [UInt8] = []
    private var pendingStart = 0
    private var inputEnded = false
    /// Monotonic nanoseconds when the present wait is over; `nil` while a handler works.
    private(set) var deadline: UInt64?
    private var task: Task<Void, Never>?

    private enum State {
        case head
        case body(HTTPRequest, BodyDecoder)
        case handling
        /// A response waits for its reader; until it has gone nothing further is begun, so that what
        /// waits does not grow.
        case writing
        /// The last response is being written, or the connection was handed over.
        case ended
    }

    init(server: ServerLoop, peerAddress: String) {
        self.server = server
        self.peerAddress = peerAddress
        parser = RequestParser(limits: server.limits.head)
    }

    func start(_ stream: TCPStream) {
        self.stream = stream
        deadline = server.loop.turnBegan &+ server.limits.headDeadline
        stream.start()
    }

    // MARK: Input

    override func received(_ bytes: UnsafeMutableRawBufferPointer) {
        if pending.isEmpty, !isHandling {
            let input = UnsafeRawBufferPointer(bytes)
            let consumed = process(input)
            if consumed < input.count { keep(input.slice(consumed, input.count)) }
            return
        }
        keep(UnsafeRawBufferPointer(bytes))
        if !isHandling { processPending() }
    }

    private var isHandling: Bool {
        switch state {
        case .handling, .writing, .ended: true
        case .head, .body: false
        }
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) {
        if case .ended = state { return }
        pending.append(contentsOf: bytes)
        if isHandling && pendingCount > server.limits.pipelinedBytes { stream?.pauseReading() }
    }

    private var pendingCount: Int { pending.count - pendingStart }

    private func processPending() {
        guard !pending.isEmpty else { return }
        do {
            let (bytes, start) = (pending, pendingStart)
            let consumed = bytes.withUnsafeBytes { process($0.slice(start, $0.count)) }
            pendingStart += consumed
        }
        if pendingStart >= pending.count {
            dropPending()
        } else if pendingStart > server.limits.pipelinedBytes {
            // Seldom, so that many small requests sent at once cost linear time.
            pending.removeSubrange(..<pendingStart)
            pendingStart = 0
        }
        if !isHandling || pendingCount <= server.limits.pipelinedBytes { stream?.resumeReading() }
    }

    private func dropPending() {
        pending = []
        pendingStart = 0
    }

    /// Consumes bytes until a request is complete or more are needed.
    private func process(_ bytes: UnsafeRawBufferPointer) -> Int {
        var consumed = 0
        do throws(Refusal) {
            while consumed < bytes.count {
                let rest = bytes.slice(consumed, bytes.count)
                switch state {
                case .head:
                    guard let (request, length) = try parser.parse(rest) else {
                        if deadlineIsForIdle {
                            deadline = server.loop.turnBegan &+ server.limits.headDeadline
                            deadlineIsForIdle = false
                        }
                        return consumed
                    }
                    consumed += length
                    request.peerAddress = peerAddress
                    if request.framing == .none {
                        handle(request)
                        return consumed
                    }
                    try beginBody(request, hasMore: consumed < bytes.count)
                case .body(let request, var decoder):
                    state = .handling
                    consumed += try decoder.decode(rest)
                    if decoder.isDone {
                        request.body = decoder.body
                        handle(request)
                        return consumed
                    }
                    state = .body(request, decoder)
                case .handling, .writing, .ended: return consumed
                }
            }
        } catch {
            refuse(error)
            return bytes.count
        }
        return consumed
    }

    private var deadlineIsForIdle = false

    private func beginBody(_ request: HTTPRequest, hasMore: Bool) throws(Refusal) {
        let limit = server.handler.bodyLimit(for: request)
        let decoder = try BodyDecoder(request.framing, limit: limit)
        var allowance = server.limits.bodyDeadline
        if case .sized(let size) = request.framing {
            allowance += UInt64(size / server.limits.bodyBytesPerSecond) * 1_000_000_000
        } else {
            allowance += UInt64(limit / server.limits.bodyBytesPerSecond) * 1_000_000_000
        }
        deadline = server.loop.turnBegan &+ allowance
        deadlineIsForIdle = false
        state = .body(request, decoder)
        if request.expectsContinue && !hasMore {
            let interim: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"
            stream?.send(
                UnsafeRawBufferPointer(
                    start: interim.utf8Start, count: interim.utf8CodeUnitCount))
        }
    }

    override func endOfInput() {
        inputEnded = true
        switch state {
        case .handling, .writing: break
        case .head, .body, .ended: stream?.finish()
        }
    }

    // MARK: Handling

    private func handle(_ request: HTTPRequest) {
        state = .handling
        deadline = nil
        server.requestsInFlight += 1
        let server = self.server
        task = server.loop.spawn {
            let response = await server.handler.respond(to: request)
            await self.answer(request, response)
        }
    }

    private nonisolated(nonsending) func answer(
        _ request: HTTPRequest, _ response: HTTPResponse
    ) async {
        let isLast = server.isDraining || (inputEnded && pending.isEmpty)
        let keepsAlive = request.keepsAlive && !response.closes && !isLast
        switch response.body {
        case .bytes(let bytes):
            write(response, bytes, request, keepsAlive: keepsAlive)
            finishExchange(keepsAlive: keepsAlive)
        case .stream(let produce):
            await writeStream(response, request, keepsAlive: keepsAlive, produce)
        case .upgrade(let makeHandler):
            upgrade(response, request, makeHandler)
        }
    }

    private func write(
        _ response: HTTPResponse, _ bytes: [UInt8], _ request: HTTPRequest, keepsAlive: Bool
    ) {
        let status = response.status
        let framing: ResponseFraming =
            status == 204 || status == 304 ? .none : .sized(bytes.count)
        send(
            response, framing: framing, body: request.method == .head || status == 304 ? [] : bytes,
            keepsAlive: keepsAlive, minorVersion: request.minorVersion)
    }

    private func send(
        _ response: HTTPResponse, framing: ResponseFraming, body: [UInt8], keepsAlive: Bool,
        minorVersion: Int
    ) {
        guard let stream else { return }
        server.write(
            response, framing: framing, body: body, keepsAlive: keepsAlive,
            minorVersion: minorVersion, to: stream)
    }

    private func finishExchange(keepsAlive: Bool) {
        server.requestsInFlight -= 1
        task = nil
        guard let stream, !stream.isClosed else { return }
        if !keepsAlive {
            end(stream)
            return
        }
        if stream.outgoingBytes > 0 {
            state = .writing
            startWriteDeadline()
        } else {
            beginNext(stream)
        }
    }

    /// Turns to what was sent ahead, or waits for the next request.
    private func beginNext(_ stream: TCPStream) {
        state = .head
        if pending.isEmpty {
            if inputEnded {
                end(stream)
            } else {
                let limits = server.limits
                let wait = server.isStopping ? limits.drainIdle : limits.idleDeadline
                deadline = server.loop.turnBegan &+ wait
                deadlineIsForIdle = true
            }
            return
        }
        deadline = server.loop.turnBegan &+ server.limits.headDeadline
        deadlineIsForIdle = false
        processPending()
        // The rest of an unfinished request cannot come any more.
        if inputEnded && !isHandling { end(stream) }
    }

    /// A slow reader gets more time for more bytes, as a slow sender does.
    private func startWriteDeadline() {
        let seconds = (stream?.outgoingBytes ?? 0) / server.limits.bodyBytesPerSecond
        let allowance = server.limits.writeDeadline + UInt64(seconds) * 1_000_000_000
        deadline = server.loop.turnBegan &+ allowance
        deadlineIsForIdle = false
    }

    override func drained() {
        if case .writing = state, let stream { beginNext(stream) }
        writer?.windowOpened()
    }

    /// The producer of a streamed response waits for the reader, or does so no more.
    func producerWaits(_ waits: Bool) {
        guard case .handling = state else { return }
        if waits { startWriteDeadline() } else { deadline = nil }
    }

    private func end(_ stream: TCPStream) {
        state = .ended
        dropPending()
        startWriteDeadline()
        stream.finish()
    }

    private func refuse(_ refusal: Refusal) {
        guard let stream else { return }
        let response = server.handler.respond(to: refusal)
        var bytes: [UInt8] = []
        if case .bytes(let body) = response.body { bytes = body }
        send(
            response, framing: .sized(bytes.count), body: bytes, keepsAlive: false, minorVersion: 1)
        end(stream)
    }

    // MARK: Streams and upgrades

    private var writer: BodyWriter?

    private nonisolated(nonsending) func writeStream(
        _ response: HTTPResponse, _ request: HTTPRequest, keepsAlive: Bool,
        _ produce: @Sendable (BodyWriter) async throws -> Void
    ) async {
        let chunked = request.minorVersion > 0
        let keepsAlive = keepsAlive && chunked
        send(
            response, framing: chunked ? .chunked : .untilClose, body: [], keepsAlive: keepsAlive,
            minorVersion: request.minorVersion)
        guard let stream else {
            finishExchange(keepsAlive: false)
            return
        }
        if request.method != .head {
            let writer = BodyWriter(
                stream, of: self, chunked: chunked, window: server.limits.streamWindow)
            self.writer = writer
            do {
                try await produce(writer)
                writer.end()
            } catch {
                stream.close()
            }
            self.writer = nil
        }
        finishExchange(keepsAlive: keepsAlive)
    }

    private func upgrade(
        _ response: HTTPResponse, _ request: HTTPRequest,
        _ makeHandler: @Sendable (TCPStream) -> StreamHandler
    ) {
        server.requestsInFlight -= 1
        task = nil
        guard let stream, !stream.isClosed else { return }
        send(
            response, framing: .none, body: [], keepsAlive: true,
            minorVersion: request.minorVersion)
        state = .ended
        deadline = nil
        let handler = makeHandler(stream)
        self.stream = nil
        stream.handler = handler
        server.remove(stream, self)
        // Much sent ahead of the response may have paused it.
        stream.resumeReading()
        var early = Array(pending[pendingStart...])
        dropPending()
        if !early.isEmpty { early.withUnsafeMutableBytes { handler.received($0) } }
        if inputEnded { handler.endOfInput() }
    }

    // MARK: Time and the end

    /// Called by the sweep when `deadline` has passed.
    func deadlinePassed() {
        guard let stream else { return }
        switch state {
        case .head where !deadlineIsForIdle && stream.outgoingBytes == 0:
            if pending.isEmpty {
                stream.close()
            } else {
                refuse(Refusal(408, "The head of the request took too long."))
            }
        case .body: refuse(Refusal(408, "The body of the request took too long."))
        case .head, .handling, .writing, .ended: stream.close()
        }
    }

    /// A stop has begun: an idle connection gets a short time for a request already on its way.
    func stopping() {
        if case .head = state {
            deadline = min(deadline ?? .max, server.loop.turnBegan &+ server.limits.drainIdle)
        }
    }

    /// The stop has taken too long.
    func cut() {
        task?.cancel()
        stream?.close()
    }

    override func closed() {
        task?.cancel()
        writer?.windowOpened()
        if let stream { server.remove(stream, self) }
        stream = nil
        state = .ended
        dropPending()
        deadline = nil
    }
}
