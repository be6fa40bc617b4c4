// What callers see while PostgreSQL loses connections, crashes or is away, and that it passes.
import EventLoop
import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite struct RecoveryTests {
    /// Outcomes of callers that try without pause.
    private final class Tally: Sendable {
        let successes = Atomic(0)
        let running = Atomic(true)
        let slowest = Atomic<UInt64>(0)
        let unexpected = Mutex<[String]>([])
        let temporary = Mutex<[String: Int]>([:])

        func measure(_ body: () async throws -> Void) async {
            let began = EventLoop.now
            do {
                try await body()
                successes.add(1, ordering: .relaxed)
            } catch let error as PostgresError where error.isTemporary {
                temporary.withLock { $0[String("\(error)".prefix(40)), default: 0] += 1 }
            } catch {
                unexpected.withLock { $0.append("\(error)") }
            }
            slowest.max(EventLoop.now - began, ordering: .relaxed)
        }

        var failures: Int { temporary.withLock { $0.values.reduce(0, +) } }
    }

    /// Runs `body` while readers and writers work on the loops.
    private func underLoad(
        _ database: Database, _ loops: [EventLoop], _ body: (Tally) async throws -> Void
    ) async throws -> Tally {
        let tally = Tally()
        var tasks: [Task<Void, Never>] = []
        for loop in loops {
            for number in 0..<16 {
                tasks.append(
                    loop.spawn {
                        while tally.running.load(ordering: .relaxed) {
                            await tally.measure { try await Self.work(number, database) }
                            await Task.yield()
                        }
                    })
            }
        }
        let outcome = await Result<Void, any Error>.of { try await body(tally) }
        tally.running.store(false, ordering: .relaxed)
        for task in tasks { await task.value }
        try outcome.get()
        return tally
    }

    private static func work(_ number: Int, _ database: Database) async throws {
        switch number % 4 {
        case 0:
            try await database.transaction { transaction in
                try await transaction.run(
                    "update counter set value = value + 1 where id = \(number)")
                _ = try await transaction.one(
                    "select value from counter where id = \(number)" as Query<Int64>)
            }
        case 1:
            try await database.run("update counter set value = value + 1 where id = \(number)")
        default:
            _ = try await database.one(
                "select value from counter where id = \(number)" as Query<Int64>)
        }
    }

    private static let schema: Command = """
        create table counter as select id::bigint, 0::bigint as value from generate_series(0, 15) id
        """

    /// Waits for the callers to succeed again, or gives up after ten seconds.
    private func awaitProgress(_ tally: Tally, by count: Int = 200) async throws {
        let target = tally.successes.load(ordering: .relaxed) + count
        let limit = EventLoop.now + 10_000_000_000
        while tally.successes.load(ordering: .relaxed) < target {
            try #require(
                EventLoop.now < limit, "no progress; failures: \(tally.temporary.withLock { $0 })")
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test func terminatedBackendsAreReplaced() async throws {
        try await TestDatabase.withPool(loops: 2) { database, loops in
            try await database.run(Self.schema)
            let tally = try await underLoad(database, loops) { tally in
                for _ in 0..<5 {
                    try await awaitProgress(tally)
                    // From a connection of its own: the killer must not be among the killed.
                    try await MaintenanceConnection.run(database.configuration) { connection in
                        try connection.execute(
                            """
                            select pg_terminate_backend(pid) from pg_stat_activity
                            where datname = current_database() and pid <> pg_backend_pid()
                            """)
                    }
                }
                try await awaitProgress(tally)
            }
            #expect(tally.unexpected.withLock { $0 } == [])
            #expect(tally.failures > 0)
            for statistics in database.statistics {
                #expect(statistics.losses > 0)
                #expect(statistics.inUse == 0 && statistics.waiting == 0)
                #expect(statistics.idle <= database.configuration.maximumConnections)
            }
        }
    }

    @Test func aStoppedServerFailsCallersFastAndComesBackByItself() async throws {
        let cluster = try TestCluster()
        defer { cluster.remove() }
        let loops = try (0..<2).map { try EventLoop(index: $0) }
        for loop in loops { loop.start() }
        let database = Database(try DatabaseConfiguration(url: cluster.url), loops: loops)
        defer {
            database.shutDown()
            for loop in loops { loop.stop() }
        }
        try await database.run(Self.schema)
        let tally = try await underLoad(database, loops) { tally in
            for round in 0..<2 {
                try await awaitProgress(tally)
                try cluster.stop(round == 0 ? "immediate" : "fast")
                let before = tally.failures
                let limit = EventLoop.now + 5_000_000_000
                while tally.failures < before + 500 {
                    try #require(EventLoop.now < limit, "callers hang while the server is away")
                    try await Task.sleep(for: .milliseconds(5))
                }
                #expect(await database.isReachable() == false)
                try cluster.start()
            }
            try await awaitProgress(tally)
            // A crash of one backend makes the server drop all.
            let victim = try await MaintenanceConnection.run(database.configuration) { connection in
                try connection.rows(
                    "select pid from pg_stat_activity where application_name = 'madang' limit 1")
            }
            kill(try #require(pid_t(victim[0][0])), SIGKILL)
            let losses = database.statistics.reduce(0) { $0 + $1.losses }
            let limit = EventLoop.now + 5_000_000_000
            while database.statistics.reduce(0, { $0 + $1.losses }) == losses {
                try #require(EventLoop.now < limit, "the crash went unnoticed")
                try await Task.sleep(for: .milliseconds(5))
            }
            try await awaitProgress(tally)
        }
        #expect(tally.unexpected.withLock { $0 } == [])
        // A loop that was refused last waits up to two seconds before it tries again.
        let limit = EventLoop.now + 4_000_000_000
        while await !database.isReachable() { try #require(EventLoop.now < limit) }
        // Far below the statement time-out: callers fail because the connection is gone, not late.
        #expect(tally.slowest.load(ordering: .relaxed) < 4_000_000_000)
    }

    @Test func nothingListeningIsReportedAtOnce() async throws {
        let loop = try EventLoop(index: 0)
        loop.start()
        let configuration = try DatabaseConfiguration(url: "postgres://u:secret@127.0.0.1:1/d")
        let database = Database(configuration, loops: [loop])
        defer {
            database.shutDown()
            loop.stop()
        }
        for _ in 0..<3 {
            do {
                _ = try await database.one("select 1" as Query<Int>)
                Issue.record("answered")
            } catch PostgresError.unavailable(let reason) {
                #expect(reason.contains("127.0.0.1") && !reason.contains("secret"))
            }
            do {
                try await database.transaction { _ in }
                Issue.record("answered")
            } catch PostgresError.unavailable {}
        }
    }
}
