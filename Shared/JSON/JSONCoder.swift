// The door of the module: everything that reads or writes JSON in the project goes through here.
//
// Reading is one pass that checks the whole text and notes where each value lies (Tape), then the
// types pick what they want from the notes: a key nobody asks for costs nothing more, and nothing
// is turned into a String that is not kept. Writing appends bytes to one buffer as types encode
// themselves, without a tree in between. Foundation's coder builds trees in both directions and is
// several times slower (Tests/Benchmarks/JSONBenchmark prints the ratios).

/// Reads and writes values as JSON (RFC 8259), strictly and exactly.
///
/// - Text: UTF-8 without byte order mark; lone surrogates, leading zeros, control characters and
///   anything after the document are refused, and so are objects that hold a key twice.
/// - Keys: those nobody asks for are ignored; a `nil` property is left out, and reads from null or
///   from an absent key.
/// - Integers of every width up to `Int128` are exact and read from plain integers only: `1.0` and
///   `1e2` are not integers. `Double` and `Float` are the nearest to the text and are written in
///   the fewest digits that read back the same. `Decimal` is exact or refused, never through
///   `Double`.
/// - `Date` is RFC 3339 text, written in UTC; `Data` is base64; `URL` and `UUID` are strings.
/// - A dictionary with `String` keys is an object, in the dictionary's own order.
///
/// A type that encodes itself must write its containers in order: a nested container is closed by
/// the next write to the one around it.
public struct JSONCoder: Sendable {
    /// A coder with the default limits.
    public static let standard = JSONCoder()

    /// The bounds of what is read and written.
    public var limits: JSONLimits

    /// A coder.
    public init(limits: JSONLimits = JSONLimits()) {
        self.limits = limits
    }

    // MARK: Reading

    /// Reads a value from a document.
    ///
    /// - Throws: `JSONFailure`, or an error of a type's own `init(from:)` that is not a
    ///   `DecodingError`.
    public func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
        try bytes.withUnsafeBytes { try decode(type, from: $0) }
    }

    /// Reads a value from a document in memory that the caller keeps until this returns.
    ///
    /// - Throws: `JSONFailure`, or an error of a type's own `init(from:)` that is not a
    ///   `DecodingError`.
    public func decode<T: Decodable>(
        _ type: T.Type, from bytes: UnsafeRawBufferPointer
    ) throws -> T {
        let tape = try Tape(scanning: bytes, limits: limits)
        do {
            return try tape.decode(type, at: 0)
        } catch {
            throw JSONFailure.translated(error)
        }
    }

    /// Checks a whole document and lends a decoder that stands at its root, for those who decode in
    /// a way of their own. The decoder is of no use after `body` returns.
    ///
    /// - Throws: `JSONFailure`, also in place of a `DecodingError` of `body`; other errors of
    ///   `body`.
    public func withDecoder<R>(
        from bytes: UnsafeRawBufferPointer, _ body: (any Decoder) throws -> R
    ) throws -> R {
        let tape = try Tape(scanning: bytes, limits: limits)
        do {
            return try body(TapeDecoder(tape: tape, index: 0))
        } catch {
            throw JSONFailure.translated(error)
        }
    }

    // MARK: Writing

    /// Writes a value as a document.
    ///
    /// - Throws: `JSONFailure` (`badValue` for a number that is not finite, `depth`), or an error
    ///   of a type's own `encode(to:)` that is not an `EncodingError`.
    public func encode<T: Encodable>(_ value: T) throws -> [UInt8] {
        try written(value, omitting: nil).bytes
    }

    /// Appends a value as a document; after an error `bytes` is as it was.
    ///
    /// - Throws: as `encode(_:)`.
    public func encode<T: Encodable>(_ value: T, into bytes: inout [UInt8]) throws {
        try written(value, omitting: nil).append(to: &bytes)
    }

    /// Writes a value as a document without some keys of its outermost object.
    ///
    /// - Throws: as `encode(_:)`.
    public func encode<T: Encodable>(_ value: T, omitting keys: Set<String>) throws -> [UInt8] {
        try written(value, omitting: keys).bytes
    }

    private func written<T: Encodable>(_ value: T, omitting keys: Set<String>?) throws -> Writer {
        let writer = Writer(maxDepth: limits.maxDepth, omitting: keys)
        do {
            try writer.encodeRoot(value)
        } catch {
            throw JSONFailure.translated(error)
        }
        return writer
    }
}
