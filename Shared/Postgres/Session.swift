// What a capability's SQL runs on: the database for single statements, a transaction for several. A
// function that takes `some Session` works in both.

/// Something that runs statements.
package protocol Session: Sendable {
    /// Runs a statement; `rows`, `row`, `one` and `run` are what to call.
    func perform(_ sql: SQL, deadline: UInt64?) async throws -> ServerResult
}

extension Session {
    /// Every row of the answer, in its order. The statement must carry a limit.
    /// - Parameter deadline: monotonic nanoseconds; `nil` takes `Database.deadline`, then the
    ///   configured time-out.
    /// - Throws: `PostgresError`.
    @inlinable
    package func rows<Row: PostgresRow>(_ query: Query<Row>, deadline: UInt64? = nil) async throws
        -> [Row]
    {
        try await perform(query.sql, deadline: deadline).rows(Row.self)
    }

    /// The only row of the answer, `nil` when there is none.
    /// - Throws: `PostgresError`; `.rowCount` when there are several.
    @inlinable
    package func row<Row: PostgresRow>(_ query: Query<Row>, deadline: UInt64? = nil) async throws
        -> Row?
    {
        try await perform(query.sql, deadline: deadline).row(Row.self)
    }

    /// The only row of the answer.
    /// - Throws: `PostgresError`; `.rowCount` when there is none or several.
    @inlinable
    package func one<Row: PostgresRow>(_ query: Query<Row>, deadline: UInt64? = nil) async throws
        -> Row
    {
        guard let row = try await row(query, deadline: deadline) else {
            throw PostgresError.rowCount(0)
        }
        return row
    }

    /// Runs a statement for its effect.
    /// - Returns: the number of rows it changed.
    /// - Throws: `PostgresError`.
    @discardableResult
    package func run(_ command: Command, deadline: UInt64? = nil) async throws -> Int {
        try await perform(command.sql, deadline: deadline).affectedRows()
    }

    /// Sends a notification to everyone who listens on the channel, on commit.
    /// - Throws: `PostgresError`; `.invalidValue` when the payload has 8,000 bytes or more,
    ///   PostgreSQL's limit.
    package func notify(_ channel: String, _ payload: String) async throws {
        guard payload.utf8.count < 8000 else {
            throw PostgresError.invalidValue("a notification holds fewer than 8000 bytes")
        }
        var notified: SQL = "select pg_notify(\(channel), \(payload))"
        notified.hasEffect = true
        try await perform(notified, deadline: nil).discard()
    }
}
