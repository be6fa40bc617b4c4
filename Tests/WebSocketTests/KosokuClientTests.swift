// Our client against kosoku's fuzzing server, which says how each case went in a report of its own.
// Tests/ThirdParty/kosoku.sh starts it, sets its address and reads the report.
import EventLoop
import Glibc
import TestSupport
import Testing
import WebSocket

/// `host:port` of the fuzzing server.
private let address = getenv("KOSOKU_ADDRESS").map { String(cString: $0) }

@Suite(.enabled(if: address != nil, "needs the server that Tests/ThirdParty/kosoku.sh starts"))
struct KosokuClientTests {
    @Test func `every case is gone through`() async throws {
        let address = try #require(address)
        let loop = try EventLoop()
        loop.start()
        let answer = try await run("ws://\(address)/getCaseCount", echoes: false, on: loop)
        guard case .text(let digits) = answer.first,
            let count = Int(String(decoding: digits, as: UTF8.self)), count > 0
        else {
            Issue.record("the number of cases is \(answer)")
            return
        }
        for number in 1...count {
            let target = "/runCase?case=\(number)&agent=madang"
            _ = try await run("ws://\(address)\(target)", echoes: true, on: loop)
        }
        _ = try await run("ws://\(address)/updateReports?agent=madang", echoes: false, on: loop)
        loop.stop()
    }

    /// Connects and waits for the end.
    private func run(
        _ address: String, echoes: Bool, on loop: EventLoop
    ) async throws -> [WebSocketMessage] {
        var limits = WebSocketLimits()
        // The largest message has 16 MB.
        limits.message = 20_000_000
        limits.outgoing = 64_000_000
        let recorder = Recorder(echoes: echoes)
        _ = try await WebSocketClient.connect(
            address, limits: limits, deadline: EventLoop.now + 60_000_000_000, loop: loop
        ) { _ in recorder }
        #expect(await eventually(within: 120) { recorder.code != nil }, "\(address)")
        return recorder.messages
    }
}
