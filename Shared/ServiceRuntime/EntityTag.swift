// Entity tags, RFC 9110, section 8.8.3.

/// A strong tag of a body: equal bytes have equal tags. Not meant to resist somebody who makes collisions.
func entityTag(_ body: [UInt8]) -> String {
    // Two FNV-1a style lanes of 64 bits with different primes, so that a clash needs both.
    var first: UInt64 = 0xCBF2_9CE4_8422_2325
    var second: UInt64 = 0x9AE1_6A3B_2F90_404F
    for byte in body {
        first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        second = (second ^ UInt64(byte)) &* 0x9FB2_1C65_1E98_DF25
        second ^= second >> 29
    }
    return "\"" + String(first, radix: 36) + String(second, radix: 36) + "\""
}

/// Whether an `If-None-Match` value holds the tag, by the weak comparison the RFC prescribes for it.
func matches(_ field: String, _ tag: String) -> Bool {
    for part in field.split(separator: ",") {
        var candidate = part.drop { $0 == " " || $0 == "\t" }
        while candidate.last == " " || candidate.last == "\t" { candidate.removeLast() }
        if candidate == "*" { return true }
        if candidate.hasPrefix("W/") { candidate = candidate.dropFirst(2) }
        if candidate == tag { return true }
    }
    return false
}
