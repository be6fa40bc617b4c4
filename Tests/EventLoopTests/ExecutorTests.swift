// Tasks stay on the loop they were started on, whatever they await: per-loop state has no locks.
import EventLoop
import Testing

@Suite struct ExecutorTests {
    private actor Counter {
        private var value = 0

        func add(on loop: EventLoop) -> Bool {
            value += 1
            return loop.isCurrent
        }

        func addLate(on loop: EventLoop) async -> Bool {
            try? await Task.sleep(for: .milliseconds(2))
            value += 1
            return loop.isCurrent
        }
    }

    private func plain(_ loop: EventLoop) async -> Bool { loop.isCurrent }

    /// Runs `body` as a task of a loop and returns what it notes.
    private func onLoop(
        _ body: @escaping @Sendable (EventLoop) async -> [Bool]
    ) async throws -> [Bool] {
        let loop = try EventLoop()
        loop.start()
        defer { loop.stop() }
        return await withCheckedContinuation { continuation in
            loop.spawn { continuation.resume(returning: await body(loop)) }
        }
    }

    @Test func callsAndActorsStay() async throws {
        let counter = Counter()
        let notes = try await onLoop { loop in
            [
                loop.isCurrent, await plain(loop), loop.isCurrent,
                await counter.add(on: loop), loop.isCurrent,
                await counter.addLate(on: loop), loop.isCurrent,
            ]
        }
        #expect(notes.count == 7 && notes.allSatisfy { $0 })
    }

    @Test func childTasksStay() async throws {
        let counter = Counter()
        let notes = try await onLoop { loop in
            var notes: [Bool] = []
            async let child = plain(loop)
            notes.append(await child)
            notes.append(loop.isCurrent)
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<3 {
                    group.addTask { await plain(loop) }
                    group.addTask { await counter.addLate(on: loop) }
                }
                for await note in group {
                    notes.append(note)
                    notes.append(loop.isCurrent)
                }
            }
            return notes
        }
        #expect(notes.count == 14 && notes.allSatisfy { $0 })
    }

    @Test func resumesFromElsewhereComeBack() async throws {
        let notes = try await onLoop { loop in
            var notes: [Bool] = []
            try? await Task.sleep(for: .milliseconds(2))
            notes.append(loop.isCurrent)
            let isAway: Bool = await withCheckedContinuation { continuation in
                Task.detached { continuation.resume(returning: !loop.isCurrent) }
            }
            notes.append(isAway)
            notes.append(loop.isCurrent)
            await MainActor.run {}
            notes.append(loop.isCurrent)
            return notes
        }
        #expect(notes == [true, true, true, true])
    }
}
