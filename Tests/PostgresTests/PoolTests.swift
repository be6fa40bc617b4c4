// Bounds, deadlines and cancellation on a real server.
import EventLoop
import Postgres
import TestSupport
import Testing

@Suite struct PoolTests {
    /// A pool of so many connections for which a busy machine is no reason to give up.
    private func patient(_ maximum: Int) -> (inout DatabaseConfiguration) -> Void {
        {
            $0.maximumConnections = maximum
            $0.waitLimit = 30_000_000_000
            $0.statementTimeout = 30_000_000_000
        }
    }

    @Test func neverUsesMoreConnectionsThanAllowed() async throws {
        try await TestDatabase.withPool(configure: patient(2)) { database, _ in
            let pids = try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        try await database.transaction { transaction in
                            let query: Query<Int32> = "select pg_backend_pid() from pg_sleep(0.005)"
                            return try await transaction.one(query)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(pids.count == 40 && Set(pids).count <= 2)
            #expect(database.statistics[0].inUse == 0 && database.statistics[0].idle <= 2)
        }
    }

    @Test func connectionsThatNobodyNeedsAreClosed() async throws {
        let brief: (inout DatabaseConfiguration) -> Void = { $0.idleTimeout = 100_000_000 }
        try await TestDatabase.withPool(configure: brief) { database, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await database.run("do $$ begin perform pg_sleep(0.05); end $$")
                    }
                }
                try await group.waitForAll()
            }
            let limit = EventLoop.now + 10_000_000_000
            while database.statistics[0].idle > 1 { try #require(EventLoop.now < limit) }
            #expect(database.statistics[0].idle == 1 && database.statistics[0].losses == 0)
        }
    }

    @Test func servesInTheOrderOfArrival() async throws {
        try await TestDatabase.withPool(configure: patient(1)) {
            database, loops in
            try await database.run(
                "create table arrival (position bigint generated always as identity, caller bigint)"
            )
            try await withTaskExecutorPreference(loops[0]) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for caller in 0..<30 {
                        group.addTask(executorPreference: loops[0]) {
                            try await database.run(
                                "insert into arrival (caller) values (\(caller))")
                        }
                    }
                    try await group.waitForAll()
                }
            }
            let order = try await database.rows(
                "select caller from arrival order by position" as Query<Int>)
            #expect(order == Array(0..<30))
        }
    }

    /// Holds every connection until told to let go.
    private func hogging<Value>(
        _ database: Database, _ body: () async throws -> Value
    ) async throws -> Value {
        let (release, released) = AsyncStream<Void>.makeStream()
        let (hold, holds) = AsyncStream<Void>.makeStream()
        async let hog: Void = {
            defer { holds.finish() }
            try await database.transaction { transaction in
                _ = try await transaction.one("select 1" as Query<Int>)
                holds.yield()
                for await _ in release { break }
            }
        }()
        for await _ in hold { break }
        let outcome = await Result.of { try await body() }
        released.yield()
        try await hog
        return try outcome.get()
    }

    @Test func waitingIsLimited() async throws {
        try await TestDatabase.withPool(configure: {
            $0.maximumConnections = 1
            $0.waitLimit = 1_000_000_000
        }) { database, _ in
            try await hogging(database) {
                await #expect(throws: PostgresError.poolExhausted) {
                    try await database.transaction { _ in }
                }
                await #expect(throws: PostgresError.timedOut) {
                    try await database.transaction(deadline: EventLoop.now + 10_000_000) { _ in }
                }
            }
            try await database.transaction { _ in }
            #expect(database.statistics[0].waiting == 0)
        }
    }

    @Test func theLineIsLimited() async throws {
        try await TestDatabase.withPool(configure: {
            $0.maximumConnections = 1
            $0.maximumWaiters = 0
        }) { database, _ in
            // The line has no place even for the first.
            await #expect(throws: PostgresError.poolExhausted) {
                try await database.transaction { _ in }
            }
        }
    }

    @Test func aCancelledCallerLeavesTheLine() async throws {
        try await TestDatabase.withPool(configure: patient(1)) { database, _ in
            try await hogging(database) {
                let waiting = Task { try await database.transaction { _ in } }
                while database.statistics[0].waiting == 0 { await Task.yield() }
                waiting.cancel()
                await #expect(throws: CancellationError.self) { try await waiting.value }
                #expect(database.statistics[0].waiting == 0)
                let early = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await database.transaction { _ in }
                }
                await #expect(throws: CancellationError.self) { try await early.value }
            }
            try await database.transaction { _ in }
            #expect(database.statistics[0].inUse == 0)
        }
    }

    /// Waits until no backend of the database works on the text.
    private func isIdle(_ text: String, _ database: Database) async throws -> Bool {
        let running: Query<Bool> = """
            select exists (select from pg_stat_activity where datname = current_database()
                and state = 'active' and query like \(text) and pid <> pg_backend_pid())
            """
        let limit = EventLoop.now + 10_000_000_000
        while EventLoop.now < limit {
            let isRunning = try await database.transaction { try await $0.one(running) }
            if !isRunning { return true }
        }
        return false
    }

    @Test func aSlowReadTimesOutAndIsCancelledOnTheServer() async throws {
        try await TestDatabase.withPool { database, _ in
            _ = try await database.one("select 1" as Query<Int>)
            let began = EventLoop.now
            await #expect(throws: PostgresError.timedOut) {
                let query: Query<String> = "select pg_sleep(30)::text"
                return try await database.one(query, deadline: EventLoop.now + 100_000_000)
            }
            #expect(EventLoop.now - began < 4_000_000_000)
            #expect(try await isIdle("select pg_sleep(30)%", database))
            let answer = try await database.one("select 1" as Query<Int>)
            #expect(answer == 1)
            #expect(database.statistics[0].losses == 0)
            #expect(database.statistics[0].timeouts == 1)
        }
    }

    @Test func readsBehindATimedOutOneAreAnswered() async throws {
        try await TestDatabase.withPool(configure: { $0.readConnections = 1 }) { database, loops in
            try await withTaskExecutorPreference(loops[0]) {
                async let slow = Result.of {
                    try await database.one(
                        "select pg_sleep(30)::text" as Query<String>,
                        deadline: EventLoop.now + 100_000_000)
                }
                let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 1...20 {
                        group.addTask(executorPreference: loops[0]) {
                            try await database.one("select \(number)" as Query<Int>)
                        }
                    }
                    return try await group.reduce(0, +)
                }
                #expect(sum == 210)
                guard case .failure(PostgresError.timedOut) = await slow else {
                    Issue.record("did not time out")
                    return
                }
            }
        }
    }

    @Test func aSlowStatementOfATransactionTakesItsConnectionWithIt() async throws {
        try await TestDatabase.withPool(configure: patient(1)) { database, _ in
            await #expect(throws: PostgresError.timedOut) {
                try await database.transaction(deadline: EventLoop.now + 100_000_000) {
                    transaction in
                    try await transaction.run("create table t ()")
                    _ = try await transaction.one("select pg_sleep(30)::text" as Query<String>)
                }
            }
            #expect(try await isIdle("select pg_sleep(30)%", database))
            let exists = try await database.one(
                "select to_regclass('t') is not null" as Query<Bool>)
            #expect(!exists)
        }
    }

    @Test func theServersOwnTimeOutIsATimeOutToo() async throws {
        try await TestDatabase.withPool(configure: { $0.statementTimeout = 100_000_000 }) {
            database, _ in
            await #expect(throws: PostgresError.timedOut) {
                let query: Query<String> = "select pg_sleep(30)::text"
                return try await database.one(query, deadline: EventLoop.now + 60_000_000_000)
            }
            await #expect(throws: PostgresError.timedOut) {
                try await database.one("select pg_sleep(30)::text" as Query<String>)
            }
        }
    }

    @Test func theDeadlineOfTheTaskCounts() async throws {
        try await TestDatabase.withPool { database, _ in
            await #expect(throws: PostgresError.timedOut) {
                try await Database.$deadline.withValue(EventLoop.now) {
                    try await database.one("select 1" as Query<Int>)
                }
            }
            await #expect(throws: PostgresError.timedOut) {
                try await Database.$deadline.withValue(EventLoop.now + 50_000_000) {
                    try await database.run("select pg_sleep(30)")
                }
            }
        }
    }

    @Test func worksFromSeveralLoopsAndFromOutside() async throws {
        try await TestDatabase.withPool(loops: 2) { database, loops in
            for loop in loops {
                let isLocal = try await withTaskExecutorPreference(loop) {
                    _ = try await database.one("select 1" as Query<Int>)
                    return loop.isCurrent
                }
                #expect(isLocal)
            }
            _ = try await database.one("select 1" as Query<Int>)
            #expect(database.statistics.map(\.queries) == [2, 1])
        }
    }

    @Test func nothingRunsAfterShutDown() async throws {
        try await TestDatabase.withPool { database, loops in
            _ = try await database.one("select 1" as Query<Int>)
            database.shutDown()
            await #expect(throws: PostgresError.unavailable("shutting down")) {
                try await database.one("select 1" as Query<Int>)
            }
            await #expect(throws: PostgresError.unavailable("shutting down")) {
                try await database.transaction { _ in }
            }
        }
    }
}
