// Short limits and small helpers for tests of the server over real sockets.

import EventLoop
import HTTP
import HTTPServer
import Synchronization
import TestSupport

let getRoot = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

func request(_ target: String, _ fields: String = "", method: String = "GET") -> String {
    "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
}

/// Limits with a part of a second where the real ones have many.
func shortLimits(_ change: (inout ServerLimits) -> Void = { _ in }) -> ServerLimits {
    var limits = ServerLimits()
    limits.headDeadline = 1_000_000_000
    limits.bodyDeadline = 1_000_000_000
    limits.writeDeadline = 500_000_000
    limits.bodyBytesPerSecond = 100_000_000
    limits.drainIdle = 100_000_000
    limits.drainDeadline = 1_000_000_000
    change(&limits)
    return limits
}

/// Answers with method, path and length of the body.
@Sendable func echo(_ request: HTTPRequest) async -> HTTPResponse {
    .text("\(request.method.rawValue) \(request.path.text) \(request.body.count)")
}

extension LoopbackServer {
    /// Open connections of all loops.
    func openConnections() async -> Int {
        var sum = 0
        for loop in loops {
            sum += await loop.read { [server] in server.openConnections(on: loop) }
        }
        return sum
    }

    func requestsInFlight() async -> Int {
        var sum = 0
        for loop in loops {
            sum += await loop.read { [server] in server.requestsInFlight(on: loop) }
        }
        return sum
    }
}

/// Lets tests hold handlers until they say go.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var arrived = 0
    }

    private let state = Mutex(State())

    var arrived: Int { state.withLock { $0.arrived } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.arrived += 1
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// The statuses of the responses in a text, in order.
func statuses(_ text: String) -> [Int] {
    parts(of: text, after: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
}

/// What follows each occurrence of `mark`, up to the next one.
func parts(of text: String, after mark: String) -> [String] {
    let bytes = Array(text.utf8)
    let mark = Array(mark.utf8)
    var starts: [Int] = []
    var position = 0
    while position + mark.count <= bytes.count {
        if bytes[position] == mark[0], bytes[position..<position + mark.count] == mark[...] {
            starts.append(position + mark.count)
            position += mark.count
        } else {
            position += 1
        }
    }
    let ends = starts.dropFirst().map { $0 - mark.count } + [bytes.count]
    return zip(starts, ends).map { String(decoding: bytes[$0..<$1], as: UTF8.self) }
}
