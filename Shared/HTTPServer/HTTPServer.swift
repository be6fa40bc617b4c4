// A server over one or more loops, each with its own listener on the same port; the kernel spreads connections.
package import EventLoop
import Glibc
import HTTP
import Synchronization

/// An HTTP/1.1 server.
package final class HTTPServer: Sendable {
    private let parts: [ServerLoop]
    private let host: String
    private let requestedPort: Int

    /// - Parameters:
    ///   - host: a numeric address or a name of this machine.
    ///   - port: 0 takes any free one.
    package init(
        host: String, port: Int, limits: ServerLimits = ServerLimits(), loops: [EventLoop],
        handler: any HTTPHandler
    ) {
        self.host = host
        requestedPort = port
        parts = loops.map { ServerLoop(loop: $0, handler: handler, limits: limits) }
    }

    /// Binds and begins to accept.
    /// - Returns: the port.
    /// - Throws: `SystemError`; `EADDRINUSE` when the port is taken, also by another process that would share it.
    package func start() throws -> Int {
        let shared = parts.count > 1
        if shared && requestedPort != 0 {
            // Shared ports would let a second server slip in silently; a plain bind finds it.
            let probe = try listen(port: requestedPort, shared: false)
            close(probe)
        }
        var port = requestedPort
        var descriptors: [Int32] = []
        for _ in parts {
            let descriptor = try listen(port: port, shared: shared)
            descriptors.append(descriptor)
            port = boundPort(descriptor)
        }
        for (part, descriptor) in zip(parts, descriptors) {
            part.loop.execute { part.start(listening: descriptor) }
        }
        return port
    }

    /// From now on each answer is the last of its connection, while new connections are still taken: whoever sends here
    /// has time to learn that this server is about to stop.
    package func drain() {
        for part in parts { part.loop.execute { part.isDraining = true } }
    }

    /// Stops gracefully: no new connections, requests in flight finish, idle connections close, and what takes longer
    /// than `ServerLimits.drainDeadline` is cut.
    package func stop() async {
        await withTaskGroup(of: Void.self) { group in
            for part in parts {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        part.loop.execute { part.stop { continuation.resume() } }
                    }
                }
            }
        }
    }

    /// Open connections of one loop, as of now. Loop thread only.
    package func openConnections(on loop: EventLoop) -> Int {
        parts[loop.index].openConnections
    }

    /// Requests being handled on one loop. Loop thread only.
    package func requestsInFlight(on loop: EventLoop) -> Int {
        parts[loop.index].requestsInFlight
    }

    private func listen(port: Int, shared: Bool) throws -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else {
            throw SystemError("look up \(host)", code: EADDRNOTAVAIL)
        }
        defer { freeaddrinfo(found) }
        let type = found.pointee.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(found.pointee.ai_family, type, 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(4))
        if shared { setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &one, socklen_t(4)) }
        guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
            Glibc.listen(descriptor, 4096) == 0
        else {
            let error = SystemError("listen on \(host):\(port)")
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private func boundPort(_ descriptor: Int32) -> Int {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(descriptor, $0, &length)
            }
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                // sin_port and sin6_port stand at the same place.
                Int(UInt16(bigEndian: $0.pointee.sin_port))
            }
        }
    }
}
