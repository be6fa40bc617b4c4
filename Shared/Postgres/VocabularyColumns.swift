// The vocabulary's types as columns: ids, instants, dates, exact decimals.
package import Vocabulary

extension Identifier: PostgresRow {}

extension Identifier: PostgresColumn {
    package static var typeOID: UInt32 { TypeOID.int8 }

    package func encode(into values: inout BoundValues) -> Bool {
        values.append(bigEndian: rawValue)
        return true
    }

    package static func decode(_ cell: Cell) -> Identifier? {
        cell.integer.flatMap(Identifier.init(rawValue:))
    }
}

extension Identifier: PostgresArrayElement {
    package static var arrayTypeOID: UInt32 { TypeOID.int8Array }

    package static func encode(_ array: [Identifier], into values: inout BoundValues) {
        Int64.encode(array.map(\.rawValue), into: &values)
    }

    package static func decodeArray(_ cell: Cell) -> [Identifier]? {
        cell.elements { $0.integer.flatMap(Identifier.init(rawValue:)) }
    }
}

/// `timestamptz`; `infinity` and moments outside of `Instant.range` do not decode.
extension Instant: PostgresColumn {
    package static var typeOID: UInt32 { TypeOID.timestamptz }
    /// Microseconds from 1970 to 2000, where PostgreSQL counts from.
    private static let epoch: Int64 = 946_684_800_000_000

    package func encode(into values: inout BoundValues) -> Bool {
        values.append(bigEndian: microseconds - Self.epoch)
        return true
    }

    package static func decode(_ cell: Cell) -> Instant? {
        guard cell.type == TypeOID.timestamptz, cell.bytes.count == 8 else { return nil }
        let (microseconds, overflow) = cell.load(Int64.self).addingReportingOverflow(epoch)
        guard !overflow, range.contains(microseconds) else { return nil }
        return Instant(microseconds: microseconds)
    }
}

/// `date`; `infinity` and years outside of 1 to 9999 do not decode.
extension CalendarDate: PostgresColumn {
    package static var typeOID: UInt32 { TypeOID.date }
    /// Days from 1970 to 2000.
    private static let epoch = 10_957

    package func encode(into values: inout BoundValues) -> Bool {
        values.append(bigEndian: daysSince1970 - Int32(Self.epoch))
        return true
    }

    package static func decode(_ cell: Cell) -> CalendarDate? {
        guard cell.type == TypeOID.date, cell.bytes.count == 4 else { return nil }
        return CalendarDate(daysSince1970: Int(cell.load(Int32.self)) + epoch)
    }
}

/// `numeric`; `NaN`, infinities and numbers beyond 38 digits or 30 places do not decode.
extension ExactDecimal: PostgresColumn {
    package static var typeOID: UInt32 { TypeOID.numeric }

    package func encode(into values: inout BoundValues) -> Bool {
        NumericFormat.encode(unscaled, scale: scale, into: &values)
        return true
    }

    package static func decode(_ cell: Cell) -> ExactDecimal? {
        if let whole = cell.integer { return ExactDecimal(Int(whole)) }
        guard cell.type == TypeOID.numeric else { return nil }
        return NumericFormat.decode(cell).flatMap {
            ExactDecimal(unscaled: $0.unscaled, scale: $0.scale)
        }
    }
}
