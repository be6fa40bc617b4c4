// A query under way, and the answer it gets.
import CPostgres

/// The result of a statement, owned by whoever reads it.
package struct ServerResult: @unchecked Sendable {
    let raw: OpaquePointer

    /// Reads every row and frees the result.
    @inlinable
    package consuming func rows<Row: PostgresRow>(_: Row.Type) throws -> [Row] {
        defer { discard() }
        let (count, columns) = size
        var rows: [Row] = []
        rows.reserveCapacity(Int(count))
        for position in 0..<count { rows.append(try read(position, columns)) }
        return rows
    }

    /// Reads the only row and frees the result; `nil` when there is none.
    @inlinable
    package consuming func row<Row: PostgresRow>(_: Row.Type) throws -> Row? {
        defer { discard() }
        let (count, columns) = size
        if count == 0 { return nil }
        guard count == 1 else { throw PostgresError.rowCount(Int(count)) }
        return try read(0, columns)
    }

    /// Number of rows and columns.
    @usableFromInline
    package var size: (rows: Int32, columns: Int32) { (PQntuples(raw), PQnfields(raw)) }

    @inlinable
    package func read<Row: PostgresRow>(_ position: Int32, _ columns: Int32) throws -> Row {
        var reader = reader(position, columns)
        let row = try Row(&reader)
        if reader.hasMore {
            throw PostgresError.decode(
                column: "row", expected: "\(Row.self) to read all \(columns)")
        }
        return row
    }

    @usableFromInline
    package func reader(_ position: Int32, _ columns: Int32) -> ColumnReader {
        ColumnReader(result: raw, row: position, count: columns)
    }

    /// Frees the result and returns the number of rows that the statement changed or selected.
    consuming func affectedRows() -> Int {
        defer { PQclear(raw) }
        guard let text = PQcmdTuples(raw) else { return 0 }
        return Int(String(cString: text)) ?? 0
    }

    /// Frees the result and returns what the statement did: `COMMIT`, `ROLLBACK`, `INSERT 0 1`.
    consuming func commandTag() -> String {
        defer { PQclear(raw) }
        return PQcmdStatus(raw).map { String(cString: $0) } ?? ""
    }

    @usableFromInline
    package func discard() { PQclear(raw) }
}

/// Internal signal: the statement writes and must leave the read-only connection.
struct WritesAfterAll: Error {}

/// One execution of a statement, from submission to its answer. Belongs to its loop.
final class PendingQuery {
    let statement: Statement
    let sql: SQL
    let deadline: UInt64
    /// Whether it may be sent again when the server did not run it or undid it.
    let mayRepeat: Bool
    private var continuation: UnsafeContinuation<ServerResult, any Error>?

    /// Whether it gets a Sync before and after it: it was cut off by a neighbour's error once.
    var isIsolated = false
    /// How often it was sent again after an abort by others, a stale plan or a lost connection.
    var repeats = 0
    static let maximumRepeats = 2

    init(
        _ statement: Statement, _ sql: SQL, deadline: UInt64, mayRepeat: Bool,
        _ continuation: UnsafeContinuation<ServerResult, any Error>?
    ) {
        self.statement = statement
        self.sql = sql
        self.deadline = deadline
        self.mayRepeat = mayRepeat
        self.continuation = continuation
    }

    /// Whether nobody waits for the answer any more.
    var isAbandoned: Bool { continuation == nil }

    func succeed(_ result: ServerResult) {
        guard let continuation else { return result.discard() }
        self.continuation = nil
        continuation.resume(returning: result)
    }

    func fail(_ error: any Error) {
        continuation?.resume(throwing: error)
        continuation = nil
    }

    /// Whether it can be sent once more; counts.
    func takeRepeat() -> Bool {
        guard mayRepeat, !isAbandoned, repeats < Self.maximumRepeats else { return false }
        repeats += 1
        return true
    }
}
