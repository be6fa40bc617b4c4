// Brings a database to the schema of this release when a service starts. Replicas start together
// and releases overlap, so it runs under an advisory lock, and a database that is ahead of this
// release is left as it is.
//
// The lock is tried again and again rather than waited for: a session that waits holds a snapshot,
// and a concurrent index build in the session that has the lock would wait for that snapshot for
// ever.
import EventLoop
import Glibc

/// One step of the schema, as embedded by SwiftPM (`PackageResources.m0001_create_parties_sql`).
package struct Migration: Sendable {
    /// The file's name without its ending. Its first letter names a series; names of a series sort in
    /// the order of application.
    package let name: String
    package let sql: [UInt8]

    /// A text whose first line is `-- no transaction` must hold a single statement, such as
    /// `create index concurrently`, that can run again after it failed half-way.
    package init(_ name: String, _ sql: [UInt8]) {
        self.name = name
        self.sql = sql
    }

    var series: Character? { name.first }

    var runsInTransaction: Bool { !sql.starts(with: "-- no transaction".utf8) }
}

/// Applies migrations.
package enum Migrator {
    /// Identifies the lock among advisory locks of a database ("madang" in ASCII).
    static let lock = 0x6D61_6461_6E67
    /// Nanoseconds to wait for another replica that migrates, and for the locks of one migration.
    static let lockPatience: UInt64 = 120_000_000_000
    /// How long a migration stands in the queue for a table's lock. Every request for that table waits behind it,
    /// so it steps back when somebody keeps the table for longer, and tries again.
    static let lockTimeout = "1s"

    /// Applies what is missing, in order.
    /// - Returns: the names of the migrations that were applied now.
    /// - Throws: `PostgresError.migration` when the recorded migrations differ from the given ones
    ///   or one fails; `.unavailable` when the server cannot be reached.
    @discardableResult
    package static func run(_ migrations: [Migration], on configuration: DatabaseConfiguration)
        async throws -> [String]
    {
        try await MaintenanceConnection.run(configuration) { connection in
            try apply(migrations, on: connection)
        }
    }

    /// As `run`, for callers that may block.
    @discardableResult
    package static func runBlocking(
        _ migrations: [Migration], on configuration: DatabaseConfiguration
    ) throws -> [String] {
        try apply(migrations, on: try MaintenanceConnection(configuration))
    }

    static func apply(_ migrations: [Migration], on connection: MaintenanceConnection) throws
        -> [String]
    {
        for (earlier, later) in inSeries(migrations).flatMap({ zip($0, $0.dropFirst()) })
        where earlier.name >= later.name {
            throw PostgresError.migration(
                "migrations out of order: \(later.name) comes after \(earlier.name)")
        }
        try takeLock(connection)
        defer { try? connection.execute("select pg_advisory_unlock(\(lock))") }
        try connection.execute(
            """
            create table if not exists schema_migration (
                name text primary key,
                checksum text not null,
                applied_at timestamptz not null default now()
            )
            """)
        let recorded = try connection.rows(
            "select name, checksum from schema_migration order by name collate \"C\"")
        var applied: [String] = []
        for series in inSeries(migrations) {
            let known = recorded.filter { $0[0].first == series[0].series }
            let checksums = try series.map { try checksum(of: $0, connection) }
            try compare(known.map { ($0[0], $0[1]) }, series, checksums)
            for (migration, checksum) in zip(series, checksums).dropFirst(known.count) {
                try apply(migration, checksum, on: connection)
                applied.append(migration.name)
            }
        }
        return applied
    }

    /// The migrations of each series, in the order in which the series begin. Two that grow apart from each other, the
    /// runtime's and a service's, could not both be added to at the end of one list.
    private static func inSeries(_ migrations: [Migration]) -> [[Migration]] {
        var series: [[Migration]] = []
        for migration in migrations {
            if let place = series.firstIndex(where: { $0[0].series == migration.series }) {
                series[place].append(migration)
            } else {
                series.append([migration])
            }
        }
        return series
    }

    private static func takeLock(_ connection: MaintenanceConnection) throws {
        let limit = EventLoop.now &+ lockPatience
        while try connection.rows("select pg_try_advisory_lock(\(lock))") != [["t"]] {
            guard EventLoop.now < limit else {
                throw PostgresError.migration("another process has been migrating for too long")
            }
            usleep(50_000)
        }
    }

    private static func checksum(of migration: Migration, _ connection: MaintenanceConnection)
        throws -> String
    {
        if migration.sql.contains(0) {
            throw PostgresError.migration("migration \(migration.name) holds a NUL")
        }
        let text = String(decoding: migration.sql, as: UTF8.self)
        let query = "select encode(sha256(convert_to($1, 'UTF8')), 'hex')"
        return try connection.rows(query, [text])[0][0]
    }

    /// Of a series, one of the two lists must be the beginning of the other.
    static func compare(
        _ recorded: [(name: String, checksum: String)], _ migrations: [Migration],
        _ checksums: [String]
    ) throws {
        for (position, (record, migration)) in zip(recorded, migrations).enumerated() {
            guard record.name == migration.name else {
                throw PostgresError.migration(
                    "the database has migration \(record.name) where this release has "
                        + "\(migration.name): migrations are only ever added at the end")
            }
            guard record.checksum == checksums[position] else {
                throw PostgresError.migration(
                    "migration \(migration.name) has changed since it was applied: "
                        + "restore its text and put the change into a new migration")
            }
        }
    }

    private static func apply(
        _ migration: Migration, _ checksum: String, on connection: MaintenanceConnection
    ) throws {
        let limit = EventLoop.now &+ lockPatience
        while true {
            do {
                return try attempt(migration, checksum, on: connection)
            } catch PostgresError.server(let failure) {
                if migration.runsInTransaction { try connection.execute("rollback") }
                let mayWork = failure.sqlState == "55P03" || failure.isRetryable
                guard migration.runsInTransaction, mayWork, EventLoop.now < limit else {
                    throw PostgresError.migration("migration \(migration.name) failed: \(failure)")
                }
                usleep(200_000)
            }
        }
    }

    private static func attempt(
        _ migration: Migration, _ checksum: String, on connection: MaintenanceConnection
    ) throws {
        if migration.runsInTransaction {
            try connection.execute("begin; set local lock_timeout = '\(lockTimeout)'")
        }
        try connection.execute(migration.sql)
        _ = try connection.rows(
            "insert into schema_migration (name, checksum) values ($1, $2)",
            [migration.name, checksum])
        if migration.runsInTransaction { try connection.execute("commit") }
    }
}
