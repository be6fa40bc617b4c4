// Names to addresses. getaddrinfo blocks for as long as a name server likes, so it runs on threads of
// its own; what it found serves all loops for a short while. Failures are not kept.
import EventLoop
import Glibc
import Synchronization

/// Looks host names up for every loop of the process.
final class HostLookup: Sendable {
    static let shared = HostLookup()

    typealias Answer = Result<[SocketAddress], HTTPClientError>

    /// How long an answer serves. Short, so that a moved peer is found again soon.
    private static let lifetime: UInt64 = 10_000_000_000
    /// Names kept at most; reaching it drops the outdated ones, then all.
    private static let capacity = 256
    /// Lookups at a time: a dead name server must not cost a thread for each waiting name.
    private static let threads = 4

    private struct Known {
        var addresses: [SocketAddress]
        var expires: UInt64
    }

    private struct Waiter {
        var loop: EventLoop
        var completion: @Sendable (Answer) -> Void
    }

    private struct State {
        var known: [String: Known] = [:]
        var waiting: [String: [Waiter]] = [:]
        var queue: [String] = []
        var running = 0
    }

    private let state = Mutex(State())

    /// Calls `completion` on `loop` with at least one address (port 0): before returning when the
    /// host is numeric or known. Call on `loop`'s thread.
    func find(
        _ host: String, on loop: EventLoop, _ completion: @escaping @Sendable (Answer) -> Void
    ) {
        if let address = SocketAddress(numeric: host) {
            completion(.success([address]))
            return
        }
        let now = EventLoop.now
        let (known, starts) = state.withLock { state -> ([SocketAddress]?, Bool) in
            if let known = state.known[host], known.expires > now {
                return (known.addresses, false)
            }
            let isFirst = state.waiting[host] == nil
            state.waiting[host, default: []].append(Waiter(loop: loop, completion: completion))
            guard isFirst else { return (nil, false) }
            state.queue.append(host)
            if state.running == Self.threads { return (nil, false) }
            state.running += 1
            return (nil, true)
        }
        if let known { completion(.success(known)) }
        if starts && !startThread() { failQueued() }
    }

    private func startThread() -> Bool {
        var thread = pthread_t()
        let lookup = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, nil,
            { argument in
                if let argument {
                    Unmanaged<HostLookup>.fromOpaque(argument).takeRetainedValue().workOff()
                }
                return nil
            }, lookup.toOpaque())
        if status != 0 {
            lookup.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Without a thread nothing can be looked up, and the loop must not block.
    private func failQueued() {
        let waiters = state.withLock { state -> [Waiter] in
            state.running -= 1
            let hosts = state.queue
            state.queue = []
            return hosts.flatMap { state.waiting.removeValue(forKey: $0) ?? [] }
        }
        for waiter in waiters {
            waiter.loop.execute { waiter.completion(.failure(.connect("no thread to look up"))) }
        }
    }

    /// Looks up what is queued until nothing is. Runs on a thread of its own.
    private func workOff() {
        while let host = next() {
            let answer = Self.resolve(host)
            let waiters = state.withLock { state -> [Waiter] in
                if case .success(let addresses) = answer { Self.keep(addresses, of: host, &state) }
                return state.waiting.removeValue(forKey: host) ?? []
            }
            for waiter in waiters { waiter.loop.execute { waiter.completion(answer) } }
        }
    }

    private func next() -> String? {
        state.withLock { state in
            if state.queue.isEmpty {
                state.running -= 1
                return nil
            }
            return state.queue.removeFirst()
        }
    }

    private static func keep(_ addresses: [SocketAddress], of host: String, _ state: inout State) {
        let now = EventLoop.now
        if state.known.count >= capacity {
            state.known = state.known.filter { $0.value.expires > now }
            if state.known.count >= capacity { state.known = [:] }
        }
        state.known[host] = Known(addresses: addresses, expires: now &+ lifetime)
    }

    private static func resolve(_ host: String) -> Answer {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &found)
        guard status == 0 else {
            return .failure(.connect("look up \(host): \(String(cString: gai_strerror(status)))"))
        }
        defer { if let found { freeaddrinfo(found) } }
        var addresses: [SocketAddress] = []
        var entry = found
        while let current = entry {
            if let address = SocketAddress(current.pointee) { addresses.append(address) }
            entry = current.pointee.ai_next
        }
        if addresses.isEmpty { return .failure(.connect("look up \(host): no address")) }
        return .success(addresses)
    }
}
