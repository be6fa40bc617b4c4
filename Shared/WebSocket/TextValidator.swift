// UTF-8 checked as it arrives, across fragments, so that a bad text is refused at its first bad byte.

/// The state between two pieces of a text, RFC 3629.
struct TextValidator: Sendable {
    private var needed = 0
    private var lower: UInt8 = 0x80
    private var upper: UInt8 = 0xBF

    /// Whether no character is left unfinished.
    var isComplete: Bool { needed == 0 }

    /// Whether the bytes go on validly.
    mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while position < bytes.count {
            if needed == 0 {
                while position + 8 <= bytes.count {
                    let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                    if word & 0x8080_8080_8080_8080 != 0 { break }
                    position += 8
                }
                if position == bytes.count { return true }
            }
            guard accept(bytes[position]) else { return false }
            position += 1
        }
        return true
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        if needed > 0 {
            guard byte >= lower && byte <= upper else { return false }
            needed -= 1
            lower = 0x80
            upper = 0xBF
            return true
        }
        switch byte {
        case 0...0x7F: break
        case 0xC2...0xDF: needed = 1
        case 0xE0...0xEF:
            needed = 2
            if byte == 0xE0 { lower = 0xA0 }
            if byte == 0xED { upper = 0x9F }
        case 0xF0...0xF4:
            needed = 3
            if byte == 0xF0 { lower = 0x90 }
            if byte == 0xF4 { upper = 0x8F }
        default: return false
        }
        return true
    }
}
