// Ports for processes that tests start.
import Glibc

/// Ports of 127.0.0.1 on which nobody listens.
package enum FreePort {
    /// Below 32768, where Linux takes the ports of outgoing connections from: a process that is started again finds its
    /// port free.
    private static let range = 20_000..<32_000

    /// Several different ones.
    package static func take(_ count: Int = 1) throws -> [Int] {
        var taken: Set<Int> = []
        var attempts = 0
        while taken.count < count {
            attempts += 1
            guard attempts < 1000 else { throw SocketFailure(code: EADDRINUSE) }
            let port = Int.random(in: range)
            if isFree(port) { taken.insert(port) }
        }
        return Array(taken)
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return withLoopbackAddress(port: port) { bind(descriptor, $0, $1) } == 0
    }
}
