// SQL text with its bound values, as pieces: literals by address, so that the text of a query that
// is already prepared is neither built nor hashed again.

/// A piece of SQL with its bound values. Written as a literal; interpolation always binds, never
/// pastes text.
///
/// Use it for fragments that several queries share, and append one with `\(raw: fragment)`:
/// ```swift
/// let visible: SQL = "owner_id = \(user) and deleted_at is null"
/// let query: Query<PartyRow> = "select id, name from party where \(raw: visible) limit \(limit)"
/// ```
package struct SQL: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    var pieces: [Piece]
    var values: BoundValues
    /// Hash of all pieces; addresses of literals, types of values.
    var fingerprint: UInt64
    /// Whether it must not share a connection even though it starts like a read: it has an effect
    /// that PostgreSQL does not count as a write, such as `pg_notify` or an advisory lock.
    package var hasEffect = false

    /// A literal or the place of one bound value.
    struct Piece: Sendable {
        /// Address of the literal's UTF-8; 0 for a value.
        let address: UInt
        /// Length of the literal, or the type OID of the value.
        let detail: UInt32
        /// Where the value starts in `BoundValues.bytes`.
        var offset: Int32 = 0
        /// Bytes of the value; -1 is NULL.
        var count: Int32 = 0
        /// 0 text, 1 binary.
        var format: Int32 = 0

        var isValue: Bool { address == 0 }

        func isSameText(as other: Piece) -> Bool {
            address == other.address && detail == other.detail
        }
    }

    package init(stringLiteral literal: StaticString) {
        pieces = []
        values = BoundValues()
        fingerprint = SQL.seed
        append(literal)
    }

    package init(stringInterpolation interpolation: Interpolation) {
        self = interpolation.sql
    }

    init(reserving pieces: Int) {
        self.pieces = []
        self.pieces.reserveCapacity(pieces)
        values = BoundValues()
        fingerprint = SQL.seed
    }

    /// The text as PostgreSQL sees it, with `$1`, `$2` … for the bound values, which are not in it.
    package var text: String { String(decoding: textBytes, as: UTF8.self) }

    /// The text without the bound values, safe to log.
    package var description: String { text }

    /// Number of bound values.
    package var parameterCount: Int { pieces.reduce(0) { $0 + ($1.isValue ? 1 : 0) } }

    var textBytes: [UInt8] {
        var text: [UInt8] = []
        var number = 0
        for piece in pieces {
            if piece.isValue {
                number += 1
                text.append(UInt8(ascii: "$"))
                text.append(contentsOf: String(number).utf8)
            } else if let start = UnsafePointer<UInt8>(bitPattern: piece.address) {
                text.append(
                    contentsOf: UnsafeBufferPointer(start: start, count: Int(piece.detail)))
            }
        }
        return text
    }

    private static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15

    private mutating func mix(_ address: UInt, _ detail: UInt32) {
        var hash = fingerprint ^ UInt64(address)
        hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
        hash = (hash ^ UInt64(detail)) &* 0xD6E8_FEB8_6659_FD93
        fingerprint = hash ^ (hash >> 29)
    }

    mutating func append(_ literal: StaticString) {
        guard literal.utf8CodeUnitCount > 0 else { return }
        precondition(literal.hasPointerRepresentation, "SQL literals are ordinary string literals")
        let address = UInt(bitPattern: literal.utf8Start)
        let piece = Piece(address: address, detail: UInt32(literal.utf8CodeUnitCount))
        mix(piece.address, piece.detail)
        pieces.append(piece)
    }

    mutating func append(_ fragment: SQL) {
        let base = Int32(values.bytes.count)
        for var piece in fragment.pieces {
            piece.offset += base
            mix(piece.address, piece.detail)
            pieces.append(piece)
        }
        values.append(fragment.values)
    }

    /// Bytes that the values of one query may have together.
    static let maximumValueBytes = 256 << 20
    /// Values that one query may have, the protocol's limit.
    static let maximumParameters = 65_535

    mutating func bind<Value: PostgresColumn>(_ value: Value) {
        let start = values.bytes.count
        guard start <= Self.maximumValueBytes else { return }
        let isNull = !value.encode(into: &values)
        let count = min(values.bytes.count - start, Self.maximumValueBytes)
        if values.bytes.count > Self.maximumValueBytes {
            values.refuse("more than \(Self.maximumValueBytes) bytes")
        }
        let piece = Piece(
            address: 0, detail: Value.typeOID, offset: Int32(start),
            count: isNull ? -1 : Int32(count), format: Value.isBinary ? 1 : 0)
        if !Value.isBinary { values.bytes.append(0) }
        mix(0, Value.typeOID)
        pieces.append(piece)
    }

    package struct Interpolation: StringInterpolationProtocol {
        var sql: SQL

        package init(literalCapacity: Int, interpolationCount: Int) {
            sql = SQL(reserving: 2 * interpolationCount + 1)
        }

        package mutating func appendLiteral(_ literal: StaticString) {
            sql.append(literal)
        }

        /// Binds a value.
        package mutating func appendInterpolation<Value: PostgresColumn>(_ value: Value) {
            sql.bind(value)
        }

        /// Binds a value, or NULL.
        package mutating func appendInterpolation<Value: PostgresColumn>(_ value: Value?) {
            sql.bind(value)
        }

        /// Binds the raw value of an enumeration.
        @_disfavoredOverload
        package mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: PostgresColumn {
            sql.bind(value.rawValue)
        }

        /// Binds the raw value of an enumeration, or NULL.
        @_disfavoredOverload
        package mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value?)
        where Value.RawValue: PostgresColumn {
            sql.bind(value?.rawValue)
        }

        /// Appends trusted text with its own bound values.
        package mutating func appendInterpolation(raw fragment: SQL) {
            sql.append(fragment)
        }

        /// Appends the text and the bound values of another query.
        package mutating func appendInterpolation<Row>(raw query: Query<Row>) {
            sql.append(query.sql)
        }
    }
}

/// The encoded values of a query, one after the other.
package struct BoundValues: Sendable {
    package var bytes: [UInt8] = []
    /// Why a value cannot be sent, such as text with NUL. The query fails with it before it reaches
    /// the server.
    package private(set) var refusal: String?

    package mutating func refuse(_ reason: String) {
        if refusal == nil { refusal = reason }
    }

    mutating func append(_ other: BoundValues) {
        bytes.append(contentsOf: other.bytes)
        if let reason = other.refusal { refuse(reason) }
    }

    /// Appends an integer in network byte order.
    package mutating func append<Value: FixedWidthInteger>(bigEndian value: Value) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
}

/// Statements with the same pieces are the same statement.
struct StatementKey: Hashable {
    let fingerprint: UInt64
    let pieces: [SQL.Piece]

    func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }

    static func == (left: Self, right: Self) -> Bool {
        guard left.fingerprint == right.fingerprint, left.pieces.count == right.pieces.count
        else { return false }
        for position in left.pieces.indices
        where !left.pieces[position].isSameText(as: right.pieces[position]) {
            return false
        }
        return true
    }
}
