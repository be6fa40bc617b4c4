// Holds back what takes the same lock in PostgreSQL, so that a test can act in the middle of a
// statement.

import Postgres

/// An advisory lock held on a connection of its own.
package final class AdvisoryLock: @unchecked Sendable {
    /// Touched by one call at a time: `take` makes it and `release` ends it.
    private var connection: MaintenanceConnection?

    private init(_ connection: MaintenanceConnection) {
        self.connection = connection
    }

    /// Takes the lock, waiting for it.
    package static func take(_ key: Int, on database: TestDatabase) async throws -> AdvisoryLock {
        try await MaintenanceConnection.run(database.configuration) { connection in
            _ = try connection.rows("select pg_advisory_lock(\(key))")
            return AdvisoryLock(connection)
        }
    }

    /// Lets go of it.
    package func release() {
        connection = nil
    }
}
