// Codable's view of a tape. Decoder and containers are a reference and a token's index, small
// enough to live inside an existential, so that only the box of `KeyedDecodingContainer` is
// allocated.

/// Stands at one value of a document.
struct TapeDecoder: Decoder, SingleValueDecodingContainer {
    let tape: Tape
    let index: Int

    var codingPath: [any CodingKey] { tape.path(to: index) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try TapeObject<Key>(tape: tape, index: index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try TapeArray(tape: tape, index: index)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { tape.isNull(index) }
    func decode(_: Bool.Type) throws -> Bool { try tape.bool(index) }
    func decode(_: String.Type) throws -> String { try tape.string(index) }
    func decode(_: Double.Type) throws -> Double { try tape.double(index) }
    func decode(_: Float.Type) throws -> Float { try tape.float(index) }
    func decode(_: Int.Type) throws -> Int { try tape.integer(index) }
    func decode(_: Int8.Type) throws -> Int8 { try tape.integer(index) }
    func decode(_: Int16.Type) throws -> Int16 { try tape.integer(index) }
    func decode(_: Int32.Type) throws -> Int32 { try tape.integer(index) }
    func decode(_: Int64.Type) throws -> Int64 { try tape.integer(index) }
    func decode(_: Int128.Type) throws -> Int128 { try tape.integer(index) }
    func decode(_: UInt.Type) throws -> UInt { try tape.integer(index) }
    func decode(_: UInt8.Type) throws -> UInt8 { try tape.integer(index) }
    func decode(_: UInt16.Type) throws -> UInt16 { try tape.integer(index) }
    func decode(_: UInt32.Type) throws -> UInt32 { try tape.integer(index) }
    func decode(_: UInt64.Type) throws -> UInt64 { try tape.integer(index) }
    func decode(_: UInt128.Type) throws -> UInt128 { try tape.integer(index) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try tape.decode(type, at: index) }
}

/// The members of an object.
struct TapeObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let tape: Tape
    let index: Int

    init(tape: Tape, index: Int) throws {
        guard tape.tokens[index].kind == .object else {
            throw tape.mismatch(index, "an object")
        }
        self.tape = tape
        self.index = index
    }

    var codingPath: [any CodingKey] { tape.path(to: index) }

    var allKeys: [Key] {
        var keys: [Key] = []
        var key = index + 1
        while key < Int(tape.tokens[index].end) {
            if let known = Key(stringValue: tape.text(tape.tokens[key])) { keys.append(known) }
            key = Int(tape.tokens[key + 1].end)
        }
        return keys
    }

    func contains(_ key: Key) -> Bool { tape.find(key.stringValue, in: index) != nil }

    @inline(__always)
    private func value(_ key: Key) throws -> Int { try tape.value(of: key, in: index) }

    /// The index of the value of a key that is there and not null.
    @inline(__always)
    private func present(_ key: Key) -> Int? {
        guard let value = tape.find(key.stringValue, in: index), !tape.isNull(value) else {
            return nil
        }
        return value
    }

    func decodeNil(forKey key: Key) throws -> Bool { tape.isNull(try value(key)) }
    func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try tape.bool(value(key)) }
    func decode(_: String.Type, forKey key: Key) throws -> String { try tape.string(value(key)) }
    func decode(_: Double.Type, forKey key: Key) throws -> Double { try tape.double(value(key)) }
    func decode(_: Float.Type, forKey key: Key) throws -> Float { try tape.float(value(key)) }
    func decode(_: Int.Type, forKey key: Key) throws -> Int { try tape.integer(value(key)) }
    func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try tape.integer(value(key)) }
    func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try tape.integer(value(key)) }
    func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try tape.integer(value(key)) }
    func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try tape.integer(value(key)) }
    func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try tape.integer(value(key)) }
    func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try tape.integer(value(key)) }
    func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try tape.integer(value(key)) }
    func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try tape.integer(value(key)) }
    func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try tape.integer(value(key)) }
    func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try tape.integer(value(key)) }
    func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try tape.integer(value(key))
    }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try tape.decode(type, at: value(key))
    }

    // The library's own versions of these search three times.
    func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key).map(tape.bool)
    }
    func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? {
        try present(key).map(tape.string)
    }
    func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? {
        try present(key).map(tape.double)
    }
    func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? {
        try present(key).map { try tape.integer($0) }
    }
    func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? {
        try present(key).map { try tape.integer($0) }
    }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try present(key).map { try tape.decode(type, at: $0) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(try TapeObject<Nested>(tape: tape, index: value(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try TapeArray(tape: tape, index: value(key))
    }

    func superDecoder() throws -> any Decoder {
        TapeDecoder(
            tape: tape, index: try tape.value(of: PathKey(stringValue: "super"), in: index))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        TapeDecoder(tape: tape, index: try value(key))
    }
}

/// The elements of an array, one after the other.
struct TapeArray: UnkeyedDecodingContainer {
    let tape: Tape
    private let index: UInt32
    /// The index of the element that comes next.
    private var next: UInt32
    private(set) var currentIndex = 0

    init(tape: Tape, index: Int) throws {
        guard tape.tokens[index].kind == .array else { throw tape.mismatch(index, "an array") }
        self.tape = tape
        self.index = UInt32(index)
        next = UInt32(index) + 1
    }

    var codingPath: [any CodingKey] { tape.path(to: Int(index)) }
    var count: Int? { Int(tape.tokens[Int(index)].length) }
    var isAtEnd: Bool { next >= tape.tokens[Int(index)].end }

    /// Reads the next element and, once that went well, moves on.
    @inline(__always)
    private mutating func take<T>(_ read: (Tape, Int) throws -> T) throws -> T {
        guard !isAtEnd else {
            let reason = "the array has only \(currentIndex) elements"
            throw tape.failure(.typeMismatch, Int(index), reason)
        }
        let value = try read(tape, Int(next))
        next = tape.tokens[Int(next)].end
        currentIndex += 1
        return value
    }

    /// As the protocol has it, a value that is not null is not taken.
    mutating func decodeNil() throws -> Bool {
        if !isAtEnd, !tape.isNull(Int(next)) { return false }
        return try take { _, _ in true }
    }

    mutating func decode(_: Bool.Type) throws -> Bool { try take { try $0.bool($1) } }
    mutating func decode(_: String.Type) throws -> String { try take { try $0.string($1) } }
    mutating func decode(_: Double.Type) throws -> Double { try take { try $0.double($1) } }
    mutating func decode(_: Float.Type) throws -> Float { try take { try $0.float($1) } }
    mutating func decode(_: Int.Type) throws -> Int { try take { try $0.integer($1) } }
    mutating func decode(_: Int8.Type) throws -> Int8 { try take { try $0.integer($1) } }
    mutating func decode(_: Int16.Type) throws -> Int16 { try take { try $0.integer($1) } }
    mutating func decode(_: Int32.Type) throws -> Int32 { try take { try $0.integer($1) } }
    mutating func decode(_: Int64.Type) throws -> Int64 { try take { try $0.integer($1) } }
    mutating func decode(_: Int128.Type) throws -> Int128 { try take { try $0.integer($1) } }
    mutating func decode(_: UInt.Type) throws -> UInt { try take { try $0.integer($1) } }
    mutating func decode(_: UInt8.Type) throws -> UInt8 { try take { try $0.integer($1) } }
    mutating func decode(_: UInt16.Type) throws -> UInt16 { try take { try $0.integer($1) } }
    mutating func decode(_: UInt32.Type) throws -> UInt32 { try take { try $0.integer($1) } }
    mutating func decode(_: UInt64.Type) throws -> UInt64 { try take { try $0.integer($1) } }
    mutating func decode(_: UInt128.Type) throws -> UInt128 { try take { try $0.integer($1) } }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try take { try $0.decode(type, at: $1) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try take { KeyedDecodingContainer(try TapeObject<Nested>(tape: $0, index: $1)) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take { try TapeArray(tape: $0, index: $1) }
    }

    mutating func superDecoder() throws -> any Decoder {
        try take { TapeDecoder(tape: $0, index: $1) }
    }
}
