// Frames as RFC 6455, section 5 defines them, and the faults that end a connection.

/// The opcodes in use.
enum Opcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
}

/// A status code of a close frame, RFC 6455, section 7.4.
package struct CloseCode: RawRepresentable, Sendable, Equatable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let normal = CloseCode(rawValue: 1000)
    /// The server stops, or the page is left.
    package static let goingAway = CloseCode(rawValue: 1001)
    package static let protocolError = CloseCode(rawValue: 1002)
    package static let invalidText = CloseCode(rawValue: 1007)
    package static let messageTooBig = CloseCode(rawValue: 1009)
    /// The reader was too slow; connect again and catch up by cursor.
    package static let tryAgainLater = CloseCode(rawValue: 1013)
    /// Never sent: the connection broke without a close frame.
    package static let abnormal = CloseCode(rawValue: 1006)

    /// Whether a peer may send the code.
    var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// Why a connection must be closed.
package struct WebSocketFault: Error, Equatable, Sendable {
    package let code: CloseCode
    package let reason: String

    init(_ code: CloseCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// Which end of the connection decodes: clients mask what they send, servers don't.
package enum WebSocketRole: Sendable {
    case server
    case client
}

/// A frame ready to be written, to one socket or to thousands.
package enum FrameEncoder {
    package static func text(_ text: String) -> [UInt8] { encode(.text, Array(text.utf8)) }
    package static func text(_ bytes: [UInt8]) -> [UInt8] { encode(.text, bytes) }
    package static func binary(_ bytes: [UInt8]) -> [UInt8] { encode(.binary, bytes) }

    static func close(_ code: CloseCode, _ reason: String, mask: UInt32? = nil) -> [UInt8] {
        var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 255)]
        // 125 bytes at most, and no character cut in the middle.
        for character in reason {
            let bytes = Array(String(character).utf8)
            if payload.count + bytes.count > 125 { break }
            payload.append(contentsOf: bytes)
        }
        return encode(.close, payload, mask: mask)
    }

    static func encode(_ opcode: Opcode, _ payload: [UInt8], mask: UInt32? = nil) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(payload.count + 14)
        append(opcode, payload, mask: mask, to: &frame)
        return frame
    }

    static func append(
        _ opcode: Opcode, _ payload: [UInt8], mask: UInt32? = nil, to frame: inout [UInt8]
    ) {
        payload.withUnsafeBytes { append(opcode, $0, mask: mask, to: &frame) }
    }

    static func append(
        _ opcode: Opcode, _ payload: UnsafeRawBufferPointer, mask: UInt32? = nil,
        to frame: inout [UInt8]
    ) {
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        frame.append(0x80 | opcode.rawValue)
        if payload.count < 126 {
            frame.append(maskBit | UInt8(payload.count))
        } else if payload.count <= 0xFFFF {
            frame.append(maskBit | 126)
            frame.append(UInt8(payload.count >> 8))
            frame.append(UInt8(payload.count & 255))
        } else {
            frame.append(maskBit | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                frame.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        guard let mask else {
            frame.append(contentsOf: payload)
            return
        }
        withUnsafeBytes(of: mask.littleEndian) { frame.append(contentsOf: $0) }
        let start = frame.count
        frame.append(contentsOf: payload)
        frame.withUnsafeMutableBytes { bytes in
            unmask(UnsafeMutableRawBufferPointer(rebasing: bytes[start...]), mask, 0)
        }
    }
}

/// Applies a mask whose first byte is the lowest of `mask`, beginning at position `offset` of the payload.
func unmask(_ bytes: UnsafeMutableRawBufferPointer, _ mask: UInt32, _ offset: Int) {
    let turn = UInt32(offset & 3) * 8
    let rotated = turn == 0 ? mask : (mask >> turn) | (mask << (32 - turn))
    let wide = UInt64(rotated) | UInt64(rotated) << 32
    var position = 0
    while position + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        bytes.storeBytes(of: word ^ wide, toByteOffset: position, as: UInt64.self)
        position += 8
    }
    while position < bytes.count {
        bytes[position] ^= UInt8(truncatingIfNeeded: rotated >> (UInt32(position & 3) * 8))
        position += 1
    }
}
