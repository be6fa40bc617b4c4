// Opens TCP connections without blocking the loop: looks the name up, then tries its addresses one
// after the other until one answers or the deadline has passed.
package import EventLoop
import Glibc

/// Connects to a host and returns the stream, not started: set its handler, then call `start()`, both
/// on the loop. Callable from any task.
///
/// - Parameters:
///   - host: a name or a numeric address, IPv6 without brackets.
///   - deadline: monotonic nanoseconds.
///   - loop: where the stream will live.
/// - Throws: `HTTPClientError.connect`, `timedOut` or `cancelled`.
package func connectTCP(
    host: String, port: Int, deadline: UInt64, loop: EventLoop
) async throws(HTTPClientError) -> TCPStream {
    let attempt = TCPConnect(host: host, port: port, deadline: deadline, loop: loop)
    let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            loop.execute { attempt.start { continuation.resume(returning: $0) } }
        }
    } onCancel: {
        loop.execute { attempt.cancel() }
    }
    return TCPStream(descriptor: try result.get(), loop: loop, handler: StreamHandler())
}

/// One attempt to reach a host. Used on its loop's thread only.
final class TCPConnect: @unchecked Sendable {
    typealias Outcome = Result<Int32, HTTPClientError>

    private let host: String
    private let port: Int
    private let deadline: UInt64
    private let loop: EventLoop
    private var completion: ((Outcome) -> Void)?
    private var isCancelled = false
    private var addresses: ArraySlice<SocketAddress> = []
    private var watcher: ConnectWatcher?
    private var timer: LoopTimer?
    private var lastCode = ETIMEDOUT

    /// The least time an address gets when others are left to try: a lost packet is sent again after
    /// one second.
    private static let leastShare: UInt64 = 1_500_000_000

    init(host: String, port: Int, deadline: UInt64, loop: EventLoop) {
        self.host = host
        self.port = port
        self.deadline = deadline
        self.loop = loop
    }

    /// Calls `completion` once with a connected, non-blocking descriptor that it then owns; possibly
    /// before returning.
    func start(_ completion: @escaping (Outcome) -> Void) {
        if isCancelled {
            completion(.failure(.cancelled))
            return
        }
        self.completion = completion
        // Covers the lookup; each address gets its own timer later.
        setTimer(deadline) { $0.end(.failure(.timedOut)) }
        HostLookup.shared.find(host, on: loop) { [self] answer in
            guard self.completion != nil else { return }
            switch answer {
            case .success(let addresses):
                self.addresses = addresses[...]
                tryNext()
            case .failure(let error): end(.failure(error))
            }
        }
    }

    func cancel() {
        isCancelled = true
        end(.failure(.cancelled))
    }

    private func tryNext() {
        let now = EventLoop.now
        guard now < deadline else {
            end(.failure(.timedOut))
            return
        }
        while let address = addresses.popFirst() {
            let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            let descriptor = socket(address.family, type, 0)
            guard descriptor >= 0 else {
                lastCode = errno
                continue
            }
            let status = address.with(port: port).withPointer { connect(descriptor, $0, $1) }
            if status == 0 {
                end(.success(descriptor))
                return
            }
            if errno == EINPROGRESS {
                wait(for: descriptor, from: now)
                return
            }
            lastCode = errno
            close(descriptor)
        }
        let error = SystemError("connect to \(host):\(port)", code: lastCode)
        end(.failure(.connect(error.description)))
    }

    private func wait(for descriptor: Int32, from now: UInt64) {
        let watcher = ConnectWatcher(descriptor: descriptor, attempt: self)
        self.watcher = watcher
        loop.register(watcher, for: .writable)
        if addresses.isEmpty {
            setTimer(deadline) { $0.end(.failure(.timedOut)) }
        } else {
            let share = max((deadline - now) / UInt64(addresses.count + 1), Self.leastShare)
            setTimer(min(now &+ share, deadline)) { attempt in
                attempt.lastCode = ETIMEDOUT
                attempt.dropWatcher(closing: true)
                attempt.tryNext()
            }
        }
    }

    fileprivate func connected(_ descriptor: Int32) {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        dropWatcher(closing: code != 0)
        if code == 0 {
            end(.success(descriptor))
        } else {
            lastCode = code
            tryNext()
        }
    }

    private func setTimer(_ instant: UInt64, _ body: @escaping (TCPConnect) -> Void) {
        timer?.cancel()
        timer = loop.schedule(at: instant) { [self] in body(self) }
    }

    private func dropWatcher(closing: Bool) {
        guard let watcher else { return }
        self.watcher = nil
        loop.unregister(watcher)
        if closing { close(watcher.descriptor) }
    }

    private func end(_ outcome: Outcome) {
        timer?.cancel()
        timer = nil
        dropWatcher(closing: true)
        let completion = self.completion
        self.completion = nil
        completion?(outcome)
    }
}

/// Waits for a socket to be connected or refused.
private final class ConnectWatcher: Watcher, @unchecked Sendable {
    private let attempt: TCPConnect

    init(descriptor: Int32, attempt: TCPConnect) {
        self.attempt = attempt
        super.init(descriptor: descriptor)
    }

    override func ready(_ readiness: Readiness) {
        attempt.connected(descriptor)
    }
}
