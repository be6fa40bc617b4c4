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
                position = endOfASCII(bytes, from: position)
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

/// The position of the first byte beyond ASCII.
@inline(__always)
private func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    let high: UInt64 = 0x8080_8080_8080_8080
    var position = start
    // A character of another script is most often followed by its like.
    if bytes[position] >= 0x80 { return position }
    while position + 32 <= bytes.count {
        let first = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        let second = bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)
        let third = bytes.loadUnaligned(fromByteOffset: position + 16, as: UInt64.self)
        let fourth = bytes.loadUnaligned(fromByteOffset: position + 24, as: UInt64.self)
        if (first | second | third | fourth) & high != 0 { break }
        position += 32
    }
    while position + 8 <= bytes.count,
        bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) & high == 0
    {
        position += 8
    }
    while position < bytes.count && bytes[position] < 0x80 { position += 1 }
    return position
}
