// UTF-8 checked as it arrives, across fragments, so that a bad text is refused at its first bad
// byte.

/// Where a text stands between two pieces of it, RFC 3629.
package struct TextValidator: Sendable {
    /// Bytes missing from the last character.
    private var missing = 0
    /// What its next byte must lie between: narrower after the first bytes that could begin an
    /// overlong form, a surrogate, or something beyond U+10FFFF.
    private var lower: UInt8 = 0x80
    private var upper: UInt8 = 0xBF

    package init() {}

    /// Whether no character is left unfinished.
    package var isComplete: Bool { missing == 0 }

    /// Takes the next piece.
    /// - Returns: whether the text can still become valid. Nothing may follow after `false`.
    package mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while position < bytes.count {
            if missing == 0 {
                position = endOfCommon(bytes, from: position)
                if position == bytes.count { return true }
                guard begin(bytes[position]) else { return false }
            } else {
                let byte = bytes[position]
                guard byte >= lower && byte <= upper else { return false }
                lower = 0x80
                upper = 0xBF
                missing -= 1
            }
            position += 1
        }
        return true
    }

    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF:
            missing = 2
            if byte == 0xE0 { lower = 0xA0 }
            if byte == 0xED { upper = 0x9F }
        case 0xF0...0xF4:
            missing = 3
            if byte == 0xF0 { lower = 0x90 }
            if byte == 0xF4 { upper = 0x8F }
        default: return false
        }
        return true
    }
}

/// Skips what most texts are made of, valid characters of one and of three bytes (Hangul among them).
/// - Returns: where something else begins, or too few bytes are left to tell.
@inline(__always)
private func endOfCommon(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var position = start
    while position + 8 <= bytes.count {
        let word = UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        let high = word & 0x8080_8080_8080_8080
        if high == 0 {
            position += 8
            continue
        }
        position += high.trailingZeroBitCount >> 3
        let begin = position
        while position + 4 <= bytes.count,
            isThreeBytes(
                UInt32(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
        {
            position += 3
        }
        if position == begin { return position }
    }
    while position < bytes.count && bytes[position] < 0x80 { position += 1 }
    return position
}

/// Whether the three lower bytes, the first of them lowest, are one character: neither a shorter one
/// made longer (E0 80…9F) nor a surrogate (ED A0…BF).
@inline(__always)
private func isThreeBytes(_ word: UInt32) -> Bool {
    if word & 0x00C0_C0F0 != 0x0080_80E0 { return false }
    let start = word & 0x200F
    return start != 0x0000 && start != 0x200D
}
