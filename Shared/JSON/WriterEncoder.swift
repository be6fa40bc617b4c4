// Codable's view of a writer. Encoder and containers are a reference and a place, small enough to
// live inside an existential; only the box of `KeyedEncodingContainer` is allocated.

/// Where one value is due.
struct WriterEncoder: Encoder, SingleValueEncodingContainer {
    let writer: Writer
    /// The number of frames that were open, and the end of the text, when the value became due.
    let height: Int
    let start: Int

    var codingPath: [any CodingKey] { writer.path(height: height) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
        let serial = begin(.object)
        return KeyedEncodingContainer(
            WriterObject<Key>(writer: writer, height: height + 1, serial: serial))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        let serial = begin(.array)
        return WriterArray(writer: writer, height: height + 1, serial: serial)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Opens the container of the value, or goes on with it if it is open already, as a class and
    /// its superclass do that share an object.
    private func begin(_ kind: Writer.Frame.Kind) -> UInt32 {
        if writer.height == height, writer.count == start {
            writer.open(kind)
        } else if writer.height > height, writer.frames[height].kind == kind {
            writer.close(to: height + 1)
        } else {
            refuse()
            writer.open(kind)
        }
        return writer.frames[height].serial
    }

    private func refuse() {
        writer.fail(
            JSONFailure(
                .badValue, path: JSONFailure.path(writer.path(height: height)),
                reason: "a type encoded more than one value in its place"))
    }

    @inline(__always)
    private func due() throws {
        if writer.height != height || writer.count != start { refuse() }
        try writer.throwFailure()
    }

    func encodeNil() throws { try due(); writer.null() }
    func encode(_ value: Bool) throws { try due(); writer.bool(value) }
    func encode(_ value: String) throws { try due(); writer.string(value) }
    func encode(_ value: Double) throws { try due(); try writer.double(value) }
    func encode(_ value: Float) throws { try due(); try writer.float(value) }
    func encode(_ value: Int) throws { try due(); writer.integer(value) }
    func encode(_ value: Int8) throws { try due(); writer.integer(value) }
    func encode(_ value: Int16) throws { try due(); writer.integer(value) }
    func encode(_ value: Int32) throws { try due(); writer.integer(value) }
    func encode(_ value: Int64) throws { try due(); writer.integer(value) }
    func encode(_ value: Int128) throws { try due(); writer.wide(value) }
    func encode(_ value: UInt) throws { try due(); writer.integer(value) }
    func encode(_ value: UInt8) throws { try due(); writer.integer(value) }
    func encode(_ value: UInt16) throws { try due(); writer.integer(value) }
    func encode(_ value: UInt32) throws { try due(); writer.integer(value) }
    func encode(_ value: UInt64) throws { try due(); writer.integer(value) }
    func encode(_ value: UInt128) throws { try due(); writer.wide(value) }
    func encode<T: Encodable>(_ value: T) throws { try due(); try writer.encode(value) }
}

/// An object that is open.
struct WriterObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: Writer
    /// The number of open frames with this one on top.
    let height: Int
    let serial: UInt32

    var codingPath: [any CodingKey] { writer.path(height: height - 1) }

    @inline(__always)
    private func member(_ key: Key) throws -> Bool {
        try writer.member(key.stringValue, height, serial)
    }

    func encodeNil(forKey key: Key) throws { if try member(key) { writer.null() } }
    func encode(_ value: Bool, forKey key: Key) throws {
        if try member(key) { writer.bool(value) }
    }
    func encode(_ value: String, forKey key: Key) throws {
        if try member(key) { writer.string(value) }
    }
    func encode(_ value: Double, forKey key: Key) throws {
        if try member(key) { try writer.double(value) }
    }
    func encode(_ value: Float, forKey key: Key) throws {
        if try member(key) { try writer.float(value) }
    }
    func encode(_ value: Int, forKey key: Key) throws {
        if try member(key) { writer.integer(value) }
    }
    func encode(_ value: Int8, forKey key: Key) throws {
        if try member(key) { writer.integer(value) }
    }
    func encode(_ value: Int16, forKey key: Key) throws {
        if try member(key) { writer.integer(value) }
    }
    func encode(_ value: Int32, forKey key: Key) throws {
        if try member(key) { writer.integer(value) }
    }
    func encode(_ value: Int64, forKey key: Key) throws {
        if try member(key) { writer.integer(value) }
    }
    func encode(_ value: Int128, forKey key: Key) throws {
        if try member(key) { writer.wide(value) }
    }
    func encode(_ value: UInt, forKey key: Key) throws {
        if try member(key) { writer.integer(value) }
    }
    func encode(_ value: UInt8, forKey key: Key) throws {
        if try member(key) { writer.integer(value) }
    }
    func encode(_ value: UInt16, forKey key: Key) throws {
        if try member(key) { writer.integer(value) }
    }
    func encode(_ value: UInt32, forKey key: Key) throws {
        if try member(key) { writer.integer(value) }
    }
    func encode(_ value: UInt64, forKey key: Key) throws {
        if try member(key) { writer.integer(value) }
    }
    func encode(_ value: UInt128, forKey key: Key) throws {
        if try member(key) { writer.wide(value) }
    }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        if try member(key) { try writer.encode(value) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        writer.openMember(.object, key.stringValue, height, serial)
        return KeyedEncodingContainer(
            WriterObject<Nested>(
                writer: writer, height: writer.height, serial: writer.lastSerial))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        writer.openMember(.array, key.stringValue, height, serial)
        return WriterArray(writer: writer, height: writer.height, serial: writer.lastSerial)
    }

    func superEncoder() -> any Encoder { encoder(forKey: "super") }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(forKey: key.stringValue) }

    private func encoder(forKey key: String) -> WriterEncoder {
        writer.openMember(.value, key, height, serial)
        return WriterEncoder(writer: writer, height: writer.height, start: writer.count)
    }
}

/// An array that is open.
struct WriterArray: UnkeyedEncodingContainer {
    let writer: Writer
    let height: UInt32
    let serial: UInt32
    private(set) var count = 0

    init(writer: Writer, height: Int, serial: UInt32) {
        self.writer = writer
        self.height = UInt32(height)
        self.serial = serial
    }

    var codingPath: [any CodingKey] { writer.path(height: Int(height) - 1) }

    @inline(__always)
    private mutating func element() throws {
        try writer.element(Int(height), serial)
        count += 1
    }

    mutating func encodeNil() throws { try element(); writer.null() }
    mutating func encode(_ value: Bool) throws { try element(); writer.bool(value) }
    mutating func encode(_ value: String) throws { try element(); writer.string(value) }
    mutating func encode(_ value: Double) throws { try element(); try writer.double(value) }
    mutating func encode(_ value: Float) throws { try element(); try writer.float(value) }
    mutating func encode(_ value: Int) throws { try element(); writer.integer(value) }
    mutating func encode(_ value: Int8) throws { try element(); writer.integer(value) }
    mutating func encode(_ value: Int16) throws { try element(); writer.integer(value) }
    mutating func encode(_ value: Int32) throws { try element(); writer.integer(value) }
    mutating func encode(_ value: Int64) throws { try element(); writer.integer(value) }
    mutating func encode(_ value: Int128) throws { try element(); writer.wide(value) }
    mutating func encode(_ value: UInt) throws { try element(); writer.integer(value) }
    mutating func encode(_ value: UInt8) throws { try element(); writer.integer(value) }
    mutating func encode(_ value: UInt16) throws { try element(); writer.integer(value) }
    mutating func encode(_ value: UInt32) throws { try element(); writer.integer(value) }
    mutating func encode(_ value: UInt64) throws { try element(); writer.integer(value) }
    mutating func encode(_ value: UInt128) throws { try element(); writer.wide(value) }
    mutating func encode<T: Encodable>(_ value: T) throws {
        try element()
        try writer.encode(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        open(.object)
        return KeyedEncodingContainer(
            WriterObject<Nested>(
                writer: writer, height: writer.height, serial: writer.lastSerial))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        open(.array)
        return WriterArray(writer: writer, height: writer.height, serial: writer.lastSerial)
    }

    mutating func superEncoder() -> any Encoder {
        open(.value)
        return WriterEncoder(writer: writer, height: writer.height, start: writer.count)
    }

    private mutating func open(_ kind: Writer.Frame.Kind) {
        writer.openElement(kind, Int(height), serial)
        count += 1
    }
}
