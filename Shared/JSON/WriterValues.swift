// From values to text: strings, numbers and the types that are written in a way of their own.

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The two digits of a number below 100, the first in the lower byte in memory.
@inline(__always)
private func digitPair(_ pair: UInt64) -> UInt16 {
    let tens = (pair * 103) >> 10
    return UInt16(littleEndian: UInt16(truncatingIfNeeded: 0x3030 | tens | (pair - tens * 10) << 8))
}

extension Writer {
    // MARK: Scalars

    @inline(__always)
    func null() { raw("null") }

    @inline(__always)
    func bool(_ value: Bool) {
        if value { raw("true") } else { raw("false") }
    }

    @inline(__always)
    func string(_ value: String) {
        if value.utf8.withContiguousStorageIfAvailable(quoted) != nil { return }
        var copy = value
        copy.withUTF8(quoted)
    }

    /// Writes text as a string: quotes, backslashes and control characters are escaped.
    func quoted(_ text: UnsafeBufferPointer<UInt8>) {
        let length = text.count
        reserve(length + 2)
        base[count] = UInt8(ascii: "\"")
        var target = base + count + 1
        var place = 0
        if let source = text.baseAddress {
            while place + 8 <= length {
                let word = UnsafeRawPointer(source + place).loadUnaligned(as: UInt64.self)
                // Bytes that are not ASCII are marked too; here they are as plain as any.
                if escapedBytes(word) != 0 { break }
                UnsafeMutableRawPointer(target).storeBytes(of: word, as: UInt64.self)
                target += 8
                place += 8
            }
            while place < length, !needsEscape(source[place]) {
                target.pointee = source[place]
                target += 1
                place += 1
            }
        }
        advance(to: target - base)
        if place < length { escaped(UnsafeBufferPointer(rebasing: text[place...])) }
        byte(UInt8(ascii: "\""))
    }

    private func escaped(_ text: UnsafeBufferPointer<UInt8>) {
        for character in text {
            guard needsEscape(character) else {
                byte(character)
                continue
            }
            byte(UInt8(ascii: "\\"))
            switch character {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte(character)
            case 0x08: byte(UInt8(ascii: "b"))
            case 0x09: byte(UInt8(ascii: "t"))
            case 0x0A: byte(UInt8(ascii: "n"))
            case 0x0C: byte(UInt8(ascii: "f"))
            case 0x0D: byte(UInt8(ascii: "r"))
            default:
                raw("u00")
                byte(hexadecimal(character >> 4))
                byte(hexadecimal(character & 15))
            }
        }
    }

    @inline(__always)
    private func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }

    /// Writes an integer of up to 64 bits.
    @inline(__always)
    func integer<T: FixedWidthInteger>(_ value: T) {
        digits(UInt64(truncatingIfNeeded: value.magnitude), isNegative: value < 0)
    }

    func digits(_ magnitude: UInt64, isNegative: Bool) {
        reserve(20)
        if isNegative { byte(UInt8(ascii: "-")) }
        if magnitude < 10 {
            byte(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude))
            return
        }
        // Backwards into room of its own: the number of digits is known only at the end.
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 2) { room in
            var rest = magnitude
            var place = 20
            while rest >= 100 {
                place -= 2
                let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
                room.storeBytes(of: digitPair(pair), toByteOffset: place, as: UInt16.self)
                rest = quotient
            }
            if rest >= 10 {
                place -= 2
                room.storeBytes(of: digitPair(rest), toByteOffset: place, as: UInt16.self)
            } else {
                place -= 1
                room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)
            }
            raw(UnsafeBufferPointer(rebasing: room.bindMemory(to: UInt8.self)[place...]))
        }
    }

    func wide<T: FixedWidthInteger>(_ value: T) {
        if let small = Int64(exactly: value) { integer(small) } else { raw(value.description) }
    }

    /// Writes the fewest digits that read back as the same number; whole numbers without fraction.
    func double(_ value: Double) throws {
        guard value.isFinite else { throw notFinite() }
        if abs(value) < 9_007_199_254_740_992, value == value.rounded(.towardZero),
            value != 0 || value.sign == .plus
        {
            integer(Int64(value))
        } else if !fraction(value) {
            number(value.description)
        }
    }

    /// Writes a number of up to seven decimals and 15 digits in all, such as a coordinate; `false`
    /// if it is another. Decimals of 15 digits are so far apart that no two read as the same
    /// `Double`, so the one that reads as this one is the shortest.
    private func fraction(_ value: Double) -> Bool {
        let scale = 10_000_000
        let scaled = (value * Double(scale)).rounded()
        guard abs(scaled) < 1e15, scaled / Double(scale) == value else { return false }
        let (whole, decimals) = Int64(scaled).magnitude.quotientAndRemainder(
            dividingBy: UInt64(scale))
        guard decimals > 0 else { return false }
        digits(whole, isNegative: value < 0)
        reserve(8)
        base[count] = UInt8(ascii: ".")
        var rest = decimals
        var end = count + 8
        for place in stride(from: count + 7, to: count, by: -1) {
            let digit = UInt8(truncatingIfNeeded: rest % 10)
            base[place] = UInt8(ascii: "0") + digit
            if digit == 0, place + 1 == end { end = place }
            rest /= 10
        }
        advance(to: end)
        return true
    }

    func float(_ value: Float) throws {
        guard value.isFinite else { throw notFinite() }
        number(value.description)
    }

    private func number(_ text: String) {
        raw(text)
        if base[count - 1] == UInt8(ascii: "0"), base[count - 2] == UInt8(ascii: ".") {
            advance(to: count - 2)
        }
    }

    private func notFinite() -> JSONFailure {
        failure(.numberOutOfRange, "a number that is not finite cannot be written")
    }

    private func failure(_ kind: JSONFailure.Kind, _ reason: String) -> JSONFailure {
        JSONFailure(kind, path: JSONFailure.path(path(height: height)), reason: reason)
    }

    // MARK: Other types

    func encodeRoot<T: Encodable>(_ value: T) throws {
        try encode(value)
        try throwFailure()
    }

    /// Writes a value of any type: those known here directly, others by their own `encode(to:)`.
    func encode<T: Encodable>(_ value: T) throws {
        if T.self == String.self { return string(same(value)) }
        if T.self == Date.self { return try date(same(value)) }
        if T.self == Decimal.self { return try decimal(same(value)) }
        if T.self == URL.self { return string((same(value) as URL).absoluteString) }
        if T.self == Data.self { return string((same(value) as Data).base64EncodedString()) }
        if T.self == [String].self { return list(same(value) as [String], string) }
        if T.self == [Int].self { return list(same(value) as [Int]) { integer($0) } }
        if T.self == JSONValue.self { return try json(same(value)) }
        let height = height
        let start = count
        try value.encode(to: WriterEncoder(writer: self, height: height, start: start))
        close(to: height)
        if count == start { raw("{}") }
    }

    /// Gives a value the type it has been found to be of.
    @inline(__always)
    private func same<A, B>(_ value: A) -> B {
        unsafeBitCast(value, to: B.self)
    }

    private func list<Element>(_ elements: [Element], _ write: (Element) -> Void) {
        byte(UInt8(ascii: "["))
        for element in elements {
            separate()
            write(element)
        }
        byte(UInt8(ascii: "]"))
    }

    private func date(_ date: Date) throws {
        guard let text = utcText(secondsSince2001: date.timeIntervalSinceReferenceDate) else {
            throw failure(.numberOutOfRange, "a date outside the years 0000 to 9999")
        }
        string(text)
    }

    private func decimal(_ value: Decimal) throws {
        guard value.isFinite else { throw notFinite() }
        raw(value.description)
    }

    /// Writes a dynamic value.
    func json(_ value: JSONValue) throws {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let number): raw(number.text)
        case .string(let text): string(text)
        case .array(let elements):
            open(.array)
            try throwFailure()
            for element in elements {
                separate()
                try json(element)
            }
            close(to: height - 1)
        case .object(let members):
            open(.object)
            try throwFailure()
            let isRoot = height == 1
            for (key, value) in members where !(isRoot && omits(key)) {
                separate()
                string(key)
                byte(UInt8(ascii: ":"))
                try json(value)
            }
            close(to: height - 1)
        }
    }
}

/// The bytes of a word that a string cannot hold as they are; exact as to whether there are any.
@inline(__always)
private func escapedBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    return
        (((word &- ones &* 0x20) & ~word)
        | ((quote &- ones) & ~quote)
        | ((backslash &- ones) & ~backslash)) & 0x8080_8080_8080_8080
}
