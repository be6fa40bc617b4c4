// A PostgreSQL database for one test, cloned from a template that is migrated once. The template's
// name is made from the migrations, so that test processes share it and a changed migration gets a
// new one.
package import EventLoop
import Glibc
package import Postgres
import Synchronization

/// An empty, migrated database that nobody else uses.
package struct TestDatabase: Sendable {
    package let name: String
    /// Connection URL of the database, as a service takes it.
    package let url: String
    package let configuration: DatabaseConfiguration

    /// Creates the database, runs `body` with it and drops it again.
    /// - Throws: `Missing` without TEST_DATABASE_URL, and what `body` throws.
    @discardableResult
    package static func with<Value>(
        _ migrations: [Migration] = [], _ body: (TestDatabase) async throws -> Value
    ) async throws -> Value {
        let test = try await create(migrations)
        do {
            let value = try await body(test)
            try await test.drop()
            return value
        } catch {
            try? await test.drop()
            throw error
        }
    }

    /// As `with`, with the database opened on loops of their own.
    @discardableResult
    package static func withPool<Value>(
        _ migrations: [Migration] = [], loops count: Int = 1,
        configure: (inout DatabaseConfiguration) -> Void = { _ in },
        _ body: (Database, [EventLoop]) async throws -> Value
    ) async throws -> Value {
        try await with(migrations) { test in
            var configuration = test.configuration
            configure(&configuration)
            let loops = try (0..<count).map { try EventLoop(index: $0) }
            for loop in loops { loop.start() }
            let database = Database(configuration, loops: loops)
            defer {
                database.shutDown()
                for loop in loops { loop.stop() }
            }
            return try await body(database, loops)
        }
    }

    /// Creates a database. Call `drop()` at the end of the test.
    package static func create(_ migrations: [Migration] = []) async throws -> TestDatabase {
        let server = try serverURL()
        let template = try await template(migrations, server)
        let number = counter.add(1, ordering: .relaxed).newValue
        let name = "madang_test_\(getpid())_\(number)"
        try await MaintenanceConnection.run(try DatabaseConfiguration(url: server)) { connection in
            try connection.execute("drop database if exists \(name) with (force)")
            try connection.execute("create database \(name) template \(template)")
        }
        let url = replacingDatabase(of: server, by: name)
        return TestDatabase(
            name: name, url: url, configuration: try DatabaseConfiguration(url: url))
    }

    /// Drops the database with whatever is connected to it.
    package func drop() async throws {
        let server = try Self.serverURL()
        let name = self.name
        try await MaintenanceConnection.run(try DatabaseConfiguration(url: server)) { connection in
            try connection.execute("drop database if exists \(name) with (force)")
        }
    }

    /// TEST_DATABASE_URL is not set.
    package struct Missing: Error, CustomStringConvertible {
        package let description =
            "TEST_DATABASE_URL is not set. Run `make test`, which starts a PostgreSQL for the tests, "
            + "or set it to the URL of a superuser on a server that may be filled with databases."
    }

    private static let counter = Atomic(0)
    private static let templateLock = 0x7465_7374

    package static func serverURL() throws -> String {
        guard let value = getenv("TEST_DATABASE_URL") else { throw Missing() }
        return String(cString: value)
    }

    /// The name of the migrated template; made by whichever process comes first.
    private static func template(_ migrations: [Migration], _ server: String) async throws -> String
    {
        if migrations.isEmpty { return "template1" }
        let name = "madang_template_" + fingerprint(migrations)
        let url = replacingDatabase(of: server, by: name)
        let lock = templateLock
        try await MaintenanceConnection.run(try DatabaseConfiguration(url: server)) { connection in
            try connection.execute("select pg_advisory_lock(\(lock))")
            // Marked as a template only when complete.
            let complete = "select 1 from pg_database where datname = '\(name)' and datistemplate"
            if try !connection.rows(complete).isEmpty { return }
            try connection.execute("drop database if exists \(name) with (force)")
            try connection.execute("create database \(name)")
            try Migrator.runBlocking(migrations, on: try DatabaseConfiguration(url: url))
            try connection.execute("alter database \(name) is_template true")
        }
        return name
    }

    /// FNV-1a, 64 bits, of all names and texts.
    private static func fingerprint(_ migrations: [Migration]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for migration in migrations {
            for byte in Array(migration.name.utf8) + [0] + migration.sql + [0] {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
            }
        }
        return String(hash, radix: 16)
    }

    /// The URL with another path: `postgres://user@host:1/old?options` becomes
    /// `postgres://user@host:1/new?options`.
    package static func replacingDatabase(of url: String, by name: String) -> String {
        let query = url.firstIndex(of: "?").map { url[$0...] } ?? ""
        let base = url[..<(url.firstIndex(of: "?") ?? url.endIndex)]
        let slashes = base.indices.filter { base[$0] == "/" }
        let server = slashes.count > 2 ? base[..<slashes[2]] : base
        return "\(server)/\(name)\(query)"
    }
}
