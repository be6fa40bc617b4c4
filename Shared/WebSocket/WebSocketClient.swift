// Opens WebSockets to upstreams. Whoever connects decides whether and when to connect again, since only
// it knows what was missed meanwhile.
//
// Only ws:// so far: TLS here would have to run on the loop, and libcurl, which carries our other TLS,
// does not hand over its connections as bytes.
package import EventLoop
import HTTP
import HTTPClient

package enum WebSocketClient {
    /// Connects, shakes hands and returns the open socket. Its peer is pinged when it is silent and
    /// given up when it stays so, as `limits` say. Callable from any task.
    ///
    /// - Parameters:
    ///   - address: `ws://host[:port]/path[?query]`.
    ///   - protocols: subprotocols in order of preference.
    ///   - fields: further fields of the request, such as `Authorization`.
    ///   - deadline: monotonic nanoseconds (`EventLoop.now`) for all of it.
    ///   - loop: where the socket lives.
    ///   - random: unpredictable words for the key and the masks, RFC 6455, section 10.3.
    ///   - open: called on the loop before anything is received; it may send already. Returns the
    ///     delegate.
    /// - Throws: `WebSocketClientError`.
    package static func connect(
        _ address: String, protocols: [String] = [],
        fields: [(name: String, value: String)] = [],
        limits: WebSocketLimits = WebSocketLimits(), deadline: UInt64, loop: EventLoop,
        random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) },
        open: @escaping @Sendable (WebSocketConnection) -> WebSocketDelegate
    ) async throws(WebSocketClientError) -> WebSocketConnection {
        let url = try parse(address)
        let words = [random(), random()]
        let nonce = words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
        let handshake = ClientHandshake(nonce: nonce, protocols: protocols)
        let request = handshake.request(
            host: url.origin.authority, target: url.target, fields: fields)
        guard let request else {
            throw .badRequest("A field or subprotocol cannot be sent.")
        }
        let stream = try await connectStream(url.origin, deadline, loop)
        let attempt = OpeningHandshake(stream, handshake, deadline: deadline) { stream, name in
            let socket = WebSocketConnection(stream, limits: limits, subprotocol: name) {
                UInt32(truncatingIfNeeded: random())
            }
            socket.delegate = open(socket)
            return socket
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute { attempt.start(request) { continuation.resume(returning: $0) } }
            }
        } onCancel: {
            loop.execute { attempt.end(.failure(.cancelled)) }
        }
        return try result.get()
    }

    private static func parse(_ address: String) throws(WebSocketClientError) -> HTTPURL {
        guard address.prefix(5).lowercased() == "ws://" else {
            throw .badRequest("The address does not begin with ws://.")
        }
        do throws(HTTPClientError) {
            return try HTTPURL("http" + address.dropFirst(2))
        } catch {
            throw .badRequest("The address is not one of a WebSocket.")
        }
    }

    private static func connectStream(
        _ origin: HTTPOrigin, _ deadline: UInt64, _ loop: EventLoop
    ) async throws(WebSocketClientError) -> TCPStream {
        do throws(HTTPClientError) {
            return try await connectTCP(
                host: origin.host, port: origin.port, deadline: deadline, loop: loop)
        } catch {
            switch error {
            case .timedOut: throw .timedOut
            case .cancelled: throw .cancelled
            case .connect(let detail): throw .connect(detail)
            default: throw .connect("\(error)")
            }
        }
    }
}

/// Waits for the server's answer on a connected stream. Used on its loop's thread only.
private final class OpeningHandshake: StreamHandler, @unchecked Sendable {
    typealias Outcome = Result<WebSocketConnection, WebSocketClientError>

    private let stream: TCPStream
    private let handshake: ClientHandshake
    private let deadline: UInt64
    private let makeSocket: (TCPStream, String?) -> WebSocketConnection
    private var parser = ResponseParser()
    private var pending: [UInt8] = []
    private var outcome: Outcome?
    private var completion: ((Outcome) -> Void)?
    private var timer: LoopTimer?

    init(
        _ stream: TCPStream, _ handshake: ClientHandshake, deadline: UInt64,
        makeSocket: @escaping (TCPStream, String?) -> WebSocketConnection
    ) {
        self.stream = stream
        self.handshake = handshake
        self.deadline = deadline
        self.makeSocket = makeSocket
        super.init()
    }

    /// Calls `completion` once.
    func start(_ request: [UInt8], _ completion: @escaping (Outcome) -> Void) {
        if let outcome {
            completion(outcome)
            return
        }
        self.completion = completion
        stream.handler = self
        stream.start()
        timer = stream.loop.schedule(at: deadline) { [weak self] in
            self?.end(.failure(.timedOut))
        }
        request.withUnsafeBytes { stream.send($0) }
    }

    /// Ends the attempt; a second call does nothing.
    func end(_ outcome: Outcome) {
        if self.outcome != nil { return }
        self.outcome = outcome
        timer?.cancel()
        if case .failure = outcome { stream.close() }
        let completion = self.completion
        self.completion = nil
        completion?(outcome)
    }

    override func received(_ bytes: UnsafeMutableRawBufferPointer) {
        pending.append(contentsOf: bytes)
        do throws(WebSocketClientError) {
            try readHead()
        } catch {
            end(.failure(error))
        }
    }

    private func readHead() throws(WebSocketClientError) {
        while let (head, count) = try parse() {
            pending.removeFirst(count)
            // Interim responses may come first.
            if head.status < 200 && head.status != 101 { continue }
            let socket = makeSocket(stream, try handshake.check(head))
            stream.handler = socket
            socket.watchSilence()
            end(.success(socket))
            // Messages may have come right behind the answer.
            var rest = pending
            pending = []
            if !rest.isEmpty { rest.withUnsafeMutableBytes { socket.received($0) } }
            return
        }
    }

    private func parse() throws(WebSocketClientError) -> (head: HTTPResponseHead, consumed: Int)? {
        if pending.isEmpty { return nil }
        let result = pending.withUnsafeBytes { bytes in
            Result { () throws(Refusal) in try parser.parse(bytes, method: .get) }
        }
        switch result {
        case .success(let parsed): return parsed
        case .failure(let refusal): throw .badHandshake(refusal.detail)
        }
    }

    override func endOfInput() { closed() }

    override func closed() {
        end(.failure(.badHandshake("the connection ended before the handshake was answered")))
    }
}
