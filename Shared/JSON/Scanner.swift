// The one pass over a document: grammar (RFC 8259), UTF-8 (RFC 3629), limits and duplicate keys,
// with a token noted for each value. It does not recurse: containers being scanned are linked
// through their tokens, so that depth costs no stack.

struct Scanner {
    let tape: Tape
    let base: UnsafePointer<UInt8>
    let count: Int
    let maxDepth: Int
    var position = 0
    var depth = 0
    /// The index of the innermost container being scanned.
    var open = -1
    var openIsObject = false

    init(tape: Tape, count: Int, maxDepth: Int) {
        self.tape = tape
        self.base = tape.base
        self.count = count
        self.maxDepth = maxDepth
    }

    mutating func scanDocument() throws(JSONFailure) {
        skipSpace()
        repeat {
            let isOpened = try scanValue()
            if isOpened { continue }
            try scanAfterValue()
        } while open >= 0
        skipSpace()
        guard position == count else {
            throw syntax("expected nothing more after the document")
        }
    }

    /// Scans a scalar, an empty container, or the opening of one up to its first value.
    ///
    /// - Returns: whether a value must follow.
    mutating func scanValue() throws(JSONFailure) -> Bool {
        guard position < count else { throw syntax("expected a value, found the end") }
        switch base[position] {
        case UInt8(ascii: "\""):
            append(try scanString())
        case UInt8(ascii: "{"):
            try beginContainer(.object)
            guard position < count, base[position] == UInt8(ascii: "}") else {
                try scanKey()
                return true
            }
            position += 1
            endContainer()
        case UInt8(ascii: "["):
            try beginContainer(.array)
            guard position < count, base[position] == UInt8(ascii: "]") else { return true }
            position += 1
            endContainer()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try scanNumber()
        case UInt8(ascii: "t"):
            try scanWord("true", .true)
        case UInt8(ascii: "f"):
            try scanWord("false", .false)
        case UInt8(ascii: "n"):
            try scanWord("null", .null)
        default:
            throw syntax("expected a value")
        }
        return false
    }

    /// Scans what follows a value up to the next one or to the end of the outermost container.
    mutating func scanAfterValue() throws(JSONFailure) {
        while open >= 0 {
            if !openIsObject { tape.tokens[open].length += 1 }
            skipSpace()
            guard position < count else {
                throw syntax(openIsObject ? "the object is not closed" : "the array is not closed")
            }
            let byte = base[position]
            if byte == UInt8(ascii: ",") {
                position += 1
                skipSpace()
                if openIsObject { try scanKey() }
                return
            }
            guard byte == (openIsObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw syntax(openIsObject ? "expected , or }" : "expected , or ]")
            }
            if openIsObject { try refuseDuplicates() }
            position += 1
            endContainer()
        }
    }

    mutating func beginContainer(_ kind: Token.Kind) throws(JSONFailure) {
        depth += 1
        guard depth <= maxDepth else {
            throw JSONFailure(
                .depth, offset: position, reason: "nested more than \(maxDepth) levels deep")
        }
        let index = tape.count
        append(
            Token(
                offset: UInt32(truncatingIfNeeded: position), length: 0,
                end: UInt32(truncatingIfNeeded: open + 1), kind: kind, hash: 0))
        open = index
        openIsObject = kind == .object
        position += 1
        skipSpace()
    }

    mutating func endContainer() {
        let closed = open
        open = Int(tape.tokens[closed].end) - 1
        tape.tokens[closed].end = UInt32(truncatingIfNeeded: tape.count)
        if openIsObject { tape.tokens[closed].length = UInt32(truncatingIfNeeded: closed + 1) }
        openIsObject = open >= 0 && tape.tokens[open].kind == .object
        depth -= 1
    }

    mutating func scanKey() throws(JSONFailure) {
        guard position < count, base[position] == UInt8(ascii: "\"") else {
            throw syntax("expected a key")
        }
        var token = try scanString()
        token.hash = hash(token)
        append(token)
        skipSpace()
        guard position < count, base[position] == UInt8(ascii: ":") else {
            throw syntax("expected : after the key")
        }
        position += 1
        skipSpace()
    }

    mutating func scanWord(
        _ word: StaticString, _ kind: Token.Kind
    ) throws(JSONFailure) {
        let length = word.utf8CodeUnitCount
        guard position + length <= count else { throw syntax("expected a value") }
        for index in 0..<length where base[position + index] != word.utf8Start[index] {
            throw syntax("expected a value")
        }
        append(kind, from: position, length: length)
        position += length
    }

    mutating func scanNumber() throws(JSONFailure) {
        let start = position
        var kind = Token.Kind.integer
        if base[position] == UInt8(ascii: "-") { position += 1 }
        if position < count, base[position] == UInt8(ascii: "0") {
            position += 1
            if position < count, isDigit(base[position]) {
                throw syntax("a number may not begin with 0")
            }
        } else {
            try skipDigits("expected a digit")
        }
        if position < count, base[position] == UInt8(ascii: ".") {
            kind = .real
            position += 1
            try skipDigits("expected a digit after the decimal point")
        }
        if position < count, base[position] | 0x20 == UInt8(ascii: "e") {
            kind = .real
            position += 1
            if position < count,
                base[position] == UInt8(ascii: "+") || base[position] == UInt8(ascii: "-")
            {
                position += 1
            }
            try skipDigits("expected a digit in the exponent")
        }
        append(kind, from: start, length: position - start)
    }

    mutating func skipDigits(_ expectation: StaticString) throws(JSONFailure) {
        let start = position
        while position < count, isDigit(base[position]) { position += 1 }
        guard position > start else { throw syntax("\(expectation)") }
    }

    // MARK: Small steps

    @inline(__always)
    mutating func skipSpace() {
        while position < count {
            let byte = base[position]
            guard byte <= 0x20,
                byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
            else { return }
            position += 1
        }
    }

    @inline(__always)
    func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    @inline(__always)
    func append(_ token: Token) {
        if tape.count == tape.capacity { tape.grow() }
        (tape.tokens + tape.count).initialize(to: token)
        tape.count += 1
    }

    @inline(__always)
    func append(_ kind: Token.Kind, from offset: Int, length: Int) {
        append(
            Token(
                offset: UInt32(truncatingIfNeeded: offset),
                length: UInt32(truncatingIfNeeded: length),
                end: UInt32(truncatingIfNeeded: tape.count + 1), kind: kind, hash: 0))
    }

    func syntax(_ reason: String) -> JSONFailure {
        JSONFailure(.syntax, offset: position, reason: reason)
    }
}
