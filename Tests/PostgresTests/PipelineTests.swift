// Reads that share a connection, a Sync and each other's errors.
import EventLoop
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite struct PipelineTests {
    /// Runs `count` reads at once on a loop and returns their outcomes by number.
    private func together<Value: Sendable>(
        _ count: Int, on loop: EventLoop, _ read: @escaping @Sendable (Int) async throws -> Value
    ) async -> [Result<Value, any Error>] {
        await withTaskExecutorPreference(loop) {
            await withTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
                for number in 0..<count {
                    group.addTask(executorPreference: loop) {
                        do {
                            return (number, .success(try await read(number)))
                        } catch {
                            return (number, .failure(error))
                        }
                    }
                }
                var outcomes: [Int: Result<Value, any Error>] = [:]
                for await (number, outcome) in group { outcomes[number] = outcome }
                return (0..<count).compactMap { outcomes[$0] }
            }
        }
    }

    @Test func everyCallerGetsItsOwnAnswer() async throws {
        try await TestDatabase.withPool { database, loops in
            for _ in 0..<3 {
                let outcomes = await together(1000, on: loops[0]) { number in
                    let text = String(repeating: "\(number),", count: number % 50)
                    let query: Query<Columns<Int, String>> = "select \(number), \(text)::text"
                    let (echo, echoed) = try await database.one(query).values
                    return echo == number && echoed == text
                }
                #expect(outcomes.count == 1000)
                let echoed = try outcomes.map { try $0.get() }
                #expect(echoed.allSatisfy { $0 })
            }
        }
    }

    @Test func readsOfOneTurnShareASync() async throws {
        try await TestDatabase.withPool { database, loops in
            let transactionStart: @Sendable (Int) async throws -> String = { _ in
                try await database.one("select now()::text as turn" as Query<String>)
            }
            _ = await together(1, on: loops[0], transactionStart)
            let outcomes = await together(20, on: loops[0], transactionStart)
            let starts = Set(try outcomes.map { try $0.get() })
            #expect(starts.count == 1)
            let later = try await together(1, on: loops[0], transactionStart)[0].get()
            #expect(!starts.contains(later))
        }
    }

    @Test func anErrorFailsOnlyItsOwnCaller() async throws {
        try await TestDatabase.withPool { database, loops in
            for round in 0..<3 {
                let outcomes = await together(30, on: loops[0]) { number in
                    try await database.one("select 100 / \(number % 10) as share" as Query<Int>)
                }
                for (number, outcome) in outcomes.enumerated() {
                    switch outcome {
                    case .success(let share): #expect(share == 100 / (number % 10))
                    case .failure(PostgresError.server(let failure)):
                        #expect(number % 10 == 0 && failure.sqlState == "22012", "round \(round)")
                    case .failure(let error): Issue.record(error)
                    }
                }
            }
        }
    }

    @Test func aStatementThatDoesNotParseFailsAlone() async throws {
        try await TestDatabase.withPool { database, loops in
            let outcomes = await together(20, on: loops[0]) { number in
                number == 10
                    ? try await database.one("select nonsense" as Query<Int>)
                    : try await database.one("select \(number)" as Query<Int>)
            }
            for (number, outcome) in outcomes.enumerated() {
                switch outcome {
                case .success(let value): #expect(value == number)
                case .failure(PostgresError.server(let failure)):
                    #expect(number == 10 && failure.sqlState == "42703")
                case .failure(let error): Issue.record(error)
                }
            }
        }
    }

    @Test func aReadThatWritesRunsOnceOnItsOwnConnection() async throws {
        try await TestDatabase.withPool { database, loops in
            try await database.run("create table entry (id bigint generated always as identity)")
            let outcomes = await together(20, on: loops[0]) { _ in
                let query: Query<Int64> =
                    "with e as (insert into entry default values returning id) select id from e"
                return try await database.one(query)
            }
            #expect(Set(try outcomes.map { try $0.get() }) == Set(1...20))
            let count = try await database.one("select count(*) from entry" as Query<Int>)
            #expect(count == 20)
        }
    }

    @Test func aHeldUpConnectionIsAvoided() async throws {
        let patient: (inout DatabaseConfiguration) -> Void = {
            $0.statementTimeout = 60_000_000_000
            $0.waitLimit = 60_000_000_000
        }
        try await TestDatabase.withPool(configure: patient) { database, _ in
            let isAsleep = Atomic(true)
            async let sleeper = Result<String, any Error>.of {
                defer { isAsleep.store(false, ordering: .relaxed) }
                return try await database.one("select pg_sleep(30)::text" as Query<String>)
            }
            // Wait until the server sleeps; then reads must get through beside it.
            let sleeping: Query<Bool> = """
                select exists (select from pg_stat_activity
                    where state = 'active' and now() - query_start > interval '100 ms'
                        and query like 'select pg_sleep(30)%' and datname = current_database())
                """
            while try await inTransaction(sleeping, database) == false {}
            for number in 1...3 {
                let echo = try await database.one("select \(number)" as Query<Int>)
                #expect(echo == number)
            }
            let stillAsleep = isAsleep.load(ordering: .relaxed)
            #expect(stillAsleep)
            let wake: Query<Bool> = """
                select pg_cancel_backend(pid) from pg_stat_activity
                where query like 'select pg_sleep(30)%' and datname = current_database()
                """
            #expect(try await inTransaction(wake, database))
            guard case .failure(PostgresError.timedOut) = await sleeper else {
                Issue.record("the sleeper was not woken")
                return
            }
        }
    }

    private func inTransaction<Value: PostgresColumn>(_ query: Query<Value>, _ database: Database)
        async throws -> Value
    {
        try await database.transaction { try await $0.one(query) }
    }

    @Test func aChangedTableIsPreparedAgain() async throws {
        try await TestDatabase.withPool { database, _ in
            try await database.run("create table item (a integer)")
            try await database.run("insert into item values (7)")
            let text: @Sendable () async throws -> [String] = {
                try await database.rows("select a::text from item" as Query<String>)
            }
            let whole: @Sendable () async throws -> Int = {
                try await database.rows("select * from item" as Query<AnyColumns>).count
            }
            let write: @Sendable () async throws -> Int = {
                try await database.rows("update item set a = a returning *" as Query<AnyColumns>)
                    .count
            }
            for change: Command in [
                "alter table item add column b text", "alter table item alter column a type text",
                "alter table item drop column b",
            ] {
                #expect(try await text() == ["7"])
                #expect(try await whole() == 1)
                #expect(try await write() == 1)
                try await database.run(change)
            }
            #expect(try await whole() == 1)
            #expect(try await write() == 1)
        }
    }

    /// A row that takes whatever columns come.
    private struct AnyColumns: PostgresRow {
        init(_ columns: inout ColumnReader) throws {
            while columns.hasMore { try columns.skip() }
        }
    }

    @Test func lostPreparedStatementsAreMadeAgain() async throws {
        try await TestDatabase.withPool { database, _ in
            try await database.run("create table item (a integer)")
            let insert: @Sendable () async throws -> Int = {
                try await database.run("insert into item values (1)")
            }
            #expect(try await insert() == 1)
            try await database.run("deallocate all")
            #expect(try await insert() == 1)
        }
    }

    @Test func preparedStatementsOfAConnectionAreBounded() async throws {
        try await TestDatabase.withPool(configure: { $0.preparedStatements = 5 }) { database, _ in
            var list: SQL = "select 1"
            for _ in 0..<30 {
                list = "\(raw: list), 1"
                let query: Query<AnyColumns> = "\(raw: list)"
                try await database.transaction { transaction in
                    _ = try await transaction.rows(query)
                }
                _ = try await database.rows(query)
            }
            let leased = try await database.transaction { transaction in
                try await transaction.one(
                    "select count(*) from pg_prepared_statements" as Query<Int>)
            }
            let shared = try await database.one(
                "select count(*) from pg_prepared_statements" as Query<Int>)
            // One more while the evicted one waits for a moment outside of transactions.
            #expect(leased <= 8 && shared <= 8)
        }
    }
}
