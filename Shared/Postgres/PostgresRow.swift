// Reading rows straight from libpq's result memory.
import CPostgres

/// A type made from one row of an answer, column by column in the order of the select list.
package protocol PostgresRow: Sendable {
    /// Reads every column once.
    /// - Throws: `PostgresError.decode` for NULL, another type or too few columns.
    init(_ columns: inout ColumnReader) throws
}

/// The columns of one row, read from left to right. Valid only inside `init(_:)` of the row.
package struct ColumnReader {
    private let result: OpaquePointer
    private let row: Int32
    @usableFromInline package let count: Int32
    /// The position of the next column, from 0.
    @usableFromInline package var column: Int32 = 0

    init(result: OpaquePointer, row: Int32, count: Int32) {
        self.result = result
        self.row = row
        self.count = count
    }

    /// Whether a column is left.
    package var hasMore: Bool { column < count }

    /// Passes over the next column.
    package mutating func skip() throws {
        guard hasMore else { throw missing("any") }
        column += 1
    }

    /// The value of the next column.
    /// - Throws: `PostgresError.decode` when it is NULL for a type that is not optional, or of
    ///   another type.
    @inlinable
    package mutating func next<Value: PostgresColumn>(_: Value.Type = Value.self) throws -> Value {
        guard column < count else { throw missing(Value.columnName) }
        let position = column
        column += 1
        guard let cell = cell(position) else {
            guard let null = Value.null else { throw failure(position, Value.self, "NULL") }
            return null
        }
        guard let value = Value.decode(cell) else {
            throw failure(position, Value.self, "type \(cell.type)")
        }
        return value
    }

    /// The bytes of a column; `nil` for NULL.
    @usableFromInline
    package func cell(_ position: Int32) -> Cell? {
        if PQgetisnull(result, row, position) != 0 { return nil }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, position),
            count: Int(PQgetlength(result, row, position)))
        return Cell(bytes: bytes, type: PQftype(result, position))
    }

    /// The next column as an enumeration by its raw value.
    @_disfavoredOverload
    package mutating func next<Value: RawRepresentable>(_: Value.Type = Value.self) throws -> Value
    where Value.RawValue: PostgresColumn {
        let position = column
        guard let value = Value(rawValue: try next(Value.RawValue.self)) else {
            throw failure(position, Value.RawValue.self, "a value outside of \(Value.self)")
        }
        return value
    }

    /// The next column as an enumeration by its raw value, `nil` for NULL.
    @_disfavoredOverload
    package mutating func next<Value: RawRepresentable>(_: Value?.Type = Value?.self) throws
        -> Value?
    where Value.RawValue: PostgresColumn {
        let position = column
        guard let raw = try next(Value.RawValue?.self) else { return nil }
        guard let value = Value(rawValue: raw) else {
            throw failure(position, Value.RawValue.self, "a value outside of \(Value.self)")
        }
        return value
    }

    @usableFromInline
    package func missing(_ expected: String) -> PostgresError {
        .decode(column: "column \(column + 1) of \(count)", expected: expected)
    }

    @usableFromInline
    package func failure(_ position: Int32, _ type: (some PostgresColumn).Type, _ found: String)
        -> PostgresError
    {
        let name = PQfname(result, position).map { String(cString: $0) } ?? "\(position + 1)"
        return .decode(column: name, expected: "\(type.columnName), found \(found)")
    }
}

/// A row of a few columns where a type of its own would say no more: `let (id, name) = try await
/// database.one("select id, name …" as Query<Columns<Int64, String>>).values`.
package struct Columns<each Value: PostgresColumn>: PostgresRow {
    package let values: (repeat each Value)

    package init(_ columns: inout ColumnReader) throws {
        values = (repeat try columns.next((each Value).self))
    }
}
