// A Decoder over path values and query pairs. Lists are repeated keys; commas mean nothing, so a
// value may hold one.

/// Decodes a request whose fields are all in the path or the query.
struct FieldDecoder: Decoder {
    let fields: RequestFields
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(FieldContainer(fields: fields))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw Problem(.internal, log: "an endpoint is decoded field by field, not as a list")
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw Problem(.internal, log: "an endpoint is decoded field by field, not as one value")
    }
}

/// Decodes a request without fields. Holds nothing, so that passing it on allocates nothing.
struct NoFields: Decoder {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private var fields: FieldDecoder {
        get throws(Problem) {
            FieldDecoder(
                fields: try RequestFields(
                    names: [], parameters: .none,
                    query: UnsafeRawBufferPointer(start: nil, count: 0)))
        }
    }

    func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try fields.container(keyedBy: Key.self)
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try fields.unkeyedContainer()
    }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try fields.singleValueContainer()
    }
}

/// The fields of a request, by name.
struct FieldContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: RequestFields
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { fields.contains(key.stringValue) }
    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode(_: Bool.Type, forKey key: Key) throws -> Bool {
        try fields.one(key.stringValue).bool()
    }
    func decode(_: String.Type, forKey key: Key) throws -> String {
        try fields.one(key.stringValue).string()
    }
    func decode(_: Double.Type, forKey key: Key) throws -> Double {
        try fields.one(key.stringValue).double()
    }
    func decode(_: Float.Type, forKey key: Key) throws -> Float {
        Float(try fields.one(key.stringValue).double())
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }

    func decode<T: Decodable>(_: T.Type, forKey key: Key) throws -> T {
        try decodeField(T.self, key.stringValue, fields)
    }

    private func integer<I: FixedWidthInteger>(_ type: I.Type, _ key: Key) throws -> I {
        try fields.one(key.stringValue).integer(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw nested(key.stringValue)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        ValueList(name: key.stringValue, values: fields.all(key.stringValue))
    }
    func superDecoder() throws -> any Decoder { throw nested("super") }
    func superDecoder(forKey key: Key) throws -> any Decoder {
        ValueDecoder(name: key.stringValue, values: fields.all(key.stringValue))
    }
}

/// Decodes one field of a type that is not a plain number, text or truth value.
///
/// - Throws: always a `Problem`, whatever the type's own initialiser throws.
func decodeField<T: Decodable>(
    _: T.Type, _ name: String, _ fields: RequestFields
) throws(Problem) -> T {
    let values = fields.all(name)
    do {
        return try T(from: ValueDecoder(name: name, values: values))
    } catch let problem as Problem {
        throw problem
    } catch {
        guard let value = values.first else {
            throw Problem(.missingField, "\(name) is required", field: name)
        }
        var problem = value.invalid("has an invalid value")
        problem.log = "\(name): \(error)"
        throw problem
    }
}

/// Decodes all values of one field: a scalar when asked for one, a list when asked for that.
private struct ValueDecoder: Decoder {
    let name: String
    let values: [RawField]
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw nested(name)
    }
    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        ValueList(name: name, values: values)
    }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        guard let value = values.first else {
            throw Problem(.missingField, "\(name) is required", field: name)
        }
        guard values.count == 1 else {
            throw Problem(.invalidField, "\(name) is given more than once", field: name)
        }
        return SingleValue(value: value)
    }
}

private func nested(_ name: String) -> Problem {
    Problem(.internal, log: "\(name): an object cannot travel in a path or query")
}

private struct SingleValue: SingleValueDecodingContainer {
    let value: RawField
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode(_: Bool.Type) throws -> Bool { try value.bool() }
    func decode(_: String.Type) throws -> String { try value.string() }
    func decode(_: Double.Type) throws -> Double { try value.double() }
    func decode(_: Float.Type) throws -> Float { Float(try value.double()) }
    func decode(_ type: Int.Type) throws -> Int { try value.integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try value.integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try value.integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try value.integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try value.integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try value.integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try value.integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try value.integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try value.integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try value.integer(type) }
    func decode<T: Decodable>(_: T.Type) throws -> T {
        try T(from: ValueDecoder(name: value.name, values: [value]))
    }
}

private struct ValueList: UnkeyedDecodingContainer {
    let name: String
    let values: [RawField]
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    init(name: String, values: [RawField]) {
        self.name = name
        self.values = values
    }

    private mutating func next() throws -> RawField {
        guard currentIndex < values.count else {
            throw Problem(.missingField, "\(name) has too few values", field: name)
        }
        defer { currentIndex += 1 }
        return values[currentIndex]
    }

    func decodeNil() -> Bool { false }
    mutating func decode(_: Bool.Type) throws -> Bool { try next().bool() }
    mutating func decode(_: String.Type) throws -> String { try next().string() }
    mutating func decode(_: Double.Type) throws -> Double { try next().double() }
    mutating func decode(_: Float.Type) throws -> Float { Float(try next().double()) }
    mutating func decode(_ type: Int.Type) throws -> Int { try next().integer(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next().integer(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next().integer(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next().integer(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next().integer(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next().integer(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next().integer(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next().integer(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next().integer(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next().integer(type) }
    mutating func decode<T: Decodable>(_: T.Type) throws -> T {
        try T(from: ValueDecoder(name: name, values: [next()]))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        throw nested(name)
    }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw nested(name) }
    func superDecoder() throws -> any Decoder { throw nested(name) }
}
