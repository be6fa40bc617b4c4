// How to reach the server and every bound of a pool.
import CPostgres
import Glibc

/// Where the database is and how many connections a process may use.
package struct DatabaseConfiguration: Sendable {
    /// `postgres://user:password@host:port/database`. Never logged.
    package let url: String
    /// Shown in pg_stat_activity.
    package var applicationName = "madang"
    /// Connections of one loop for transactions and single writes.
    package var maximumConnections = 5
    /// Pipelined connections of one loop that its reads share; the second opens when the first is
    /// held up.
    package var readConnections = 2
    /// Callers of one loop that may wait for a connection.
    package var maximumWaiters = 512
    /// Reads of one loop that may be under way.
    package var maximumReads = 4096
    /// Nanoseconds that a caller waits for a connection.
    package var waitLimit: UInt64 = 2_000_000_000
    /// Nanoseconds that a statement may take, also set as the server's `statement_timeout`.
    package var statementTimeout: UInt64 = 5_000_000_000
    /// Nanoseconds that an open transaction may do nothing before the server ends it.
    package var idleTransactionTimeout: UInt64 = 15_000_000_000
    /// Seconds for connecting to one address; libpq's least is 2.
    package var connectTimeout = 5
    /// Nanoseconds after which an unused connection is closed.
    package var idleTimeout: UInt64 = 60_000_000_000
    /// Prepared statements kept by a connection.
    package var preparedStatements = 256
    /// `host:port/database as user`, for messages.
    package let location: String

    /// - Throws: `PostgresError.configuration` when the URL is malformed; its text does not quote
    ///   the URL.
    package init(url: String) throws {
        let expected = "expected postgres://user:password@host:port/database"
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
            throw PostgresError.configuration("not a PostgreSQL URL: \(expected)")
        }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &message) else {
            let reason = message.map { Self.withoutQuotes(String(cString: $0)) } ?? "out of memory"
            PQfreemem(message)
            throw PostgresError.configuration("malformed PostgreSQL URL (\(reason)): \(expected)")
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                values[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        self.url = url
        let host = values["host"] ?? values["hostaddr"] ?? "local socket"
        let database = values["dbname"] ?? values["user"] ?? "default database"
        location =
            "\(host):\(values["port"] ?? "5432")/\(database) as \(values["user"] ?? "current user")"
    }

    /// libpq quotes the offending part, which may be the password.
    private static func withoutQuotes(_ message: String) -> String {
        var parts = message.split(separator: "\"", omittingEmptySubsequences: false)
        for position in parts.indices where !position.isMultiple(of: 2) { parts[position] = "…" }
        return parts.joined(separator: "\"").split(separator: "\n").joined(separator: " ")
    }
}

/// What a connection is for.
enum ConnectionRole: Sendable {
    /// Shared by reads; the server refuses writes on it.
    case reads
    /// Leased to one caller at a time.
    case leased
    /// Waits for notifications.
    case notifications
    /// Blocking, outside of loops: migrations and tests.
    case maintenance
}
