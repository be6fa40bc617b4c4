// The two encodings that the handshake prescribes. SHA-1 serves as a checksum there and nothing else
// uses it, which is not worth a dependency on a cryptographic library.

/// SHA-1, RFC 3174.
/// - Returns: 20 bytes.
package func sha1(_ input: [UInt8]) -> [UInt8] {
    var message = input + [0x80]
    while message.count % 64 != 56 { message.append(0) }
    withUnsafeBytes(of: (UInt64(input.count) * 8).bigEndian) { message.append(contentsOf: $0) }
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var words = [UInt32](repeating: 0, count: 80)
    for block in stride(from: 0, to: message.count, by: 64) {
        for index in 0..<16 {
            let start = block + index * 4
            words[index] = message[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            let mixed =
                words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words[index] = rotated(mixed, 1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let (mix, constant): (UInt32, UInt32) =
                switch index {
                case 0..<20: ((b & c) | (~b & d), 0x5A82_7999)
                case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case 40..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = rotated(a, 5) &+ mix &+ e &+ constant &+ words[index]
            (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }
    return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
}

private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
}

/// base64 with padding, RFC 4648, section 4.
package func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let count = min(3, bytes.count - start)
        var group: UInt32 = 0
        for offset in 0..<3 {
            group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0)
        }
        for position in 0..<4 {
            let digit = Int(group >> UInt32(18 - 6 * position) & 63)
            text.append(position <= count ? alphabet[digit] : 0x3D)
        }
    }
    return String(decoding: text, as: UTF8.self)
}
