// Transactions: all or nothing, conflicts, and a clean connection afterwards.
import EventLoop
import Postgres
import TestSupport
import Testing

@Suite struct TransactionTests {
    private static let schema = [
        Migration(
            "m0001_create_account",
            Array(
                """
                create table account (
                    id bigint primary key,
                    balance bigint not null,
                    constraint account_balance_positive check (balance >= 0)
                );
                create table owner (
                    id bigint primary key,
                    account_id bigint not null,
                    constraint owner_account foreign key (account_id) references account
                        deferrable initially deferred
                );
                insert into account values (1, 100), (2, 100);
                """.utf8))
    ]

    private func balances(_ database: Database) async throws -> [Int64] {
        try await database.rows("select balance from account order by id" as Query<Int64>)
    }

    private struct Change: Error {}

    @Test func commitsWhenTheBodyReturns() async throws {
        try await TestDatabase.withPool(Self.schema) { database, _ in
            let moved = try await database.transaction { transaction in
                try await transaction.run("update account set balance = balance - 30 where id = 1")
                    + transaction.run("update account set balance = balance + 30 where id = 2")
            }
            #expect(moved == 2)
            #expect(try await balances(database) == [70, 130])
        }
    }

    @Test func rollsBackWhenTheBodyThrows() async throws {
        try await TestDatabase.withPool(Self.schema) { database, _ in
            await #expect(throws: Change.self) {
                try await database.transaction { transaction in
                    try await transaction.run("update account set balance = 0")
                    throw Change()
                }
            }
            let kept = try await balances(database)
            #expect(kept == [100, 100])
            #expect(database.statistics[0].inUse == 0 && database.statistics[0].idle == 1)
        }
    }

    @Test func aViolationNamesItsConstraintAndTheConnectionLivesOn() async throws {
        try await TestDatabase.withPool(Self.schema) { database, _ in
            let pid: Query<Int32> = "select pg_backend_pid()"
            let first = try await database.transaction { try await $0.one(pid) }
            do {
                try await database.transaction { transaction in
                    try await transaction.run("update account set balance = balance - 30")
                    try await transaction.run("update account set balance = balance - 90")
                }
                Issue.record("went through")
            } catch let error as PostgresError {
                #expect(error.isCheckViolation(of: "account_balance_positive"))
                #expect(!error.isUniqueViolation(of: "account_pkey"))
            }
            do {
                try await database.run("insert into account values (1, 1)")
                Issue.record("went through")
            } catch let error as PostgresError {
                #expect(error.isUniqueViolation(of: "account_pkey"))
                #expect(!"\(error)".contains("(1)"))
            }
            let second = try await database.transaction { try await $0.one(pid) }
            #expect(first == second)
            #expect(try await balances(database) == [100, 100])
        }
    }

    @Test func anErrorThatTheBodySwallowsStillFailsTheCommit() async throws {
        try await TestDatabase.withPool(Self.schema) { database, _ in
            do {
                try await database.transaction { transaction in
                    try await transaction.run("update account set balance = 5 where id = 1")
                    _ = try? await transaction.run("insert into account values (1, 1)")
                }
                Issue.record("went through")
            } catch let error as PostgresError {
                #expect(error.isUniqueViolation(of: "account_pkey"))
            }
            #expect(try await balances(database) == [100, 100])
        }
    }

    @Test func aDeferredConstraintFailsTheCommitAndASingleWrite() async throws {
        try await TestDatabase.withPool(Self.schema) { database, _ in
            do {
                try await database.transaction { transaction in
                    try await transaction.run("insert into owner values (1, 99)")
                }
                Issue.record("went through")
            } catch let error as PostgresError {
                #expect(error.isForeignKeyViolation(of: "owner_account"))
            }
            // Its error comes only with the Sync, after the statement has been answered.
            do {
                try await database.run("insert into owner values (1, 99)")
                Issue.record("went through")
            } catch let error as PostgresError {
                #expect(error.isForeignKeyViolation(of: "owner_account"))
            }
            #expect(try await database.run("insert into owner values (1, 2)") == 1)
            #expect(database.statistics[0].losses == 0)
        }
    }

    @Test func aRefusedValueLeavesTheTransactionUsable() async throws {
        try await TestDatabase.withPool(Self.schema) { database, _ in
            try await database.transaction { transaction in
                _ = try? await transaction.run("update account set balance = \("\0")::bigint")
                try await transaction.run("update account set balance = 1")
            }
            #expect(try await balances(database) == [1, 1])
        }
    }

    @Test func isolationIsWhatWasAskedFor() async throws {
        try await TestDatabase.withPool(Self.schema) { database, _ in
            let shown: Query<Columns<String, String>> = """
                select current_setting('transaction_isolation'),
                    current_setting('transaction_read_only')
                """
            for (isolation, name, readOnly) in [
                (Isolation.readCommitted, "read committed", "off"),
                (.repeatableRead, "repeatable read", "off"), (.serializable, "serializable", "off"),
                (.readOnlySnapshot, "repeatable read", "on"),
            ] {
                let (level, mode) = try await database.transaction(isolation) {
                    try await $0.one(shown).values
                }
                #expect(level == name && mode == readOnly)
            }
        }
    }

    @Test func aDeadlockIsRetriedWhenAskedFor() async throws {
        try await TestDatabase.withPool(Self.schema) { database, _ in
            let attempts = Attempts()
            @Sendable func move(_ from: Int64, _ to: Int64, retries: Int) async throws {
                try await database.transaction(retries: retries) { transaction in
                    let isFirst = await attempts.begin(from)
                    try await transaction.run("set local deadlock_timeout = '20ms'")
                    try await transaction.run(
                        "update account set balance = balance - 1 where id = \(from)")
                    if isFirst { await attempts.waitForBoth() }
                    try await transaction.run(
                        "update account set balance = balance + 1 where id = \(to)")
                }
            }
            async let one: Void = move(1, 2, retries: 5)
            async let other: Void = move(2, 1, retries: 5)
            _ = try await (one, other)
            #expect(try await balances(database) == [100, 100])
            #expect(await attempts.count > 2)
        }
    }

    /// Lets both sides take their first lock before either takes its second.
    private actor Attempts {
        private var sides: Set<Int64> = []
        private(set) var count = 0
        private var arrived = 0
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func begin(_ side: Int64) -> Bool {
            count += 1
            return sides.insert(side).inserted
        }

        func waitForBoth() async {
            arrived += 1
            if arrived >= 2 {
                for continuation in waiting { continuation.resume() }
                waiting = []
            } else {
                await withCheckedContinuation { waiting.append($0) }
            }
        }
    }

    @Test func aSerializationFailureReachesTheCallerWithoutRetries() async throws {
        try await TestDatabase.withPool(Self.schema) { database, _ in
            let attempts = Attempts()
            @Sendable func drain(_ id: Int64) async throws {
                try await database.transaction(.serializable) { transaction in
                    _ = try await transaction.one(
                        "select sum(balance)::bigint from account" as Query<Int64>)
                    await attempts.waitForBoth()
                    try await transaction.run(
                        "update account set balance = balance - 100 where id = \(id)")
                }
            }
            async let one = Result.of { try await drain(1) }
            async let other = Result.of { try await drain(2) }
            let failures = await [one, other].compactMap { outcome -> String? in
                guard case .failure(PostgresError.server(let failure)) = outcome else { return nil }
                return failure.sqlState
            }
            #expect(failures == ["40001"])
        }
    }

    @Test func aTransactionIsOverAfterItsBody() async throws {
        try await TestDatabase.withPool(Self.schema) { database, loops in
            try await withTaskExecutorPreference(loops[0]) {
                let kept = try await database.transaction { $0 }
                await #expect(throws: PostgresError.self) {
                    try await kept.run("update account set balance = 1")
                }
            }
            #expect(try await balances(database) == [100, 100])
        }
    }

    @Test func statementsOfATransactionMayOverlap() async throws {
        try await TestDatabase.withPool(Self.schema) { database, loops in
            let sum = try await database.transaction { transaction in
                async let first = transaction.one(
                    "select balance from account where id = 1" as Query<Int64>)
                async let second = transaction.one(
                    "select balance from account where id = 2" as Query<Int64>)
                return try await first + second
            }
            #expect(sum == 200)
        }
    }
}

extension Result where Failure == any Error {
    static func of(_ body: () async throws -> Success) async -> Self {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
