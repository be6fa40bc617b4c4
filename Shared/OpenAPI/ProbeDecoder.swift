// The decoder that answers with dummy values and writes down what it was asked for.

import Endpoints

struct ProbeDecoder: Decoder {
    let probe: SchemaProbe
    let record: ProbeRecord
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedDecodingContainer<Key> {
        if record.shape == nil { record.shape = .object([]) }
        return KeyedDecodingContainer(ProbeObject(probe: probe, record: record))
    }
    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        ProbeList(probe: probe, record: record)
    }
    func singleValueContainer() -> any SingleValueDecodingContainer {
        ProbeValue(probe: probe, record: record)
    }
}

/// The schemas of the types every decoder knows.
private protocol ProbedScalar {
    static var scalarSchema: FieldSchema { get }
}

extension Bool: ProbedScalar {
    static var scalarSchema: FieldSchema { FieldSchema(.boolean) }
}
extension String: ProbedScalar {
    static var scalarSchema: FieldSchema { FieldSchema(.string) }
}
extension Double: ProbedScalar {
    static var scalarSchema: FieldSchema { FieldSchema(.number, format: "double") }
}
extension Float: ProbedScalar {
    static var scalarSchema: FieldSchema { FieldSchema(.number, format: "float") }
}
extension ProbedScalar where Self: FixedWidthInteger {
    static var scalarSchema: FieldSchema {
        var schema = FieldSchema(.integer, format: bitWidth > 32 ? "int64" : "int32")
        if !isSigned { schema.minimum = .integer(0) }
        if bitWidth < 32 {
            schema.minimum = .integer(Int64(clamping: min))
            schema.maximum = .integer(Int64(clamping: max))
        }
        return schema
    }
}
extension Int: ProbedScalar {}
extension Int8: ProbedScalar {}
extension Int16: ProbedScalar {}
extension Int32: ProbedScalar {}
extension Int64: ProbedScalar {}
extension UInt: ProbedScalar {}
extension UInt8: ProbedScalar {}
extension UInt16: ProbedScalar {}
extension UInt32: ProbedScalar {}
extension UInt64: ProbedScalar {}

private struct ProbeObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: SchemaProbe
    let record: ProbeRecord
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<T: Decodable>(_: T.Type, forKey key: Key) throws -> T {
        let (schema, value) = try probe.inspect(T.self)
        record.add(
            key.stringValue, schema, isRequired: !(T.self is any ExpressibleByNilLiteral.Type))
        guard let value else {
            throw SchemaFailure(description: "\(T.self) contains itself in \(key.stringValue)")
        }
        return value
    }

    func decodeIfPresent<T: Decodable>(_: T.Type, forKey key: Key) throws -> T? {
        record.add(key.stringValue, try probe.schema(of: T.self), isRequired: false)
        return nil
    }
    func decode(_ type: Bool.Type, forKey key: Key) -> Bool {
        record.add(key.stringValue, type.scalarSchema, isRequired: true)
        return false
    }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? {
        record.add(key.stringValue, type.scalarSchema, isRequired: false)
        return nil
    }
    func decode(_ type: String.Type, forKey key: Key) -> String {
        record.add(key.stringValue, type.scalarSchema, isRequired: true)
        return ""
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? {
        record.add(key.stringValue, type.scalarSchema, isRequired: false)
        return nil
    }
    func decode(_ type: Double.Type, forKey key: Key) -> Double {
        record.add(key.stringValue, type.scalarSchema, isRequired: true)
        return 0
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? {
        record.add(key.stringValue, type.scalarSchema, isRequired: false)
        return nil
    }
    func decode(_ type: Float.Type, forKey key: Key) -> Float {
        record.add(key.stringValue, type.scalarSchema, isRequired: true)
        return 0
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) -> Float? {
        record.add(key.stringValue, type.scalarSchema, isRequired: false)
        return nil
    }
    func decode(_ type: Int.Type, forKey key: Key) -> Int {
        record.add(key.stringValue, type.scalarSchema, isRequired: true)
        return 0
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? {
        record.add(key.stringValue, type.scalarSchema, isRequired: false)
        return nil
    }
    func decode(_ type: Int8.Type, forKey key: Key) -> Int8 {
        record.add(key.stringValue, type.scalarSchema, isRequired: true)
        return 0
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) -> Int8? {
        record.add(key.stringValue, type.scalarSchema, isRequired: false)
        return nil
    }
    func decode(_ type: Int16.Type, forKey key: Key) -> Int16 {
        record.add(key.stringValue, type.scalarSchema, isRequired: true)
        return 0
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) -> Int16? {
        record.add(key.stringValue, type.scalarSchema, isRequired: false)
        return nil
    }
    func decode(_ type: Int32.Type, forKey key: Key) -> Int32 {
        record.add(key.stringValue, type.scalarSchema, isRequired: true)
        return 0
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) -> Int32? {
        record.add(key.stringValue, type.scalarSchema, isRequired: false)
        return nil
    }
    func decode(_ type: Int64.Type, forKey key: Key) -> Int64 {
        record.add(key.stringValue, type.scalarSchema, isRequired: true)
        return 0
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? {
        record.add(key.stringValue, type.scalarSchema, isRequired: false)
        return nil
    }
    func decode(_ type: UInt.Type, forKey key: Key) -> UInt {
        record.add(key.stringValue, type.scalarSchema, isRequired: true)
        return 0
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) -> UInt? {
        record.add(key.stringValue, type.scalarSchema, isRequired: false)
        return nil
    }
    func decode(_ type: UInt8.Type, forKey key: Key) -> UInt8 {
        record.add(key.stringValue, type.scalarSchema, isRequired: true)
        return 0
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) -> UInt8? {
        record.add(key.stringValue, type.scalarSchema, isRequired: false)
        return nil
    }
    func decode(_ type: UInt16.Type, forKey key: Key) -> UInt16 {
        record.add(key.stringValue, type.scalarSchema, isRequired: true)
        return 0
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) -> UInt16? {
        record.add(key.stringValue, type.scalarSchema, isRequired: false)
        return nil
    }
    func decode(_ type: UInt32.Type, forKey key: Key) -> UInt32 {
        record.add(key.stringValue, type.scalarSchema, isRequired: true)
        return 0
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) -> UInt32? {
        record.add(key.stringValue, type.scalarSchema, isRequired: false)
        return nil
    }
    func decode(_ type: UInt64.Type, forKey key: Key) -> UInt64 {
        record.add(key.stringValue, type.scalarSchema, isRequired: true)
        return 0
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) -> UInt64? {
        record.add(key.stringValue, type.scalarSchema, isRequired: false)
        return nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw SchemaFailure(description: "\(key.stringValue): nested containers are not probed")
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw SchemaFailure(description: "\(key.stringValue): nested containers are not probed")
    }
    func superDecoder() throws -> any Decoder {
        throw SchemaFailure(description: "superclasses are not probed")
    }
    func superDecoder(forKey key: Key) throws -> any Decoder {
        throw SchemaFailure(description: "superclasses are not probed")
    }
}

private struct ProbeValue: SingleValueDecodingContainer {
    let probe: SchemaProbe
    let record: ProbeRecord
    var codingPath: [any CodingKey] { [] }

    private func note(_ schema: FieldSchema) {
        guard record.shape == nil else { return }
        record.shape = schema.shape
        record.single = schema
    }

    func decodeNil() -> Bool { false }
    func decode<T: Decodable>(_: T.Type) throws -> T {
        let (schema, value) = try probe.inspect(T.self)
        note(schema)
        guard let value else { throw SchemaFailure(description: "\(T.self) contains itself") }
        return value
    }
    func decode(_ type: Bool.Type) -> Bool {
        note(type.scalarSchema)
        return false
    }
    func decode(_ type: String.Type) -> String {
        note(type.scalarSchema)
        return ""
    }
    func decode(_ type: Double.Type) -> Double {
        note(type.scalarSchema)
        return 0
    }
    func decode(_ type: Float.Type) -> Float {
        note(type.scalarSchema)
        return 0
    }
    func decode(_ type: Int.Type) -> Int {
        note(type.scalarSchema)
        return 0
    }
    func decode(_ type: Int8.Type) -> Int8 {
        note(type.scalarSchema)
        return 0
    }
    func decode(_ type: Int16.Type) -> Int16 {
        note(type.scalarSchema)
        return 0
    }
    func decode(_ type: Int32.Type) -> Int32 {
        note(type.scalarSchema)
        return 0
    }
    func decode(_ type: Int64.Type) -> Int64 {
        note(type.scalarSchema)
        return 0
    }
    func decode(_ type: UInt.Type) -> UInt {
        note(type.scalarSchema)
        return 0
    }
    func decode(_ type: UInt8.Type) -> UInt8 {
        note(type.scalarSchema)
        return 0
    }
    func decode(_ type: UInt16.Type) -> UInt16 {
        note(type.scalarSchema)
        return 0
    }
    func decode(_ type: UInt32.Type) -> UInt32 {
        note(type.scalarSchema)
        return 0
    }
    func decode(_ type: UInt64.Type) -> UInt64 {
        note(type.scalarSchema)
        return 0
    }
}

/// A list read element by element: a tuple on the wire, of one kind as far as the schema says.
private struct ProbeList: UnkeyedDecodingContainer {
    let probe: SchemaProbe
    let record: ProbeRecord
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    var isAtEnd: Bool { false }

    init(probe: SchemaProbe, record: ProbeRecord) {
        self.probe = probe
        self.record = record
    }

    private mutating func note(_ schema: FieldSchema) {
        switch record.shape {
        case .array(let known)? where known != schema:
            record.shape = .array(FieldSchema(.any))
        case .array?: break
        default: record.shape = .array(schema)
        }
        record.single = record.shape.map { FieldSchema($0) }
        currentIndex += 1
    }

    func decodeNil() -> Bool { false }
    mutating func decode<T: Decodable>(_: T.Type) throws -> T {
        guard currentIndex < 64 else {
            throw SchemaFailure(description: "a list of \(T.self) that has no end is not probed")
        }
        let (schema, value) = try probe.inspect(T.self)
        note(schema)
        guard let value else { throw SchemaFailure(description: "\(T.self) contains itself") }
        return value
    }
    mutating func decode(_ type: Bool.Type) throws -> Bool {
        try scalar(type.scalarSchema, false)
    }
    mutating func decode(_ type: String.Type) throws -> String {
        try scalar(type.scalarSchema, "")
    }
    mutating func decode(_ type: Double.Type) throws -> Double {
        try scalar(type.scalarSchema, 0)
    }
    mutating func decode(_ type: Float.Type) throws -> Float {
        try scalar(type.scalarSchema, 0)
    }
    mutating func decode(_ type: Int.Type) throws -> Int {
        try scalar(type.scalarSchema, 0)
    }
    mutating func decode(_ type: Int8.Type) throws -> Int8 {
        try scalar(type.scalarSchema, 0)
    }
    mutating func decode(_ type: Int16.Type) throws -> Int16 {
        try scalar(type.scalarSchema, 0)
    }
    mutating func decode(_ type: Int32.Type) throws -> Int32 {
        try scalar(type.scalarSchema, 0)
    }
    mutating func decode(_ type: Int64.Type) throws -> Int64 {
        try scalar(type.scalarSchema, 0)
    }
    mutating func decode(_ type: UInt.Type) throws -> UInt {
        try scalar(type.scalarSchema, 0)
    }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
        try scalar(type.scalarSchema, 0)
    }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
        try scalar(type.scalarSchema, 0)
    }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
        try scalar(type.scalarSchema, 0)
    }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
        try scalar(type.scalarSchema, 0)
    }

    private mutating func scalar<T>(_ schema: FieldSchema, _ value: T) throws -> T {
        guard currentIndex < 64 else {
            throw SchemaFailure(description: "a list of \(T.self) that has no end is not probed")
        }
        note(schema)
        return value
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        throw SchemaFailure(description: "nested containers are not probed")
    }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw SchemaFailure(description: "nested containers are not probed")
    }
    func superDecoder() throws -> any Decoder {
        throw SchemaFailure(description: "superclasses are not probed")
    }
}
