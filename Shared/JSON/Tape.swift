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
        /// Of a tape whose document is gone.
        case expired
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
/// freely. It is used by one thread at a time and lives for one call of `JSONCoder`.
final class Tape {
    var tokens: UnsafeMutablePointer<Token>
    var count = 0
    var capacity: Int
    let base: UnsafePointer<UInt8>

    /// Scans and checks a document.
    init(scanning bytes: UnsafeRawBufferPointer, limits: JSONLimits) throws(JSONFailure) {
        // A token to every 8 bytes is usual; growth doubles.
        capacity = min(bytes.count, limits.maxBytes) / 8 + 16
        tokens = .allocate(capacity: capacity)
        guard let start = bytes.baseAddress, bytes.count > 0 else {
            base = UnsafePointer(UnsafeRawPointer(tokens).assumingMemoryBound(to: UInt8.self))
            throw JSONFailure(.syntax, offset: 0, reason: "the document is empty")
        }
        base = start.assumingMemoryBound(to: UInt8.self)
        guard bytes.count <= limits.maxBytes else {
            throw JSONFailure(
                .size, reason: "the document is longer than \(limits.maxBytes) bytes")
        }
        var scanner = Scanner(tape: self, count: bytes.count, maxDepth: limits.maxDepth)
        try scanner.scanDocument()
    }

    deinit {
        tokens.deallocate()
    }

    func grow() {
        let larger = UnsafeMutablePointer<Token>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: tokens, count: count)
        tokens.deallocate()
        tokens = larger
        capacity *= 2
    }

    /// Ends the use of the document's bytes. A type may have kept its decoder, against the rules;
    /// from now on that decoder finds nothing instead of memory that is somebody else's.
    static func expire(_ tape: inout Tape) {
        guard !isKnownUniquelyReferenced(&tape) else { return }
        for index in 0..<tape.count {
            tape.tokens[index] = Token(
                offset: 0, length: 0, end: UInt32(index + 1), kind: .expired, hash: 0)
        }
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
    func find(_ key: String, in object: Int) -> Int? {
        var key = key
        return key.withUTF8 { key in
            let end = Int(tokens[object].end)
            let start = Int(tokens[object].length)
            var index = start
            while index < end {
                let next = Int(tokens[index + 1].end)
                if matches(tokens[index], key) {
                    tokens[object].length = UInt32(next)
                    return index + 1
                }
                index = next
            }
            index = object + 1
            while index < start {
                let next = Int(tokens[index + 1].end)
                if matches(tokens[index], key) {
                    tokens[object].length = UInt32(next)
                    return index + 1
                }
                index = next
            }
            return nil
        }
    }

    @inline(__always)
    private func matches(_ token: Token, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        if token.kind == .string {
            guard Int(token.length) == key.count else { return false }
            let text = base + Int(token.offset)
            for index in 0..<key.count where text[index] != key[index] { return false }
            return true
        }
        return withText(token) { $0.elementsEqual(key) }
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
