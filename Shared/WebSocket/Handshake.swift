// The opening handshake, RFC 6455, section 4.
package import EventLoop
package import HTTP
package import HTTPServer

/// Why a handshake is refused.
package struct HandshakeRefusal: Error, Sendable {
    package let status: Int
    package let detail: String
    package let fields: [HTTPResponse.Field]
}

package enum Handshake {
    private static let guid = Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)

    /// The response that turns a request into a socket handled by what `makeHandler` returns. Extensions are declined.
    /// - Throws: `HandshakeRefusal` with 426 when no or another version is asked for, 400 for a bad key.
    package static func accept(
        _ request: HTTPRequest, protocol name: String? = nil,
        _ makeHandler: @escaping @Sendable (TCPStream) -> StreamHandler
    ) throws(HandshakeRefusal) -> HTTPResponse {
        let upgrade = [
            HTTPResponse.Field("Upgrade", "websocket"),
            HTTPResponse.Field("Connection", "Upgrade"),
            HTTPResponse.Field("Sec-WebSocket-Version", "13"),
        ]
        guard request.hasToken("websocket", in: "upgrade"),
            request.hasToken("upgrade", in: "connection"), request.minorVersion == 1,
            request.method == .get
        else {
            throw HandshakeRefusal(
                status: 426, detail: "This path speaks WebSocket.", fields: upgrade)
        }
        guard request.field("sec-websocket-version")?.equals("13") == true else {
            throw HandshakeRefusal(
                status: 426, detail: "Only WebSocket version 13 is spoken.", fields: upgrade)
        }
        guard let key = request.field("sec-websocket-key"), isKey(key) else {
            throw HandshakeRefusal(
                status: 400, detail: "Sec-WebSocket-Key must be 16 bytes in base64.", fields: [])
        }
        var fields = [
            HTTPResponse.Field("Upgrade", "websocket"),
            HTTPResponse.Field("Connection", "Upgrade"),
            HTTPResponse.Field("Sec-WebSocket-Accept", acceptance(Array(key))),
        ]
        if let name { fields.append(HTTPResponse.Field("Sec-WebSocket-Protocol", name)) }
        return HTTPResponse(101, fields: fields, body: .upgrade(makeHandler))
    }

    /// The value that answers a key.
    package static func acceptance(_ key: [UInt8]) -> String { base64(sha1(key + guid)) }

    private static func isKey(_ key: UnsafeRawBufferPointer) -> Bool {
        guard key.count == 24, key[22] == 0x3D, key[23] == 0x3D else { return false }
        return key[..<22].allSatisfy { byte in
            switch byte {
            case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2B, 0x2F: true
            default: false
            }
        }
    }
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

/// SHA-1 (FIPS 180-4), which the handshake prescribes as a checksum and nothing else here uses.
func sha1(_ input: [UInt8]) -> [UInt8] {
    var message = input + [0x80]
    while message.count % 64 != 56 { message.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
        message.append(UInt8(truncatingIfNeeded: (UInt64(input.count) * 8) >> UInt64(shift)))
    }
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word << count | word >> (32 - count)
    }
    for block in stride(from: 0, to: message.count, by: 64) {
        var words = (0..<16).map { index in
            message[(block + index * 4)..<(block + index * 4 + 4)].reduce(UInt32(0)) {
                $0 << 8 | UInt32($1)
            }
        }
        for index in 16..<80 {
            words.append(
                rotated(
                    words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let (mix, constant): (UInt32, UInt32) =
                switch index {
                case 0..<20: (b & c | ~b & d, 0x5A82_7999)
                case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = rotated(a, 5) &+ mix &+ e &+ constant &+ words[index]
            (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }
    return state.flatMap { word in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
}
