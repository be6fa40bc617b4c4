// All sockets of a service on one loop, so that silence is noticed and a stop says goodbye.
package import EventLoop

/// The sockets of one loop. Used on its thread only.
package final class SocketRegistry: @unchecked Sendable {
    private let loop: EventLoop
    private var sockets: [WebSocketConnection] = []
    private var isSweeping = false

    /// Precision of the silence limits, in nanoseconds.
    private static let sweepInterval: UInt64 = 5_000_000_000

    package init(loop: EventLoop) {
        self.loop = loop
    }

    /// Number of open sockets.
    package var count: Int { sockets.count }

    package func add(_ socket: WebSocketConnection) {
        socket.place = sockets.count
        socket.registry = self
        sockets.append(socket)
        if !isSweeping {
            isSweeping = true
            scheduleSweep()
        }
    }

    func remove(_ socket: WebSocketConnection) {
        let place = socket.place
        guard place >= 0, let last = sockets.popLast() else { return }
        socket.place = -1
        if last !== socket {
            sockets[place] = last
            last.place = place
        }
    }

    /// Closes all with 1001.
    package func closeAll() {
        for socket in sockets { socket.close(.goingAway, "the server stops") }
    }

    private func scheduleSweep() {
        loop.schedule(after: Self.sweepInterval) { [weak self] in self?.sweep() }
    }

    private func sweep() {
        for socket in sockets { socket.checkSilence(loop.turnBegan) }
        isSweeping = !sockets.isEmpty
        if isSweeping { scheduleSweep() }
    }
}
