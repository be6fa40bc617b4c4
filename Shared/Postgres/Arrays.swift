// bytea, and one-dimensional arrays without NULLs: what `= any($1)` and array columns need.

/// A type whose Swift array is one PostgreSQL value: an array, or `bytea` for bytes.
package protocol PostgresArrayElement: Sendable {
    static var arrayTypeOID: UInt32 { get }
    static func encode(_ array: [Self], into values: inout BoundValues)
    static func decodeArray(_ cell: Cell) -> [Self]?
}

extension Array: PostgresRow where Element: PostgresArrayElement {}

extension Array: PostgresColumn where Element: PostgresArrayElement {
    package static var typeOID: UInt32 { Element.arrayTypeOID }

    package func encode(into values: inout BoundValues) -> Bool {
        Element.encode(self, into: &values)
        return true
    }

    package static func decode(_ cell: Cell) -> [Element]? { Element.decodeArray(cell) }
}

extension UInt8: PostgresArrayElement {
    package static var arrayTypeOID: UInt32 { TypeOID.bytea }

    package static func encode(_ array: [UInt8], into values: inout BoundValues) {
        values.bytes.append(contentsOf: array)
    }

    package static func decodeArray(_ cell: Cell) -> [UInt8]? {
        cell.type == TypeOID.bytea ? [UInt8](cell.bytes) : nil
    }
}

extension Int64: PostgresArrayElement {
    package static var arrayTypeOID: UInt32 { TypeOID.int8Array }

    package static func encode(_ array: [Int64], into values: inout BoundValues) {
        values.appendArrayHeader(count: array.count, elementType: TypeOID.int8)
        values.bytes.reserveCapacity(values.bytes.count + 12 * array.count)
        for element in array {
            values.append(bigEndian: Int32(8))
            values.append(bigEndian: element)
        }
    }

    package static func decodeArray(_ cell: Cell) -> [Int64]? {
        cell.elements { $0.integer }
    }
}

extension Int: PostgresArrayElement {
    package static var arrayTypeOID: UInt32 { TypeOID.int8Array }

    package static func encode(_ array: [Int], into values: inout BoundValues) {
        Int64.encode(array.map(Int64.init), into: &values)
    }

    package static func decodeArray(_ cell: Cell) -> [Int]? {
        cell.elements { $0.integer.flatMap(Int.init(exactly:)) }
    }
}

extension String: PostgresArrayElement {
    package static var arrayTypeOID: UInt32 { TypeOID.textArray }

    package static func encode(_ array: [String], into values: inout BoundValues) {
        values.appendArrayHeader(count: array.count, elementType: TypeOID.text)
        for element in array {
            values.append(bigEndian: Int32(element.utf8.count))
            values.append(text: element)
        }
    }

    package static func decodeArray(_ cell: Cell) -> [String]? {
        cell.elements { String.decode($0) }
    }
}

extension BoundValues {
    /// The header of an array's binary format (array_send): dimensions, has-NULL flag, element
    /// type, length, lower bound.
    mutating func appendArrayHeader(count: Int, elementType: UInt32) {
        append(bigEndian: Int32(count == 0 ? 0 : 1))
        append(bigEndian: Int32(0))
        append(bigEndian: elementType)
        if count == 0 { return }
        append(bigEndian: Int32(count))
        append(bigEndian: Int32(1))
    }
}

extension Cell {
    /// The elements of a one-dimensional array; `nil` for another shape, a NULL element or one that
    /// does not decode.
    func elements<Element>(_ decode: (Cell) -> Element?) -> [Element]? {
        guard bytes.count >= 12 else { return nil }
        let dimensions = load(Int32.self)
        let elementType = load(UInt32.self, at: 8)
        if dimensions == 0 { return [] }
        guard dimensions == 1, bytes.count >= 20 else { return nil }
        let count = Int(load(Int32.self, at: 12))
        var offset = 20
        guard count >= 0, count <= bytes.count / 4 else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count {
            guard offset + 4 <= bytes.count else { return nil }
            let length = Int(load(Int32.self, at: offset))
            offset += 4
            guard length >= 0, offset + length <= bytes.count else { return nil }
            let slice = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
            guard let element = decode(Cell(bytes: slice, type: elementType)) else { return nil }
            elements.append(element)
            offset += length
        }
        return elements
    }
}

/// A JSON document as its UTF-8 text, for `json` and `jsonb` columns. Neither parsed nor checked
/// here.
package struct JSONText: Sendable, Equatable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension JSONText: PostgresColumn {
    package static var typeOID: UInt32 { TypeOID.jsonb }

    package func encode(into values: inout BoundValues) -> Bool {
        // jsonb_recv: a version byte, then text.
        values.bytes.append(1)
        values.bytes.append(contentsOf: bytes)
        return true
    }

    package static func decode(_ cell: Cell) -> JSONText? {
        switch cell.type {
        case TypeOID.json: JSONText([UInt8](cell.bytes))
        case TypeOID.jsonb where cell.bytes.first == 1: JSONText([UInt8](cell.bytes.dropFirst()))
        default: nil
        }
    }
}
