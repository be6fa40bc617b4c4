// A Decoder for requests with fields in both the path and a JSON body: path names are read from
// the path, every other key is passed on to the body's own decoder.

/// Decodes path fields from `fields` and the others from `base`.
struct MergedDecoder: Decoder {
    let fields: RequestFields
    let base: any Decoder
    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(
            MergedContainer(
                path: FieldContainer(fields: fields), base: try base.container(keyedBy: Key.self)))
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try base.unkeyedContainer()
    }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try base.singleValueContainer()
    }
}

private struct MergedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let path: FieldContainer<Key>
    let base: KeyedDecodingContainer<Key>
    var codingPath: [any CodingKey] { base.codingPath }
    var allKeys: [Key] { base.allKeys }

    private func isInPath(_ key: Key) -> Bool { path.fields.isInPath(key.stringValue) }

    func contains(_ key: Key) -> Bool { isInPath(key) || base.contains(key) }
    func decodeNil(forKey key: Key) throws -> Bool {
        isInPath(key) ? false : try base.decodeNil(forKey: key)
    }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        isInPath(key)
            ? try path.decode(type, forKey: key) : try base.decode(type, forKey: key)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try base.nestedContainer(keyedBy: type, forKey: key)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try base.nestedUnkeyedContainer(forKey: key)
    }
    func superDecoder() throws -> any Decoder { try base.superDecoder() }
    func superDecoder(forKey key: Key) throws -> any Decoder {
        try base.superDecoder(forKey: key)
    }
}
