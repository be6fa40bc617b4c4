// Plain HTTP/1.1 between services over kept connections, straight on the loop: a request costs two
// system calls and no thread change. What it does not do (TLS, proxies), libcurl does.
package import EventLoop
import HTTP

/// The connections of one loop to its peers.
package final class PooledHTTPClient: HTTPClient, @unchecked Sendable {
    private let loop: EventLoop
    private let limits: PoolLimits
    private var peers: [HTTPOrigin: Peer] = [:]
    private var isShutDown = false

    /// Peers remembered before unused ones are forgotten.
    private static let peerLimit = 64

    package init(loop: EventLoop, limits: PoolLimits = PoolLimits()) {
        self.loop = loop
        self.limits = limits
    }

    deinit {
        // Whoever dropped the last reference may stand on another thread.
        let peers = Array(self.peers.values)
        loop.execute { for peer in peers { peer.shutDown() } }
    }

    /// Runs on the loop, whichever thread calls. Only `http` addresses.
    package func send(
        _ request: HTTPClientRequest
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        guard request.url.origin.scheme == .http else {
            throw .invalidRequest("Only http addresses are reached over the loop's connections.")
        }
        try request.checkFields()
        let exchange = Exchange(request)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute {
                    exchange.continuation = continuation
                    self.begin(exchange)
                }
            }
        } onCancel: {
            loop.execute { exchange.fail(.cancelled) }
        }
        return try result.get()
    }

    private func begin(_ exchange: Exchange) {
        if exchange.isCancelledEarly {
            exchange.fail(.cancelled)
            return
        }
        let deadline = exchange.request.deadline
        guard deadline > loop.turnBegan, !isShutDown else {
            exchange.fail(isShutDown ? .cancelled : .timedOut)
            return
        }
        exchange.timer = loop.schedule(at: deadline) { exchange.fail(.timedOut) }
        peer(exchange.request.url.origin).submit(exchange)
    }

    private func peer(_ origin: HTTPOrigin) -> Peer {
        if let peer = peers[origin] { return peer }
        if peers.count >= Self.peerLimit { peers = peers.filter { !$0.value.isUnused } }
        let peer = Peer(origin, loop: loop, limits: limits)
        peers[origin] = peer
        return peer
    }

    /// Connections of this loop to all peers and requests that wait for one. Loop thread only.
    package var usage: (connections: Int, waiting: Int) {
        peers.values.reduce(into: (0, 0)) { sum, peer in
            sum.0 += peer.connectionCount
            sum.1 += peer.waitingCount
        }
    }

    /// Cancels what is under way and closes every connection. Later requests fail. Loop thread only.
    package func shutDown() {
        isShutDown = true
        for peer in peers.values { peer.shutDown() }
        peers = [:]
    }
}

/// A request under way, until it is answered, failed, timed out or cancelled. Loop thread only.
final class Exchange: @unchecked Sendable {
    let request: HTTPClientRequest
    var continuation: CheckedContinuation<Result<HTTPClientResponse, HTTPClientError>, Never>?
    var timer: LoopTimer?
    /// The connection it is on.
    weak var connection: ClientConnection?
    /// Where it waits for a connection.
    weak var queue: Peer?
    /// Whether it was already sent again after a kept connection turned out to be closed.
    var wasReplayed = false
    private(set) var isCancelledEarly = false

    init(_ request: HTTPClientRequest) {
        self.request = request
    }

    var isFinished: Bool { continuation == nil }

    /// Ends it without an answer; also takes it off its connection, which is of no more use, or out of
    /// the queue. Nothing happens when it has ended.
    func fail(_ error: HTTPClientError) {
        if isFinished {
            // Either all is over, or the cancellation ran before the request reached the loop.
            isCancelledEarly = true
            return
        }
        finish(.failure(error))
        queue?.remove(self)
        connection?.abandon()
    }

    func finish(_ result: Result<HTTPClientResponse, HTTPClientError>) {
        timer?.cancel()
        timer = nil
        let continuation = self.continuation
        self.continuation = nil
        continuation?.resume(returning: result)
    }
}
