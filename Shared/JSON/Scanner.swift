// The one pass over a document: grammar (RFC 8259), UTF-8 (RFC 3629), limits and duplicate keys,
// with a token noted for each value. It does not recurse: containers being scanned are linked
// through their tokens, so that depth costs no stack. It looks for no end either: behind the
// document are zeros, which no rule accepts.

struct Scanner {
    let tape: Tape
    let base: UnsafePointer<UInt8>
    /// The byte that is looked at.
    var position = 0
    /// The tokens noted, which are the tape's, and their number.
    var tokens: UnsafeMutablePointer<Token>
    var count = 0
    private var capacity: Int
    private var depth = 0
    /// The index of the innermost container being scanned; -1 outside of all.
    private(set) var open = -1
    private var openIsObject = false

    init(tape: Tape, capacity: Int) {
        self.tape = tape
        base = tape.base
        tokens = tape.tokens
        self.capacity = capacity
    }

    mutating func scanDocument(maxDepth: Int) throws(JSONFailure) {
        skipSpace()
        repeat {
            let isOpened = try scanValue(maxDepth)
            if isOpened { continue }
            try scanAfterValue()
        } while open >= 0
        skipSpace()
        guard position == tape.length else {
            throw syntax("expected nothing more after the document")
        }
    }

    /// Scans a scalar, an empty container, or the opening of one up to its first value.
    ///
    /// - Returns: whether a value must follow.
    @inline(__always)
    private mutating func scanValue(_ maxDepth: Int) throws(JSONFailure) -> Bool {
        switch base[position] {
        case UInt8(ascii: "\""):
            append(try scanString())
        case UInt8(ascii: "{"):
            try beginContainer(.object, maxDepth)
            guard base[position] == UInt8(ascii: "}") else {
                try scanKey()
                return true
            }
            position += 1
            endContainer()
        case UInt8(ascii: "["):
            try beginContainer(.array, maxDepth)
            guard base[position] == UInt8(ascii: "]") else { return true }
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
    @inline(__always)
    private mutating func scanAfterValue() throws(JSONFailure) {
        while open >= 0 {
            if !openIsObject { tokens[open].length &+= 1 }
            skipSpace()
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

    @inline(__always)
    private mutating func beginContainer(
        _ kind: Token.Kind, _ maxDepth: Int
    ) throws(JSONFailure) {
        depth += 1
        guard depth <= maxDepth else { throw tooDeep(maxDepth) }
        let index = count
        append(
            Token(
                offset: UInt32(truncatingIfNeeded: position), length: 0,
                end: UInt32(truncatingIfNeeded: open + 1), kind: kind, hash: 0))
        open = index
        openIsObject = kind == .object
        position += 1
        skipSpace()
    }

    @inline(__always)
    private mutating func endContainer() {
        let closed = open
        open = Int(tokens[closed].end) - 1
        tokens[closed].end = UInt32(truncatingIfNeeded: count)
        if openIsObject { tokens[closed].length = UInt32(truncatingIfNeeded: closed + 1) }
        openIsObject = open >= 0 && tokens[open].kind == .object
        depth -= 1
    }

    @inline(__always)
    private mutating func scanKey() throws(JSONFailure) {
        guard base[position] == UInt8(ascii: "\"") else { throw syntax("expected a key") }
        var token = try scanString()
        token.hash = hash(token)
        append(token)
        skipSpace()
        guard base[position] == UInt8(ascii: ":") else { throw syntax("expected : after the key") }
        position += 1
        skipSpace()
    }

    @inline(__always)
    private mutating func scanWord(
        _ word: StaticString, _ kind: Token.Kind
    ) throws(JSONFailure) {
        let length = word.utf8CodeUnitCount
        for index in 0..<length where base[position + index] != word.utf8Start[index] {
            throw syntax("expected a value")
        }
        append(kind, from: position, length: length)
        position += length
    }

    @inline(__always)
    private mutating func scanNumber() throws(JSONFailure) {
        let start = position
        var place = start
        var kind = Token.Kind.integer
        if base[place] == UInt8(ascii: "-") { place += 1 }
        if base[place] == UInt8(ascii: "0") {
            place += 1
            if isDigit(base[place]) { throw syntax("a number may not begin with 0", at: place) }
        } else {
            place = try skipDigits(place)
        }
        if base[place] == UInt8(ascii: ".") {
            kind = .real
            place = try skipDigits(place + 1)
        }
        if base[place] | 0x20 == UInt8(ascii: "e") {
            kind = .real
            place += 1
            if base[place] == UInt8(ascii: "+") || base[place] == UInt8(ascii: "-") { place += 1 }
            place = try skipDigits(place)
        }
        append(kind, from: start, length: place - start)
        position = place
    }

    // MARK: Small steps

    /// The place after the digits at a place, of which there must be one.
    @inline(__always)
    private func skipDigits(_ start: Int) throws(JSONFailure) -> Int {
        var place = start
        while isDigit(base[place]) { place += 1 }
        guard place > start else { throw syntax("expected a digit", at: start) }
        return place
    }

    @inline(__always)
    private mutating func skipSpace() {
        if base[position] <= 0x20 { skipLongSpace() }
    }

    @inline(never)
    private mutating func skipLongSpace() {
        while true {
            switch base[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    @inline(__always)
    private mutating func append(_ token: Token) {
        if count == capacity { grow() }
        (tokens + count).initialize(to: token)
        count += 1
    }

    @inline(__always)
    private mutating func append(_ kind: Token.Kind, from offset: Int, length: Int) {
        append(
            Token(
                offset: UInt32(truncatingIfNeeded: offset),
                length: UInt32(truncatingIfNeeded: length),
                end: UInt32(truncatingIfNeeded: count + 1), kind: kind, hash: 0))
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Token>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: tokens, count: count)
        tokens.deallocate()
        tokens = larger
        tape.tokens = larger
        capacity *= 2
    }

    // MARK: Failures

    func syntax(_ reason: StaticString) -> JSONFailure {
        syntax(reason, at: position)
    }

    @inline(never)
    func syntax(_ reason: StaticString, at place: Int) -> JSONFailure {
        if tape.length == 0 { return JSONFailure(.syntax, offset: 0, reason: "empty document") }
        return JSONFailure(
            .syntax, offset: place,
            reason: place < tape.length ? "\(reason)" : "\(reason), found the end")
    }

    @inline(never)
    private func tooDeep(_ maxDepth: Int) -> JSONFailure {
        JSONFailure(.depth, offset: position, reason: "nested more than \(maxDepth) levels deep")
    }
}
