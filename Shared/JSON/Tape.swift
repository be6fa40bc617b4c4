// What the scanner notes of a document: one token a value or key, in document order, in one block
// of memory. Decoding walks the tokens; paths for errors are found again from a token's index, so
// that nothing has to be remembered while all is well.

/// A value or a key of a document.
struct Token {
    enum Kind: UInt8 {
        case null, `false`, `true`
        /// A number without fraction and exponent.
        case integer
        /// Any other number.
        case real
        /// A string without escapes: its bytes are its text.
        case string
        /// A string with at least one escape.
        case escaped
        case array, object
    }

    /// The first byte in the document; of a string, the one after the quote.
    var offset: UInt32
    /// The number of bytes; of an array, the number of elements; of an object, the index of the
    /// key after the one found last, where the next search begins.
    var length: UInt32
    /// The index of the token after this value and all within it. While the value is being scanned:
    /// one more than the index of the container around it, or zero, which is never above its own.
    var end: UInt32
    var kind: Kind
    /// Of a key: a few bits of its text, equal for equal texts.
    var hash: UInt16
}

/// The tokens of one document and the document's bytes.
///
/// A reference, because decoders and containers of one document share it and `Codable` copies them
/// freely. It is used by one thread at a time. The bytes are its own copy: the caller's memory need
/// not outlive a decoder that a type has kept, and the zeros behind the copy spare the scanner the
/// question at each byte whether it is the last.
final class Tape {
    /// The number of zeros behind the document: words are read past its end.
    static let padding = 16

    var tokens: UnsafeMutablePointer<Token>
    let base: UnsafePointer<UInt8>
    /// The length of the document in bytes.
    let length: Int

    /// Scans and checks a document.
    init(scanning bytes: UnsafeRawBufferPointer, limits: JSONLimits) throws(JSONFailure) {
        guard bytes.count <= limits.maxBytes else {
            throw JSONFailure(
                .size, reason: "the document is longer than \(limits.maxBytes) bytes")
        }
        length = bytes.count
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: length + Self.padding)
        if let start = bytes.baseAddress {
            UnsafeMutableRawPointer(copy).copyMemory(from: start, byteCount: length)
        }
        (copy + length).initialize(repeating: 0, count: Self.padding)
        base = UnsafePointer(copy)
        // A token to every 8 bytes is usual; growth doubles.
        let capacity = length / 8 + 16
        tokens = .allocate(capacity: capacity)
        var scanner = Scanner(tape: self, capacity: capacity)
        try scanner.scanDocument(maxDepth: limits.maxDepth)
    }

    deinit {
        base.deallocate()
        tokens.deallocate()
    }

    // MARK: Text

    func bytes(_ token: Token) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + Int(token.offset), count: Int(token.length))
    }

    /// The text of a string or key.
    func text(_ token: Token) -> String {
        if token.kind == .string {
            return String(decoding: bytes(token), as: UTF8.self)
        }
        return String(unsafeUninitializedCapacity: Int(token.length)) { buffer in
            unescape(bytes(token), into: buffer)
        }
    }

    /// Calls `body` with the text of a string or key.
    func withText<R>(_ token: Token, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R
    {
        if token.kind == .string { return try body(bytes(token)) }
        let text = [UInt8](unsafeUninitializedCapacity: Int(token.length)) { buffer, count in
            count = unescape(bytes(token), into: buffer)
        }
        return try text.withUnsafeBufferPointer(body)
    }

    func equal(_ one: Token, _ other: Token) -> Bool {
        withText(one) { left in withText(other) { right in left.elementsEqual(right) } }
    }

    // MARK: Search

    /// The index of the value of a key of an object, if it is there.
    ///
    /// Types mostly ask in the order of the document, so the search begins after the key found
    /// last.
    @inline(__always)
    func find(_ key: String, in object: Int) -> Int? {
        if let found = key.utf8.withContiguousStorageIfAvailable({ find($0, in: object) }) {
            return found
        }
        var copy = key
        return copy.withUTF8 { find($0, in: object) }
    }

    private func find(_ key: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        let start = Int(tokens[object].length)
        if let index = find(key, from: start, to: Int(tokens[object].end))
            ?? find(key, from: object + 1, to: start)
        {
            tokens[object].length = tokens[index].end
            return index
        }
        return nil
    }

    @inline(__always)
    private func find(_ key: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int? {
        var index = start
        while index < end {
            let token = tokens[index]
            if token.kind == .string {
                if Int(token.length) == key.count,
                    equalBytes(base + Int(token.offset), key.baseAddress, key.count)
                {
                    return index + 1
                }
            } else if withText(token, { $0.elementsEqual(key) }) {
                return index + 1
            }
            index = Int(tokens[index + 1].end)
        }
        return nil
    }

    // MARK: Paths

    /// The keys and places that lead from the root to a value or to a key.
    func path(to index: Int) -> [PathKey] {
        var path: [PathKey] = []
        var place = 0
        while place < index, tokens[place].kind == .array || tokens[place].kind == .object {
            let isObject = tokens[place].kind == .object
            var child = place + 1
            var position = 0
            while child < index {
                let value = isObject ? child + 1 : child
                let end = Int(tokens[value].end)
                // An open container's end lies before it: what is sought is within.
                if index < end || end <= value { break }
                child = end
                position += 1
            }
            if isObject {
                path.append(PathKey(stringValue: text(tokens[child])))
                if child == index { break }
                place = child + 1
            } else {
                path.append(PathKey(intValue: position))
                place = child
            }
        }
        return path
    }
}

/// Whether two runs of bytes are equal, by words that overlap at the end.
@inline(__always)
func equalBytes(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>?, _ count: Int) -> Bool {
    guard let other, count > 0 else { return count == 0 }
    let left = UnsafeRawPointer(one)
    let right = UnsafeRawPointer(other)
    @inline(__always)
    func differ<Word: FixedWidthInteger & BitwiseCopyable>(_: Word.Type, at place: Int) -> Bool {
        left.loadUnaligned(fromByteOffset: place, as: Word.self)
            != right.loadUnaligned(fromByteOffset: place, as: Word.self)
    }
    if count >= 8 {
        var place = 0
        while place + 8 < count {
            if differ(UInt64.self, at: place) { return false }
            place += 8
        }
        return !differ(UInt64.self, at: count - 8)
    }
    if count >= 4 { return !differ(UInt32.self, at: 0) && !differ(UInt32.self, at: count - 4) }
    if count >= 2 { return !differ(UInt16.self, at: 0) && !differ(UInt16.self, at: count - 2) }
    return one[0] == other[0]
}
