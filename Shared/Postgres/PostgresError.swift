// Coarse errors that a caller can branch on. Texts never hold bound values or the password.
import CPostgres

/// Why a query did not answer.
package enum PostgresError: Error, Sendable, Equatable {
    /// There is no connection to the server and the last attempt failed. Temporary.
    case unavailable(String)
    /// The connection broke while the statement may have run. Temporary; a write may or may not
    /// have happened.
    case connectionLost(String)
    /// The deadline or the statement time-out passed; the statement is cancelled on the server.
    case timedOut
    /// Every connection stayed busy until the deadline, or too many callers wait already.
    /// Temporary.
    case poolExhausted
    /// The server refused the statement.
    case server(ServerFailure)
    /// A column does not hold what the row type reads. A fault of the program.
    case decode(column: String, expected: String)
    /// A bound value that PostgreSQL cannot hold, found before sending.
    case invalidValue(String)
    /// `one` found another number of rows than one.
    case rowCount(Int)
    /// The connection URL or a setting is wrong; the text names what to change.
    case configuration(String)
    /// The schema cannot be brought to what this release needs.
    case migration(String)

    /// Whether trying again later may help without a change: what callers answer 503 for.
    package var isTemporary: Bool {
        switch self {
        case .unavailable, .connectionLost, .timedOut, .poolExhausted: true
        case .server(let failure): failure.isTransient
        default: false
        }
    }

    /// Whether the statement was refused by the named unique constraint or unique index.
    package func isUniqueViolation(of constraint: String) -> Bool {
        isViolation("23505", of: constraint)
    }

    /// Whether the statement was refused by the named foreign key.
    package func isForeignKeyViolation(of constraint: String) -> Bool {
        isViolation("23503", of: constraint)
    }

    /// Whether the statement was refused by the named check constraint.
    package func isCheckViolation(of constraint: String) -> Bool {
        isViolation("23514", of: constraint)
    }

    /// Whether the statement was refused by the named exclusion constraint.
    package func isExclusionViolation(of constraint: String) -> Bool {
        isViolation("23P01", of: constraint)
    }

    /// The name of the constraint that refused the statement; `nil` for every other error.
    package var violatedConstraint: String? {
        guard case .server(let failure) = self, failure.sqlState.hasPrefix("23") else { return nil }
        return failure.constraint
    }

    private func isViolation(_ state: String, of constraint: String) -> Bool {
        guard case .server(let failure) = self else { return false }
        return failure.sqlState == state && failure.constraint == constraint
    }
}

/// An error report of the server (PostgreSQL manual, 55.8).
package struct ServerFailure: Error, Sendable, Equatable {
    /// Five characters, PostgreSQL manual appendix A.
    package let sqlState: String
    package let message: String
    /// May quote values of the row; not part of `description`.
    package let detail: String?
    package let constraint: String?
    package let table: String?
    package let column: String?

    /// Serialization failure or deadlock: the transaction may succeed when run again.
    package var isRetryable: Bool { sqlState == "40001" || sqlState == "40P01" }

    /// Retryable, or the server is out of something.
    package var isTransient: Bool { isRetryable || sqlState.hasPrefix("53") || sqlState == "55P03" }

    /// The server is going down, starting or was told to drop the connection.
    var endsConnection: Bool {
        sqlState == "57P01" || sqlState == "57P02" || sqlState == "57P03" || sqlState == "57P05"
            || sqlState.hasPrefix("08") || sqlState == "25P03"
    }

    /// The prepared statement is gone or no longer fits the schema.
    var isStalePlan: Bool {
        sqlState == "26000"
            || (sqlState == "0A000" && message.hasPrefix("cached plan must not change"))
    }

    /// The statement wants to write on a read-only connection.
    var isReadOnlyRefusal: Bool { sqlState == "25006" }

    /// Cancelled by request or by `statement_timeout`.
    var isCancellation: Bool { sqlState == "57014" }

    init(result: OpaquePointer) {
        func field(_ code: UnicodeScalar) -> String? {
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        sqlState = field("C") ?? "XX000"
        message =
            field("M") ?? PQresultErrorMessage(result).map { String(cString: $0) } ?? "no message"
        detail = field("D")
        constraint = field("n")
        table = field("t")
        column = field("c")
    }

    package init(
        sqlState: String, message: String, detail: String? = nil, constraint: String? = nil,
        table: String? = nil, column: String? = nil
    ) {
        self.sqlState = sqlState
        self.message = message
        self.detail = detail
        self.constraint = constraint
        self.table = table
        self.column = column
    }
}

extension ServerFailure: CustomStringConvertible {
    package var description: String {
        var text = "\(sqlState) \(message)"
        if let constraint { text += " (constraint \(constraint))" }
        if let table { text += " (table \(table))" }
        if let column { text += " (column \(column))" }
        return text
    }
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unavailable(let reason): "PostgreSQL is unavailable: \(reason)"
        case .connectionLost(let reason): "connection to PostgreSQL lost: \(reason)"
        case .timedOut: "the statement ran out of time"
        case .poolExhausted: "every connection to PostgreSQL is in use"
        case .server(let failure): "PostgreSQL: \(failure)"
        case .decode(let column, let expected): "column \(column): expected \(expected)"
        case .invalidValue(let reason): "bound value refused: \(reason)"
        case .rowCount(let count): "expected exactly one row, found \(count)"
        case .configuration(let reason): reason
        case .migration(let reason): reason
        }
    }
}
