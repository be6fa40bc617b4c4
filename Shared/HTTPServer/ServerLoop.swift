// The part of a server that lives on one loop: its listener, its connections, and the sweep that enforces deadlines.
import CLinux
import EventLoop
import Glibc
import HTTP

final class ServerLoop: @unchecked Sendable {
    let loop: EventLoop
    let handler: any HTTPHandler
    let limits: ServerLimits
    private(set) var isStopping = false
    var isDraining = false
    var requestsInFlight = 0
    private(set) var openConnections = 0
    private var connections: [ServerConnection?] = []
    private var listener: Listener?
    private var output = OutputBuffer()
    private var date = DateLine()
    private var whenStopped: [@Sendable () -> Void] = []
    private var hasStopped = false
    private var stopDeadline: UInt64 = 0

    /// How often deadlines are looked at: their precision.
    private static let sweepInterval: UInt64 = 250_000_000

    init(loop: EventLoop, handler: any HTTPHandler, limits: ServerLimits) {
        self.loop = loop
        self.handler = handler
        self.limits = limits
    }

    func start(listening descriptor: Int32) {
        let listener = Listener(descriptor: descriptor, server: self)
        self.listener = listener
        loop.register(listener, for: .readable)
        scheduleSweep()
    }

    func accepted(_ descriptor: Int32, from address: sockaddr_storage) {
        guard openConnections < limits.connections else {
            // Closing unanswered costs least when there are too many already; the kernel's backlog holds the rest.
            close(descriptor)
            return
        }
        let connection = ServerConnection(server: self, peerAddress: numericAddress(address))
        let stream = TCPStream(descriptor: descriptor, loop: loop, handler: connection)
        let index = Int(descriptor)
        while connections.count <= index { connections.append(nil) }
        connections[index] = connection
        openConnections += 1
        connection.start(stream)
    }

    func remove(_ stream: TCPStream, _ connection: ServerConnection) {
        let index = Int(stream.descriptor)
        guard connections[index] === connection else { return }
        connections[index] = nil
        openConnections -= 1
    }

    func write(
        _ response: HTTPResponse, framing: ResponseFraming, body: [UInt8], keepsAlive: Bool,
        minorVersion: Int, to stream: TCPStream
    ) {
        date.refresh(loop.turnBegan)
        output.reset()
        output.appendHead(
            response, framing: framing, date: date.bytes, keepsAlive: keepsAlive,
            minorVersion: minorVersion)
        output.append(body)
        stream.send(output.bytes)
    }

    private func scheduleSweep() {
        loop.schedule(after: Self.sweepInterval) { [weak self] in self?.sweep() }
    }

    private func sweep() {
        let now = loop.turnBegan
        for connection in connections {
            guard let connection, let deadline = connection.deadline, deadline <= now else {
                continue
            }
            connection.deadlinePassed()
        }
        if isStopping {
            if now >= stopDeadline { for connection in connections { connection?.cut() } }
            if openConnections == 0 {
                hasStopped = true
                for completion in whenStopped { completion() }
                whenStopped = []
                return
            }
        }
        scheduleSweep()
    }

    /// Takes what waits in the backlog, closes the listener, and calls `completion` when the last connection is done.
    func stop(completion: @escaping @Sendable () -> Void) {
        if hasStopped {
            completion()
            return
        }
        whenStopped.append(completion)
        if isStopping { return }
        isStopping = true
        isDraining = true
        stopDeadline = EventLoop.now &+ limits.drainDeadline
        listener?.acceptAll()
        listener?.stop()
        listener = nil
        for connection in connections { connection?.stopping() }
    }
}

/// The listening socket of one loop.
private final class Listener: Watcher, @unchecked Sendable {
    private unowned let server: ServerLoop

    init(descriptor: Int32, server: ServerLoop) {
        self.server = server
        super.init(descriptor: descriptor)
    }

    override func ready(_ readiness: Readiness) {
        // A bound on how long a flood of connections keeps requests waiting.
        acceptSome(64)
    }

    func acceptAll() { acceptSome(10_000) }

    private func acceptSome(_ most: Int) {
        for _ in 0..<most {
            var address = sockaddr_storage()
            var length = socklen_t(0)
            let accepted = linux_accept(descriptor, &address, &length)
            if accepted >= 0 {
                server.accepted(accepted, from: address)
            } else if errno == EMFILE || errno == ENFILE {
                pause()
                return
            } else if errno != EINTR && errno != ECONNABORTED {
                return
            }
        }
    }

    /// Out of descriptors: looks again in 100 ms instead of spinning.
    private func pause() {
        server.loop.update(self, for: [])
        server.loop.schedule(after: 100_000_000) { [weak self] in
            guard let self else { return }
            server.loop.update(self, for: .readable)
        }
    }

    func stop() {
        server.loop.unregister(self)
        close(descriptor)
    }
}

/// The address of a peer without its port.
private func numericAddress(_ address: sockaddr_storage) -> String {
    var address = address
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let length = socklen_t(
        address.ss_family == sa_family_t(AF_INET6)
            ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            getnameinfo($0, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
        }
    }
    guard status == 0 else { return "" }
    return host.withUnsafeBytes { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
