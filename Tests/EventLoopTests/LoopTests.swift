// The loop: timers, work from other threads, turns. That tasks stay on it, ExecutorTests holds.

import EventLoop
import Synchronization
import Testing

@Suite struct LoopTests {
    private let loop: EventLoop

    init() throws {
        loop = try EventLoop(index: 3)
        loop.start()
    }

    /// Runs a task on the loop and waits for it.
    private func onLoop<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async
        -> Value
    {
        await withCheckedContinuation { continuation in
            loop.spawn { continuation.resume(returning: await body()) }
        }
    }

    @Test func knowsItsThread() async {
        #expect(EventLoop.current == nil)
        #expect(!loop.isCurrent)
        let loop = self.loop
        #expect(await loop.read { loop.isCurrent && EventLoop.current === loop })
        #expect(await loop.read { EventLoop.current?.index } == 3)
        loop.stop()
    }

    @Test func timersFireInOrderAndNotEarly() async {
        let loop = self.loop
        let fired = await withCheckedContinuation { continuation in
            loop.execute {
                nonisolated(unsafe) var fired: [(Int, Bool)] = []
                let start = EventLoop.now
                for milliseconds in [30, 10, 20, 0, 10, 5] {
                    let due = start + UInt64(milliseconds) * 1_000_000
                    loop.schedule(at: due) {
                        fired.append((milliseconds, EventLoop.now >= due))
                        if fired.count == 6 { continuation.resume(returning: fired.map { $0 }) }
                    }
                }
            }
        }
        #expect(fired.map(\.0) == [0, 5, 10, 10, 20, 30])
        #expect(!fired.contains { !$0.1 })
        loop.stop()
    }

    @Test func cancelledTimersDoNot() async {
        let loop = self.loop
        let fired = await withCheckedContinuation { continuation in
            loop.execute {
                nonisolated(unsafe) var fired: [Int] = []
                var timers: [LoopTimer] = []
                for number in 0..<1000 {
                    timers.append(
                        loop.schedule(after: UInt64(number % 7) * 1_000_000) {
                            fired.append(number)
                        })
                }
                for (number, timer) in timers.enumerated() where number % 10 != 0 {
                    timer.cancel()
                    #expect(!timer.isPending)
                }
                loop.schedule(after: 20_000_000) { continuation.resume(returning: fired) }
            }
        }
        #expect(fired.sorted() == Array(stride(from: 0, to: 1000, by: 10)))
        loop.stop()
    }

    @Test func timersMaySetTimers() async {
        let loop = self.loop
        let count = await withCheckedContinuation { continuation in
            loop.execute {
                nonisolated(unsafe) var count = 0
                nonisolated(unsafe) var again: () -> Void = {}
                again = {
                    count += 1
                    if count == 100 {
                        continuation.resume(returning: count)
                        again = {}
                    } else {
                        loop.schedule(after: 0) { again() }
                    }
                }
                again()
            }
        }
        #expect(count == 100)
        loop.stop()
    }

    @Test func takesWorkFromManyThreads() async {
        let loop = self.loop
        let orders = Guarded<[[Int]]>(Array(repeating: [], count: 8))
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<1000 {
                        loop.execute { orders.change { $0[thread].append(number) } }
                    }
                }
            }
        }
        _ = await loop.read { true }
        // All of it, and each thread's in its order.
        #expect(orders.value == Array(repeating: Array(0..<1000), count: 8))
        loop.stop()
    }

    @Test func aTaskThatYieldsLetsOthersRun() async {
        let loop = self.loop
        let turns = await onLoop {
            let turns = Guarded(0)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        for _ in 0..<500 {
                            turns.change { $0 += 1 }
                            await Task.yield()
                        }
                    }
                }
            }
            return turns.value
        }
        #expect(turns == 1000)
        loop.stop()
    }

    /// Many short tasks must not keep timers from firing.
    @Test func timersFireAmongBusyTasks() async {
        let loop = self.loop
        let rounds = await onLoop {
            let isOver = Mutex(false)
            loop.schedule(after: 5_000_000) { isOver.withLock { $0 = true } }
            var rounds = 0
            while !isOver.withLock({ $0 }) {
                rounds += 1
                await Task.yield()
            }
            return rounds
        }
        #expect(rounds > 0)
        loop.stop()
    }

    @Test func workPutOffHappensOnceAtTheEndOfTheTurn() async {
        let loop = self.loop
        let log = await withCheckedContinuation { continuation in
            loop.execute {
                let item = PutOff(continuation)
                loop.atEndOfTurn(item)
                item.log.append("turn")
                loop.spawn { item.log.append("task") }
            }
        }
        #expect(log == ["turn", "task", "end"])
        loop.stop()
    }
}

private final class Guarded<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    var value: Value { mutex.withLock { $0 } }

    func change(_ body: (inout Value) -> Void) {
        mutex.withLock { value in
            var copy = value
            body(&copy)
            value = copy
        }
    }
}

private final class PutOff: Deferred, @unchecked Sendable {
    var log: [String] = []
    private let continuation: CheckedContinuation<[String], Never>

    init(_ continuation: CheckedContinuation<[String], Never>) {
        self.continuation = continuation
    }

    func endOfTurn() {
        log.append("end")
        continuation.resume(returning: log)
    }
}
