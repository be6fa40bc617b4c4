// One connection to a peer: one request at a time, its response parsed as it arrives.
import EventLoop
import Glibc
import HTTP

/// Used on its loop's thread only.
final class ClientConnection: StreamHandler, @unchecked Sendable {
    /// Turn in which it was last released, monotonic nanoseconds.
    var idleSince: UInt64 = 0

    private let peer: Peer
    private let limits: PoolLimits
    private var stream: TCPStream?
    private var exchange: Exchange?
    private var parser: ResponseParser
    private var state = State.idle
    /// The start of a response head that has not arrived whole.
    private var pending: [UInt8] = []
    private var interimHeads = 0
    private var wasUsed = false
    private var isReused = false
    private var hasAnswer = false
    private var isSending = false

    /// 1xx responses before the final one; a peer that sends more is broken.
    private static let interimLimit = 16

    private enum State {
        case idle
        case head
        case body(HTTPResponseHead, BodyDecoder)
    }

    init(peer: Peer, limits: PoolLimits) {
        self.peer = peer
        self.limits = limits
        parser = ResponseParser(limits: limits.head)
    }

    func start(_ stream: TCPStream) {
        self.stream = stream
        stream.start()
    }

    /// Whether something arrived while unused, most likely the end of the connection. A system call.
    var hasInput: Bool {
        guard let stream else { return true }
        var byte: UInt8 = 0
        let count = recv(stream.descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count >= 0 || (errno != EAGAIN && errno != EINTR)
    }

    /// Sends a request, given as bytes too.
    func begin(_ exchange: Exchange, _ bytes: UnsafeRawBufferPointer) {
        self.exchange = exchange
        exchange.connection = self
        isReused = wasUsed
        wasUsed = true
        hasAnswer = false
        interimHeads = 0
        state = .head
        // A stream that breaks in this call has taken nothing; `closed` is then called at once.
        isSending = true
        stream?.send(bytes)
        isSending = false
    }

    /// The exchange was given up; its response could only confuse the next one.
    func abandon() {
        exchange = nil
        close()
    }

    func close() {
        stream?.close()
    }

    // MARK: Events

    override func received(_ bytes: UnsafeMutableRawBufferPointer) {
        guard exchange != nil else {
            // Nobody asked.
            close()
            return
        }
        hasAnswer = true
        let input = UnsafeRawBufferPointer(bytes)
        if pending.isEmpty {
            take(input)
        } else {
            pending.append(contentsOf: input)
            let joined = pending
            pending = []
            joined.withUnsafeBytes { take($0) }
        }
    }

    override func endOfInput() {
        if case .body(let head, let decoder) = state, decoder.endsWithConnection {
            complete(head, decoder.body, isReusable: false)
        } else {
            close()
        }
    }

    override func closed() {
        stream = nil
        state = .idle
        pending = []
        guard let exchange else {
            peer.lost(self, replaying: nil)
            return
        }
        self.exchange = nil
        exchange.connection = nil
        let mayHaveBeenProcessed = !isSending
        let isStale =
            isReused && !hasAnswer && (!mayHaveBeenProcessed || exchange.request.mayBeReplayed)
        if isStale && !exchange.wasReplayed {
            exchange.wasReplayed = true
            peer.lost(self, replaying: exchange)
        } else {
            peer.lost(self, replaying: nil)
            exchange.fail(.connectionClosed(mayHaveBeenProcessed: mayHaveBeenProcessed))
        }
    }

    // MARK: Responses

    private func take(_ bytes: UnsafeRawBufferPointer) {
        do throws(Refusal) {
            try process(bytes)
        } catch {
            fail(error.status == 413 ? .bodyTooLarge : .badResponse(error.detail))
        }
    }

    private func process(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
        guard let request = exchange?.request else { return }
        var consumed = 0
        while true {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
            switch state {
            case .idle: return
            case .head:
                guard let (head, length) = try parser.parse(rest, method: request.method) else {
                    pending = Array(rest)
                    return
                }
                consumed += length
                if head.status < 200 {
                    try skipInterim(head)
                    if consumed == bytes.count { return }
                    continue
                }
                if head.framing == .none {
                    complete(head, [], isReusable: head.keepsAlive && consumed == bytes.count)
                    return
                }
                let decoder = try BodyDecoder(head.framing, limit: request.maximumBody)
                state = .body(head, decoder)
            case .body(let head, var decoder):
                state = .head
                consumed += try decoder.decode(rest)
                if decoder.isDone {
                    complete(
                        head, decoder.body,
                        isReusable: head.keepsAlive && consumed == bytes.count)
                } else {
                    state = .body(head, decoder)
                }
                return
            }
        }
    }

    private func skipInterim(_ head: HTTPResponseHead) throws(Refusal) {
        interimHeads += 1
        if head.status == 101 || interimHeads > Self.interimLimit {
            throw Refusal(502, "The peer sent interim responses nobody asked for.")
        }
    }

    private func complete(_ head: HTTPResponseHead, _ body: [UInt8], isReusable: Bool) {
        guard let exchange, let stream else { return }
        self.exchange = nil
        exchange.connection = nil
        state = .idle
        // A peer that answers before it has read the request may take the rest for another one.
        if isReusable && stream.outgoingBytes == 0 {
            peer.release(self)
        } else {
            close()
        }
        exchange.finish(.success(HTTPClientResponse(head, body: body)))
    }

    private func fail(_ error: HTTPClientError) {
        let exchange = self.exchange
        self.exchange = nil
        exchange?.connection = nil
        close()
        exchange?.fail(error)
    }
}
