// An Encoder that deals the fields of a request out: path and query values become text, the others
// go on to the body's own encoder.

/// The texts of a request's fields, collected while it encodes itself.
final class FieldCollector {
    private(set) var path: [String: String] = [:]
    private(set) var query: [(name: String, text: String)] = []
    private let pathNames: [String]

    init(pathNames: [String]) {
        self.pathNames = pathNames
    }

    func isInPath(_ name: String) -> Bool { pathNames.contains(name) }

    func add(_ name: String, _ text: String) throws {
        guard isInPath(name) else {
            query.append((name, text))
            return
        }
        // A dot segment would be removed on the way (RFC 3986, 5.2.4), an empty one never matches.
        guard !text.isEmpty, text != ".", text != "..", path[name] == nil else {
            throw unrepresentable(text, "\(name) cannot be a part of a path")
        }
        path[name] = text
    }
}

private func unrepresentable(_ value: Any, _ reason: String) -> EncodingError {
    EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: reason))
}

/// Encodes a request: path fields (and all fields when there is no `body`) as text.
struct FieldEncoder: Encoder {
    let collector: FieldCollector
    let body: (any Encoder)?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(
            FieldEncodingContainer(
                collector: collector, body: body?.container(keyedBy: Key.self)))
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        preconditionFailure("an endpoint is encoded field by field, not as a list")
    }
    func singleValueContainer() -> any SingleValueEncodingContainer {
        preconditionFailure("an endpoint is encoded field by field, not as one value")
    }
}

private struct FieldEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let collector: FieldCollector
    var body: KeyedEncodingContainer<Key>?
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) throws {
        if !collector.isInPath(key.stringValue) { try body?.encodeNil(forKey: key) }
    }
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        if body == nil || collector.isInPath(key.stringValue) {
            try value.encode(to: ValueEncoder(name: key.stringValue, collector: collector))
        } else {
            try body?.encode(value, forKey: key)
        }
    }
    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        guard var nested = body else { preconditionFailure("\(key): an object in a query") }
        return nested.nestedContainer(keyedBy: type, forKey: key)
    }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        guard var nested = body else {
            return ValueEncoder(name: key.stringValue, collector: collector).unkeyedContainer()
        }
        return nested.nestedUnkeyedContainer(forKey: key)
    }
    mutating func superEncoder() -> any Encoder {
        preconditionFailure("an endpoint has no superclass")
    }
    mutating func superEncoder(forKey key: Key) -> any Encoder {
        preconditionFailure("an endpoint has no superclass")
    }
    mutating func encode(_ value: Bool, forKey key: Key) throws {
        try encode(scalar: value, key)
    }
    mutating func encode(_ value: String, forKey key: Key) throws {
        try encode(scalar: value, key)
    }
    mutating func encode(_ value: Double, forKey key: Key) throws {
        try encode(scalar: value, key)
    }
    mutating func encode(_ value: Float, forKey key: Key) throws {
        try encode(scalar: value, key)
    }
    mutating func encode(_ value: Int, forKey key: Key) throws {
        try encode(scalar: value, key)
    }
    mutating func encode(_ value: Int8, forKey key: Key) throws {
        try encode(scalar: value, key)
    }
    mutating func encode(_ value: Int16, forKey key: Key) throws {
        try encode(scalar: value, key)
    }
    mutating func encode(_ value: Int32, forKey key: Key) throws {
        try encode(scalar: value, key)
    }
    mutating func encode(_ value: Int64, forKey key: Key) throws {
        try encode(scalar: value, key)
    }
    mutating func encode(_ value: UInt, forKey key: Key) throws {
        try encode(scalar: value, key)
    }
    mutating func encode(_ value: UInt8, forKey key: Key) throws {
        try encode(scalar: value, key)
    }
    mutating func encode(_ value: UInt16, forKey key: Key) throws {
        try encode(scalar: value, key)
    }
    mutating func encode(_ value: UInt32, forKey key: Key) throws {
        try encode(scalar: value, key)
    }
    mutating func encode(_ value: UInt64, forKey key: Key) throws {
        try encode(scalar: value, key)
    }

    private mutating func encode<T: Encodable & TextRepresentable>(
        scalar value: T, _ key: Key
    ) throws {
        if body == nil || collector.isInPath(key.stringValue) {
            try collector.add(key.stringValue, value.fieldText())
        } else {
            try body?.encode(value, forKey: key)
        }
    }
}

/// Encodes one field: a scalar once, a list as one text an element.
private struct ValueEncoder: Encoder {
    let name: String
    let collector: FieldCollector
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
        preconditionFailure("\(name): an object cannot travel in a path or query")
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ValueListEncoder(name: name, collector: collector)
    }
    func singleValueContainer() -> any SingleValueEncodingContainer {
        ValueListEncoder(name: name, collector: collector)
    }
}

private struct ValueListEncoder: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    let name: String
    let collector: FieldCollector
    var count = 0
    var codingPath: [any CodingKey] { [] }

    init(name: String, collector: FieldCollector) {
        self.name = name
        self.collector = collector
    }

    mutating func encodeNil() throws {}
    mutating func encode<T: Encodable>(_ value: T) throws {
        count += 1
        try value.encode(to: ValueEncoder(name: name, collector: collector))
    }
    mutating func encode(_ value: Bool) throws { try encode(scalar: value) }
    mutating func encode(_ value: String) throws { try encode(scalar: value) }
    mutating func encode(_ value: Double) throws { try encode(scalar: value) }
    mutating func encode(_ value: Float) throws { try encode(scalar: value) }
    mutating func encode(_ value: Int) throws { try encode(scalar: value) }
    mutating func encode(_ value: Int8) throws { try encode(scalar: value) }
    mutating func encode(_ value: Int16) throws { try encode(scalar: value) }
    mutating func encode(_ value: Int32) throws { try encode(scalar: value) }
    mutating func encode(_ value: Int64) throws { try encode(scalar: value) }
    mutating func encode(_ value: UInt) throws { try encode(scalar: value) }
    mutating func encode(_ value: UInt8) throws { try encode(scalar: value) }
    mutating func encode(_ value: UInt16) throws { try encode(scalar: value) }
    mutating func encode(_ value: UInt32) throws { try encode(scalar: value) }
    mutating func encode(_ value: UInt64) throws { try encode(scalar: value) }

    private mutating func encode(scalar value: some TextRepresentable) throws {
        count += 1
        try collector.add(name, value.fieldText())
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        preconditionFailure("\(name): an object cannot travel in a path or query")
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        preconditionFailure("\(name): a list of lists cannot travel in a path or query")
    }
    func superEncoder() -> any Encoder { ValueEncoder(name: name, collector: collector) }
}

/// A scalar with one text in paths and queries, the one that `RawField` reads back.
private protocol TextRepresentable {
    func fieldText() throws -> String
}

extension TextRepresentable where Self: FixedWidthInteger {
    func fieldText() -> String { String(self) }
}
extension TextRepresentable where Self: BinaryFloatingPoint & CustomStringConvertible {
    func fieldText() throws -> String {
        guard isFinite else { throw unrepresentable(self, "a number must be finite") }
        return description
    }
}
extension String: TextRepresentable {
    func fieldText() -> String { self }
}
extension Bool: TextRepresentable {
    func fieldText() -> String { self ? "true" : "false" }
}
extension Int: TextRepresentable {}
extension Int8: TextRepresentable {}
extension Int16: TextRepresentable {}
extension Int32: TextRepresentable {}
extension Int64: TextRepresentable {}
extension UInt: TextRepresentable {}
extension UInt8: TextRepresentable {}
extension UInt16: TextRepresentable {}
extension UInt32: TextRepresentable {}
extension UInt64: TextRepresentable {}
extension Double: TextRepresentable {}
extension Float: TextRepresentable {}
