// Migrations: once, in order, by whoever comes first, and never changed afterwards.
import EventLoop
import Postgres
import TestSupport
import Testing

@Suite struct MigratorTests {
    private func migration(_ name: String, _ sql: String) -> Migration {
        Migration(name, Array(sql.utf8))
    }

    private var first: Migration {
        migration("m0001_a", "create table a (id bigint); create table b (id bigint);")
    }
    private var second: Migration { migration("m0002_b", "alter table a add column name text;") }

    private func message(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "no error"
        } catch PostgresError.migration(let reason) {
            return reason
        } catch {
            return "another error: \(error)"
        }
    }

    @Test func appliesWhatIsMissing() async throws {
        try await TestDatabase.with { test in
            var applied: [[String]] = []
            for migrations in [[first], [first], [first, second]] {
                applied.append(try await Migrator.run(migrations, on: test.configuration))
            }
            #expect(applied == [["m0001_a"], [], ["m0002_b"]])
        }
    }

    @Test func seriesGrowApart() async throws {
        try await TestDatabase.with { test in
            let other = migration("r0001_c", "create table c (id bigint);")
            let next = migration("r0002_d", "alter table c add column name text;")
            var applied: [[String]] = []
            for migrations in [
                [first], [first, other], [first, other, second], [first, other, next, second],
                [first, other],
            ] {
                applied.append(try await Migrator.run(migrations, on: test.configuration))
            }
            #expect(applied == [["m0001_a"], ["r0001_c"], ["m0002_b"], ["r0002_d"], []])
            let reason = await message {
                try await Migrator.run([first, second, next], on: test.configuration)
            }
            #expect(reason.contains("r0001_c"), "\(reason)")
        }
    }

    @Test func replicasMigrateOnce() async throws {
        try await TestDatabase.with { test in
            let migrations = (1...5).map { number in
                migration(
                    "m000\(number)_step", "create table t\(number) (); select pg_sleep(0.02);")
            }
            let applied = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<4 {
                    group.addTask { try await Migrator.run(migrations, on: test.configuration) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(applied.sorted() == migrations.map(\.name))
        }
    }

    @Test func aChangedMigrationIsNamed() async throws {
        try await TestDatabase.with { test in
            try await Migrator.run([first, second], on: test.configuration)
            let changed = migration("m0001_a", "create table a (id integer);")
            let reason = await message {
                try await Migrator.run([changed, second], on: test.configuration)
            }
            #expect(reason.contains("m0001_a has changed"))
        }
    }

    @Test func aMigrationInBetweenIsRefused() async throws {
        try await TestDatabase.with { test in
            try await Migrator.run([first, second], on: test.configuration)
            let late = migration("m0001_late", "create table late ();")
            let inserted = await message {
                try await Migrator.run([first, late, second], on: test.configuration)
            }
            #expect(inserted.contains("m0002_b") && inserted.contains("m0001_late"))
            let missing = await message { try await Migrator.run([second], on: test.configuration) }
            #expect(missing.contains("m0001_a"))
            let unsorted = await message {
                try await Migrator.run([second, first], on: test.configuration)
            }
            #expect(unsorted.contains("out of order"))
        }
    }

    @Test func aDatabaseAheadOfThisReleaseIsLeftAlone() async throws {
        try await TestDatabase.with { test in
            try await Migrator.run([first, second], on: test.configuration)
            #expect(try await Migrator.run([first], on: test.configuration) == [])
        }
    }

    @Test func aFailedMigrationLeavesNothing() async throws {
        try await TestDatabase.with { test in
            let broken = migration("m0002_b", "create table half (); select nonsense;")
            let reason = await message {
                try await Migrator.run([first, broken], on: test.configuration)
            }
            #expect(reason.contains("m0002_b failed") && reason.contains("nonsense"))
            let tables = try await MaintenanceConnection.run(test.configuration) { connection in
                try connection.rows(
                    "select tablename from pg_tables where tablename in ('a', 'half')")
            }
            #expect(tables == [["a"]])
            #expect(try await Migrator.run([first, second], on: test.configuration) == ["m0002_b"])
        }
    }

    @Test func anIndexCanBeBuiltConcurrently() async throws {
        try await TestDatabase.with { test in
            let index = migration(
                "m0002_index",
                "-- no transaction\ncreate index concurrently a_id on a (id);")
            // Two at once: the one that waits must not hold up the index of the other.
            async let one = Migrator.run([first, index], on: test.configuration)
            async let other = Migrator.run([first, index], on: test.configuration)
            let applied = try await one + other
            #expect(applied.sorted() == ["m0001_a", "m0002_index"])
        }
    }

    @Test func aMigrationStepsBackFromATableInUse() async throws {
        try await TestDatabase.with([first]) { test in
            let holder = try Holder(test.configuration)
            async let applied = Migrator.run([first, second], on: test.configuration)
            let isInTheQueue = await eventually {
                let waiting = try? await MaintenanceConnection.run(test.configuration) {
                    try $0.rows(
                        "select pid from pg_locks where relation = 'a'::regclass and not granted")
                }
                return waiting?.isEmpty == false
            }
            #expect(isInTheQueue)
            // Behind the migration in the queue, which nobody but the holder could clear.
            _ = try await MaintenanceConnection.run(test.configuration) { connection in
                try connection.execute("set statement_timeout = '60s'")
                return try connection.rows("select id from a")
            }
            holder.release()
            #expect(try await applied == ["m0002_b"])
        }
    }

    @Test func testDatabasesAreMigratedAndSeparate() async throws {
        try await TestDatabase.withPool([first]) { one, _ in
            try await TestDatabase.withPool([first]) { other, _ in
                try await one.run("insert into a values (1)")
                let count = try await other.one("select count(*) from a" as Query<Int>)
                #expect(count == 0)
            }
        }
    }
}

/// A transaction that has read table `a` and stays open.
private final class Holder: @unchecked Sendable {
    /// Touched by the test only.
    private var connection: MaintenanceConnection?

    init(_ configuration: DatabaseConfiguration) throws {
        let connection = try MaintenanceConnection(configuration)
        try connection.execute("begin; select id from a")
        self.connection = connection
    }

    func release() { connection = nil }
}
