// The scanner's strings: where they end, whether they are UTF-8, and whether a key came twice.

extension Scanner {
    /// Scans a string from its opening quote past its closing one.
    @inline(__always)
    mutating func scanString() throws(JSONFailure) -> Token {
        let start = position + 1
        var place = skipPlain(from: start)
        var kind = Token.Kind.string
        if base[place] != UInt8(ascii: "\"") { place = try scanRest(from: place, &kind) }
        position = place + 1
        return Token(
            offset: UInt32(truncatingIfNeeded: start),
            length: UInt32(truncatingIfNeeded: place - start),
            end: UInt32(truncatingIfNeeded: count + 1), kind: kind, hash: 0)
    }

    /// Scans a string from its first byte that is not plain, and returns the place of the closing
    /// quote.
    @inline(never)
    private func scanRest(from start: Int, _ kind: inout Token.Kind) throws(JSONFailure) -> Int {
        var place = start
        while true {
            let byte = base[place]
            if byte >= 0x80 {
                let length = sequenceLength(at: place)
                guard length > 0 else { throw syntax("the text is not UTF-8", at: place) }
                place += length
            } else if byte == UInt8(ascii: "\"") {
                return place
            } else if byte == UInt8(ascii: "\\") {
                kind = .escaped
                place = try skipEscape(at: place)
            } else if byte >= 0x20 {
                place = skipPlain(from: place + 1)
            } else {
                throw place < tape.length
                    ? syntax("a control character must be escaped", at: place)
                    : syntax("the string is not closed", at: place)
            }
        }
    }

    /// The first place that needs a look: a quote, a backslash, a control character or a byte that
    /// is not ASCII.
    @inline(__always)
    func skipPlain(from start: Int) -> Int {
        var place = start
        while true {
            let word = UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self)
            let special = specialBytes(UInt64(littleEndian: word))
            if special != 0 { return place + special.trailingZeroBitCount / 8 }
            place += 8
        }
    }

    /// Checks an escape and returns the place after it; of a surrogate pair, after both.
    func skipEscape(at start: Int) throws(JSONFailure) -> Int {
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
        guard base[place] == UInt8(ascii: "\\"), base[place + 1] == UInt8(ascii: "u") else {
            return nil
        }
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
        guard second.contains(base[place + 1]) else { return 0 }
        for index in 2..<max(length, 2) where base[place + index] & 0xC0 != 0x80 { return 0 }
        return length
    }

    // MARK: Keys

    /// A few bits of a key's text.
    @inline(__always)
    func hash(_ token: Token) -> UInt16 {
        guard token.kind == .string else {
            // The copy has the room behind it that `hash` reads.
            let text = tape.withText(token) { [UInt8]($0) + [UInt8](repeating: 0, count: 8) }
            return text.withUnsafeBufferPointer {
                $0.baseAddress.map { hash($0, text.count - 8) } ?? 0
            }
        }
        return hash(base + Int(token.offset), Int(token.length))
    }

    /// A few bits of a text, of which at least 8 bytes can be read.
    @inline(__always)
    private func hash(_ text: UnsafePointer<UInt8>, _ length: Int) -> UInt16 {
        let text = UnsafeRawPointer(text)
        var word = text.loadUnaligned(as: UInt64.self)
        if length >= 8 {
            let last = text.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self)
            word ^= last &* 0xC2B2_AE3D_27D4_EB4F
        } else {
            word = UInt64(littleEndian: word) & (1 << UInt64(truncatingIfNeeded: length &* 8) &- 1)
        }
        return UInt16(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 48)
    }

    /// Refuses the object that is about to be closed if it holds a key twice.
    @inline(__always)
    func refuseDuplicates() throws(JSONFailure) {
        let first = open + 1
        var seen: UInt64 = 0
        var index = first
        var number = 0
        while index < count {
            let bit: UInt64 = 1 << UInt64(tokens[index].hash & 63)
            if seen & bit != 0 {
                // Beyond a few dozen keys comparing each with each would cost too much.
                guard number < 48 else { return try refuseDuplicatesBySorting() }
                try refuseEarlier(index)
            }
            seen |= bit
            number += 1
            index = Int(tokens[index + 1].end)
        }
    }

    /// Refuses a key that stands earlier in the same object too.
    private func refuseEarlier(_ index: Int) throws(JSONFailure) {
        let key = tokens[index]
        var earlier = open + 1
        while earlier < index {
            let other = tokens[earlier]
            if other.hash == key.hash, tape.equal(other, key) { throw duplicate(key, at: index) }
            earlier = Int(tokens[earlier + 1].end)
        }
    }

    /// The same in n log n steps whatever the keys are, since hashes this small can be made to
    /// meet.
    private func refuseDuplicatesBySorting() throws(JSONFailure) {
        var keys: [(text: [UInt8], index: Int)] = []
        var index = open + 1
        while index < count {
            keys.append((tape.withText(tokens[index]) { [UInt8]($0) }, index))
            index = Int(tokens[index + 1].end)
        }
        keys.sort { one, other in
            one.text.count != other.text.count
                ? one.text.count < other.text.count
                : one.text.lexicographicallyPrecedes(other.text)
        }
        for (one, other) in zip(keys, keys.dropFirst()) where one.text == other.text {
            let index = max(one.index, other.index)
            throw duplicate(tokens[index], at: index)
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
