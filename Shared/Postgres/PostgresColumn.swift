// One value of a column or parameter in PostgreSQL's binary format (text for strings, so that the
// server infers the type: the same binding then fits text, varchar, an enum type or citext).
import CPostgres

/// A type that a column can hold and a query can bind.
package protocol PostgresColumn: PostgresRow {
    /// OID that the parameter is declared with; 0 lets the server infer it from where the parameter
    /// stands.
    static var typeOID: UInt32 { get }
    /// Whether `encode` writes the binary format.
    static var isBinary: Bool { get }
    /// For messages: what a column must hold.
    static var columnName: String { get }
    /// Appends the value.
    /// - Returns: `false` for NULL.
    func encode(into values: inout BoundValues) -> Bool
    /// The value of a cell that is not NULL, or `nil` when it does not hold one.
    static func decode(_ cell: Cell) -> Self?
    /// The value that stands for NULL; `nil` when there is none and NULL is an error.
    static var null: Self? { get }
}

extension PostgresColumn {
    package static var isBinary: Bool { true }
    package static var columnName: String { "\(Self.self)" }
    package static var null: Self? { nil }

    /// A row of one column.
    package init(_ columns: inout ColumnReader) throws {
        self = try columns.next(Self.self)
    }
}

/// The bytes of one value as the server sent them. Valid only while its row is being read.
package struct Cell {
    package let bytes: UnsafeRawBufferPointer
    package let type: UInt32

    package init(bytes: UnsafeRawBufferPointer, type: UInt32) {
        self.bytes = bytes
        self.type = type
    }

    /// The integer at `offset` in network byte order; the caller has checked the length.
    package func load<Value: FixedWidthInteger>(_: Value.Type, at offset: Int = 0) -> Value {
        Value(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    /// A signed integer of two, four or eight bytes.
    package var integer: Int64? {
        switch type {
        case TypeOID.int8 where bytes.count == 8: load(Int64.self)
        case TypeOID.int4 where bytes.count == 4: Int64(load(Int32.self))
        case TypeOID.int2 where bytes.count == 2: Int64(load(Int16.self))
        case TypeOID.oid where bytes.count == 4: Int64(load(UInt32.self))
        default: nil
        }
    }
}

/// OIDs of built-in types, which never change (pg_type.dat).
package enum TypeOID {
    package static let inferred: UInt32 = 0
    package static let bool: UInt32 = 16
    package static let bytea: UInt32 = 17
    package static let char: UInt32 = 18
    package static let name: UInt32 = 19
    package static let int8: UInt32 = 20
    package static let int2: UInt32 = 21
    package static let int4: UInt32 = 23
    package static let text: UInt32 = 25
    package static let oid: UInt32 = 26
    package static let json: UInt32 = 114
    package static let float4: UInt32 = 700
    package static let float8: UInt32 = 701
    package static let int8Array: UInt32 = 1016
    package static let textArray: UInt32 = 1009
    package static let bpchar: UInt32 = 1042
    package static let varchar: UInt32 = 1043
    package static let date: UInt32 = 1082
    package static let timestamp: UInt32 = 1114
    package static let timestamptz: UInt32 = 1184
    package static let numeric: UInt32 = 1700
    package static let jsonb: UInt32 = 3802
}

extension Optional: PostgresRow where Wrapped: PostgresColumn {}

extension Optional: PostgresColumn where Wrapped: PostgresColumn {
    package static var typeOID: UInt32 { Wrapped.typeOID }
    package static var isBinary: Bool { Wrapped.isBinary }
    package static var columnName: String { Wrapped.columnName }

    package func encode(into values: inout BoundValues) -> Bool {
        guard let self else { return false }
        return self.encode(into: &values)
    }

    package static func decode(_ cell: Cell) -> Wrapped?? {
        guard let value = Wrapped.decode(cell) else { return nil }
        return .some(value)
    }

    package static var null: Wrapped?? { .some(nil) }
}
