// The executable asked about itself: `auth --health` asks the service that runs on this machine whether it is ready. A
// container's health check needs no shell and no other program for it.
import Glibc

/// Asks a service of this machine whether it is ready.
package enum HealthCheck {
    /// Seconds that connecting, and then each read, may take.
    private static let patience = 3

    /// - Returns: what is wrong; `nil` when it answered 200.
    package static func fault(host: String, port: Int) -> String? {
        let head = "GET /health/ready HTTP/1.1\r\nHost: health\r\nConnection: close\r\n\r\n"
        guard let descriptor = connect(host, port) else {
            return "nothing listens on port \(port)"
        }
        defer { close(descriptor) }
        guard send(descriptor, head, head.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
            return "the connection to port \(port) broke"
        }
        var answer: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while answer.count < 65_536 {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count <= 0 { break }
            answer.append(contentsOf: bytes[..<count])
        }
        let text = String(decoding: answer, as: UTF8.self)
        if text.hasPrefix("HTTP/1.1 200 ") { return nil }
        return text.isEmpty ? "no answer from port \(port)" : text
    }

    /// Runs as the program: configured as the service is, prints what is wrong, and gives the exit status.
    static func run(_ environment: inout Environment, port: Int) -> Int32 {
        let host = environment.text("HOST", default: "127.0.0.1")
        let port = environment.integer("PORT", default: port, 1...65_535)
        guard let fault = fault(host: host, port: port) else { return 0 }
        let line = fault + "\n"
        _ = write(2, line, line.utf8.count)
        return 1
    }

    private static func connect(_ host: String, _ port: Int) -> Int32? {
        // Who listens on all addresses listens on this one.
        let host = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else { return nil }
        defer { freeaddrinfo(found) }
        let descriptor = socket(found.pointee.ai_family, found.pointee.ai_socktype, 0)
        guard descriptor >= 0 else { return nil }
        var patience = timeval(tv_sec: Self.patience, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        if Glibc.connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 {
            return descriptor
        }
        close(descriptor)
        return nil
    }
}
