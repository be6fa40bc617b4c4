// A blocking socket whose every byte a test decides, to play clients and servers that misbehave.
import Glibc

/// A connected TCP socket. Calls block the thread, for `patience` seconds at most.
package final class RawSocket: Sendable {
    package let descriptor: Int32

    /// Connects to a port of 127.0.0.1.
    package init(port: Int, patience: Int = 10, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(4))
        }
        setPatience(patience)
        let status = withLoopbackAddress(port: port) { connect(descriptor, $0, $1) }
        guard status == 0 else { throw SocketFailure(code: errno) }
    }

    /// Takes ownership of a descriptor.
    package init(descriptor: Int32, patience: Int = 10) {
        self.descriptor = descriptor
        setPatience(patience)
    }

    deinit { Glibc.close(descriptor) }

    private func setPatience(_ seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    }

    /// Sends all; `false` when the peer is gone.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// What one read brings; `nil` at the end, at a reset and when patience is over.
    package func read(atMost limit: Int = 65_536) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Reads until the text so far ends with `suffix`, or no more comes.
    package func read(through suffix: String) -> String {
        var bytes: [UInt8] = []
        while let more = read() {
            bytes += more
            if bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads to the end of the connection.
    package func readToEnd() -> String {
        var bytes: [UInt8] = []
        while let more = read() { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether something can be read, the end included.
    package func hasInput(within milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, milliseconds) > 0
    }

    /// Whether the peer ends the connection within the patience, by end or reset.
    package func isEnded() -> Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, 0)
        return count == 0 || (count < 0 && errno != EAGAIN)
    }

    /// Makes the end a reset, without asking the peer.
    package func endByReset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, size)
    }

    /// Says that nothing more will be sent.
    package func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends in both directions; the descriptor is closed with the object.
    package func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

package struct SocketFailure: Error {
    package let code: Int32
}

/// Lends the address of a port of 127.0.0.1.
func withLoopbackAddress<Result>(
    port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}

/// A listening socket whose connections are played by a closure, each on a thread of its own. Call
/// `stop` at the end.
package final class ScriptedServer: Sendable {
    package let port: Int
    private let listener: ListeningSocket

    package init(_ play: @escaping @Sendable (RawSocket, Int) -> Void) throws {
        let listener = ListeningSocket()
        self.listener = listener
        port = try listenOnLoopback(listener.descriptor, backlog: 128)
        startThread {
            var number = 0
            while true {
                let descriptor = accept(listener.descriptor, nil, nil)
                if descriptor < 0 { break }
                let connection = RawSocket(descriptor: descriptor)
                let position = number
                startThread { play(connection, position) }
                number += 1
            }
        }
    }

    deinit { listener.end() }

    /// Refuses further connections.
    package func stop() { listener.end() }
}

/// A descriptor that is closed when neither the server nor its thread uses it any more: closed earlier,
/// its number could already belong to a connection of another test.
private final class ListeningSocket: Sendable {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)

    deinit { close(descriptor) }

    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// A listening socket that never accepts and whose queue is full: connecting to it hangs.
package final class FullListener: Sendable {
    package let port: Int
    private let listener: Int32
    private let guests: [RawSocket]

    package init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let port = try listenOnLoopback(listener, backlog: 0)
        self.port = port
        guests = [try RawSocket(port: port)]
    }

    /// Keeps the object alive until here.
    package func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    deinit { close(listener) }
}

/// Binds to a free port and listens.
private func listenOnLoopback(_ descriptor: Int32, backlog: Int32) throws -> Int {
    let status = withLoopbackAddress(port: 0) { bind(descriptor, $0, $1) }
    guard status == 0, listen(descriptor, backlog) == 0 else { throw SocketFailure(code: errno) }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            _ = getsockname(descriptor, $0, &length)
        }
    }
    return Int(UInt16(bigEndian: address.sin_port))
}

/// Runs a blocking body away from the threads that tasks share.
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        startThread { continuation.resume(returning: body()) }
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs something on a thread of its own.
func startThread(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    pthread_create(
        &thread, nil,
        { argument in
            if let argument {
                Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
            }
            return nil
        }, argument)
    pthread_detach(thread)
}
