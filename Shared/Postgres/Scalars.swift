// Integers, booleans, floating point, text and bytes.
import Glibc

extension Int64: PostgresColumn {
    package static var typeOID: UInt32 { TypeOID.int8 }

    package func encode(into values: inout BoundValues) -> Bool {
        values.append(bigEndian: self)
        return true
    }

    package static func decode(_ cell: Cell) -> Int64? { cell.integer }
}

extension Int: PostgresColumn {
    package static var typeOID: UInt32 { TypeOID.int8 }

    package func encode(into values: inout BoundValues) -> Bool {
        values.append(bigEndian: Int64(self))
        return true
    }

    package static func decode(_ cell: Cell) -> Int? { cell.integer.flatMap(Int.init(exactly:)) }
}

extension Int32: PostgresColumn {
    package static var typeOID: UInt32 { TypeOID.int4 }

    package func encode(into values: inout BoundValues) -> Bool {
        values.append(bigEndian: self)
        return true
    }

    package static func decode(_ cell: Cell) -> Int32? {
        cell.integer.flatMap(Int32.init(exactly:))
    }
}

extension Int16: PostgresColumn {
    package static var typeOID: UInt32 { TypeOID.int2 }

    package func encode(into values: inout BoundValues) -> Bool {
        values.append(bigEndian: self)
        return true
    }

    package static func decode(_ cell: Cell) -> Int16? {
        cell.integer.flatMap(Int16.init(exactly:))
    }
}

extension Bool: PostgresColumn {
    package static var typeOID: UInt32 { TypeOID.bool }

    package func encode(into values: inout BoundValues) -> Bool {
        values.bytes.append(self ? 1 : 0)
        return true
    }

    package static func decode(_ cell: Cell) -> Bool? {
        guard cell.type == TypeOID.bool, cell.bytes.count == 1 else { return nil }
        return cell.bytes[0] != 0
    }
}

extension Double: PostgresColumn {
    package static var typeOID: UInt32 { TypeOID.float8 }

    package func encode(into values: inout BoundValues) -> Bool {
        values.append(bigEndian: bitPattern)
        return true
    }

    package static func decode(_ cell: Cell) -> Double? {
        switch cell.type {
        case TypeOID.float8 where cell.bytes.count == 8: Double(bitPattern: cell.load(UInt64.self))
        case TypeOID.float4 where cell.bytes.count == 4:
            Double(Float(bitPattern: cell.load(UInt32.self)))
        default: nil
        }
    }
}

extension String: PostgresColumn {
    package static var typeOID: UInt32 { TypeOID.inferred }
    package static var isBinary: Bool { false }

    package func encode(into values: inout BoundValues) -> Bool {
        values.append(text: self)
        return true
    }

    /// Any type whose binary format is its text: text, varchar, char(n), name, enums, citext, json.
    package static func decode(_ cell: Cell) -> String? {
        switch cell.type {
        case TypeOID.text, TypeOID.varchar, TypeOID.bpchar, TypeOID.name, TypeOID.json: break
        case TypeOID.jsonb:
            return JSONText.decode(cell).map { String(decoding: $0.bytes, as: UTF8.self) }
        // Types of extensions and users (enums) have OIDs from 16384.
        case 16384...: break
        default: return nil
        }
        return String(decoding: cell.bytes, as: UTF8.self)
    }
}

extension BoundValues {
    /// Appends UTF-8; refuses NUL, which PostgreSQL's text cannot hold.
    package mutating func append(text: String) {
        var text = text
        let hasNul = text.withUTF8 { utf8 in
            bytes.append(contentsOf: utf8)
            guard let start = utf8.baseAddress else { return false }
            return memchr(start, 0, utf8.count) != nil
        }
        if hasNul { refuse("text must not hold the character NUL") }
    }
}
