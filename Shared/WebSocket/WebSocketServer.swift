// The sockets that a service has accepted, on all its loops: bounded in number, asked from time to
// time whether they are alive, and told when the service stops.
package import EventLoop
package import HTTP
package import HTTPServer

/// Accepts WebSockets for the handlers of a service.
package final class WebSocketServer: Sendable {
    private let lists: [SocketList]
    private let limits: WebSocketLimits

    /// - Parameter loops: those of the HTTP server, in the order of their index.
    package init(loops: [EventLoop], limits: WebSocketLimits = WebSocketLimits()) {
        lists = loops.map { SocketList(loop: $0, limits: limits) }
        self.limits = limits
    }

    /// The response that turns a request into a WebSocket. Call on the request's loop.
    ///
    /// - Parameters:
    ///   - protocols: see `Handshake.accept`.
    ///   - open: called on the loop when the socket is open; it may send already. Returns the delegate.
    /// - Throws: `HandshakeRefusal`; 503 when a loop has `WebSocketLimits.sockets` or the service
    ///   stops.
    package func accept(
        _ request: HTTPRequest, protocols: [String] = [],
        open: @escaping @Sendable (WebSocketConnection) -> WebSocketDelegate
    ) throws(HandshakeRefusal) -> HTTPResponse {
        if let loop = EventLoop.current, lists[loop.index].isFull {
            throw HandshakeRefusal(503, "Too many WebSockets are open.")
        }
        let name = Handshake.agreedProtocol(request, protocols)
        let limits = self.limits
        let lists = self.lists
        return try Handshake.accept(request, protocols: protocols) { stream in
            let socket = WebSocketConnection(stream, limits: limits, subprotocol: name)
            lists[stream.loop.index].add(socket)
            socket.delegate = open(socket)
            return socket
        }
    }

    /// Open sockets of one loop, as of now. Loop thread only.
    package func openSockets(on loop: EventLoop) -> Int { lists[loop.index].count }

    /// Refuses new sockets and closes all with 1001. Returns when all are gone, after
    /// `WebSocketLimits.closeDeadline` at the latest.
    package func stop() async {
        await withTaskGroup(of: Void.self) { group in
            for list in lists {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        list.loop.execute { list.stop { continuation.resume() } }
                    }
                }
            }
        }
    }
}

/// The sockets of one loop. Used on its thread only.
final class SocketList: @unchecked Sendable {
    let loop: EventLoop
    private let limits: WebSocketLimits
    private var sockets: [WebSocketConnection] = []
    private var isSweeping = false
    private var isStopping = false
    private var stopped: [() -> Void] = []

    init(loop: EventLoop, limits: WebSocketLimits) {
        self.loop = loop
        self.limits = limits
    }

    var count: Int { sockets.count }

    var isFull: Bool { isStopping || sockets.count >= limits.sockets }

    func add(_ socket: WebSocketConnection) {
        socket.place = sockets.count
        socket.list = self
        sockets.append(socket)
        if isStopping { socket.close(.goingAway, "the server stops") }
        if isSweeping { return }
        isSweeping = true
        scheduleSweep()
    }

    func remove(_ socket: WebSocketConnection) {
        let place = socket.place
        guard place >= 0, let last = sockets.popLast() else { return }
        socket.place = -1
        if last !== socket {
            sockets[place] = last
            last.place = place
        }
        if sockets.isEmpty { allGone() }
    }

    func stop(_ completion: @escaping () -> Void) {
        isStopping = true
        stopped.append(completion)
        if sockets.isEmpty { allGone() }
        for socket in sockets { socket.close(.goingAway, "the server stops") }
    }

    private func allGone() {
        let waiting = stopped
        stopped = []
        for completion in waiting { completion() }
    }

    /// A tenth of the shorter limit is precise enough.
    private func scheduleSweep() {
        let interval = max(min(limits.pingAfter, limits.closeAfter) / 10, 1_000_000)
        loop.schedule(after: interval) { [weak self] in self?.sweep() }
    }

    private func sweep() {
        let now = EventLoop.now
        // By position from the end, since a socket that is given up leaves the list.
        var position = sockets.count
        while position > 0 {
            position -= 1
            if position < sockets.count { sockets[position].checkSilence(now) }
        }
        isSweeping = !sockets.isEmpty
        if isSweeping { scheduleSweep() }
    }
}
