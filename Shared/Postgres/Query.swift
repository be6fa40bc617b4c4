// A query as a value: what is asked, with what, and what a row of the answer is.

/// A statement with bound values and the type of the rows it answers.
///
/// ```swift
/// let query: Query<PartyRow> = "select id, name from party where id = \(id)"
/// ```
/// A statement that starts with `select`, `values` or `with` is tried on the loop's shared,
/// read-only connection; when PostgreSQL answers that it writes, it runs on a connection of its own
/// from then on.
package struct Query<Row: PostgresRow>: Sendable, ExpressibleByStringInterpolation,
    CustomStringConvertible
{
    package var sql: SQL

    package init(_ sql: SQL) {
        self.sql = sql
    }

    package init(stringLiteral literal: StaticString) {
        sql = SQL(stringLiteral: literal)
    }

    package init(stringInterpolation interpolation: SQL.Interpolation) {
        sql = interpolation.sql
    }

    /// The text with `$1`, `$2` … in place of the values.
    package var text: String { sql.text }

    /// The text without the bound values, safe to log.
    package var description: String { sql.description }
}

/// A statement whose answer is only the number of rows it changed.
package typealias Command = Query<NoRow>

/// The row type of statements that answer none.
package enum NoRow: PostgresRow {
    package init(_ columns: inout ColumnReader) throws {
        throw PostgresError.decode(column: "", expected: "no row")
    }
}
