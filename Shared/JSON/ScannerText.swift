// The scanner's strings: where they end, whether they are UTF-8, and whether a key came twice.

extension Scanner {
    /// Scans a string from its opening quote past its closing one.
    mutating func scanString() throws(JSONFailure) -> Token {
        let start = position + 1
        var place = start
        var kind = Token.Kind.string
        scan: while true {
            place = skipPlain(from: place)
            guard place < count else {
                position = count
                throw syntax("the string is not closed")
            }
            let byte = base[place]
            switch byte {
            case UInt8(ascii: "\""):
                break scan
            case UInt8(ascii: "\\"):
                kind = .escaped
                place = try skipEscape(at: place)
            case 0x80...:
                let length = sequenceLength(at: place)
                guard length > 0 else {
                    position = place
                    throw syntax("the text is not UTF-8")
                }
                place += length
            default:
                position = place
                throw syntax("a control character must be escaped")
            }
        }
        position = place + 1
        return Token(
            offset: UInt32(truncatingIfNeeded: start),
            length: UInt32(truncatingIfNeeded: place - start),
            end: UInt32(truncatingIfNeeded: tape.count + 1), kind: kind, hash: 0)
    }

    /// The first place that needs a look: a quote, a backslash, a control character, a byte that is
    /// not ASCII, or the end.
    @inline(__always)
    func skipPlain(from start: Int) -> Int {
        var place = start
        while place + 8 <= count {
            let word = UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self)
            let special = specialBytes(UInt64(littleEndian: word))
            if special != 0 { return place + special.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < count {
            let byte = base[place]
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"")
                || byte == UInt8(ascii: "\\")
            {
                return place
            }
            place += 1
        }
        return place
    }

    /// Checks an escape and returns the place after it; of a surrogate pair, after both.
    func skipEscape(at start: Int) throws(JSONFailure) -> Int {
        guard start + 1 < count else { throw syntax("the string is not closed", at: start) }
        switch base[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(at: start) else {
                throw syntax("expected four hexadecimal digits", at: start)
            }
            guard unit & 0xF800 == 0xD800 else { return start + 6 }
            guard unit < 0xDC00, let second = codeUnit(at: start + 6), second & 0xFC00 == 0xDC00
            else {
                throw syntax("a surrogate without its other half", at: start)
            }
            return start + 12
        default:
            throw syntax("an unknown escape", at: start)
        }
    }

    /// The UTF-16 code unit of the escape `\uXXXX` at a place, if one is there.
    func codeUnit(at place: Int) -> UInt16? {
        guard place + 6 <= count, base[place] == UInt8(ascii: "\\"),
            base[place + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for index in place + 2..<place + 6 {
            guard let digit = hexDigit(base[index]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    /// The length of the UTF-8 sequence at a byte that is not ASCII, or 0 if it is malformed: the
    /// table of RFC 3629, section 4.
    func sequenceLength(at place: Int) -> Int {
        let first = base[place]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard place + length <= count, second.contains(base[place + 1]) else { return 0 }
        for index in 2..<max(length, 2) where base[place + index] & 0xC0 != 0x80 { return 0 }
        return length
    }

    func syntax(_ reason: String, at place: Int) -> JSONFailure {
        JSONFailure(.syntax, offset: place, reason: reason)
    }

    // MARK: Keys

    /// A few bits of a key's text.
    @inline(__always)
    func hash(_ token: Token) -> UInt16 {
        if token.kind == .string { return hash(tape.bytes(token)) }
        return tape.withText(token) { hash($0) }
    }

    @inline(__always)
    func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt16 {
        guard let last = text.last else { return 0 }
        var mix = UInt32(truncatingIfNeeded: text.count) &* 31 &+ UInt32(text[0])
        mix = mix &* 31 &+ UInt32(text[text.count / 2])
        mix = mix &* 31 &+ UInt32(last)
        return UInt16(truncatingIfNeeded: (mix &* 0x9E37_79B1) >> 16)
    }

    /// Refuses the object that is about to be closed if it holds a key twice.
    func refuseDuplicates() throws(JSONFailure) {
        let first = open + 1
        var seen: UInt64 = 0
        var index = first
        var number = 0
        while index < tape.count {
            let key = tape.tokens[index]
            let bit: UInt64 = 1 << UInt64(key.hash & 63)
            if seen & bit != 0 {
                // Beyond a few dozen keys comparing each with each would cost too much.
                guard number < 48 else { return try refuseDuplicatesBySorting() }
                var earlier = first
                while earlier < index {
                    let other = tape.tokens[earlier]
                    if other.hash == key.hash, tape.equal(other, key) {
                        throw duplicate(key, at: index)
                    }
                    earlier = Int(tape.tokens[earlier + 1].end)
                }
            }
            seen |= bit
            number += 1
            index = Int(tape.tokens[index + 1].end)
        }
    }

    /// The same in n log n steps whatever the keys are, since hashes this small can be made to
    /// meet.
    private func refuseDuplicatesBySorting() throws(JSONFailure) {
        var keys: [(text: [UInt8], index: Int)] = []
        var index = open + 1
        while index < tape.count {
            keys.append((tape.withText(tape.tokens[index]) { [UInt8]($0) }, index))
            index = Int(tape.tokens[index + 1].end)
        }
        keys.sort { one, other in
            one.text.count != other.text.count
                ? one.text.count < other.text.count
                : one.text.lexicographicallyPrecedes(other.text)
        }
        for (one, other) in zip(keys, keys.dropFirst()) where one.text == other.text {
            let index = max(one.index, other.index)
            throw duplicate(tape.tokens[index], at: index)
        }
    }

    private func duplicate(_ key: Token, at index: Int) -> JSONFailure {
        JSONFailure(
            .duplicateKey, path: JSONFailure.path(tape.path(to: index)), offset: Int(key.offset),
            reason: "the key stands twice in the object")
    }
}

/// The bytes of a word that end a plain run of a string: quotes, backslashes, control characters
/// and bytes that are not ASCII. The lowest byte marked is the first of them; those above it may be
/// marked for no reason.
@inline(__always)
func specialBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    return
        (((word &- ones &* 0x20) & ~word)
        | ((quote &- ones) & ~quote)
        | ((backslash &- ones) & ~backslash)
        | word) & high
}

@inline(__always)
func hexDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
}

/// Writes the text of a string that the scanner has checked and returns its length, which is never
/// above that of the source.
func unescape(
    _ source: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
) -> Int {
    var length = 0
    var place = 0
    func put(_ byte: UInt32) {
        target[length] = UInt8(truncatingIfNeeded: byte)
        length += 1
    }
    func unit(at place: Int) -> UInt32 {
        (place + 2..<place + 6).reduce(0) { $0 << 4 | UInt32(hexDigit(source[$1]) ?? 0) }
    }
    while place < source.count {
        guard source[place] == UInt8(ascii: "\\") else {
            put(UInt32(source[place]))
            place += 1
            continue
        }
        let letter = source[place + 1]
        guard letter == UInt8(ascii: "u") else {
            switch letter {
            case UInt8(ascii: "b"): put(0x08)
            case UInt8(ascii: "f"): put(0x0C)
            case UInt8(ascii: "n"): put(0x0A)
            case UInt8(ascii: "r"): put(0x0D)
            case UInt8(ascii: "t"): put(0x09)
            default: put(UInt32(letter))
            }
            place += 2
            continue
        }
        var scalar = unit(at: place)
        place += 6
        if scalar & 0xFC00 == 0xD800 {
            scalar = 0x10000 + (scalar & 0x3FF) << 10 + (unit(at: place) & 0x3FF)
            place += 6
        }
        switch scalar {
        case 0..<0x80: put(scalar)
        case 0x80..<0x800:
            put(0xC0 | scalar >> 6)
            put(0x80 | scalar & 0x3F)
        case 0x800..<0x10000:
            put(0xE0 | scalar >> 12)
            put(0x80 | scalar >> 6 & 0x3F)
            put(0x80 | scalar & 0x3F)
        default:
            put(0xF0 | scalar >> 18)
            put(0x80 | scalar >> 12 & 0x3F)
            put(0x80 | scalar >> 6 & 0x3F)
            put(0x80 | scalar & 0x3F)
        }
    }
    return length
}
