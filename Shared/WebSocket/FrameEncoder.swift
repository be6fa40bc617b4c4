// Frames as they are written, RFC 6455, section 5.2. Never fragmented: whoever writes has the whole
// message, and the reader's bound applies to messages and not to frames.

/// The opcodes in use.
package enum Opcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
}

/// A message of a server as it goes over the wire: made once, written to any number of sockets.
package struct SharedFrame: Sendable, Equatable {
    package let bytes: [UInt8]

    private init(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer) {
        var frame: [UInt8] = []
        FrameEncoder.append(opcode, payload, to: &frame)
        bytes = frame
    }

    package static func text(_ text: String) -> SharedFrame {
        var text = text
        return text.withUTF8 { SharedFrame(.text, UnsafeRawBufferPointer($0)) }
    }

    /// A text given as its UTF-8, which is not checked.
    package static func text(_ bytes: [UInt8]) -> SharedFrame {
        bytes.withUnsafeBytes { SharedFrame(.text, $0) }
    }

    package static func text(_ bytes: UnsafeRawBufferPointer) -> SharedFrame {
        SharedFrame(.text, bytes)
    }

    package static func binary(_ bytes: [UInt8]) -> SharedFrame {
        bytes.withUnsafeBytes { SharedFrame(.binary, $0) }
    }

    package static func binary(_ bytes: UnsafeRawBufferPointer) -> SharedFrame {
        SharedFrame(.binary, bytes)
    }
}

package enum FrameEncoder {
    /// Appends a final frame.
    /// - Parameter mask: what a client masks with; its lowest byte is the first of the four. Servers
    ///   pass `nil`.
    package static func append(
        _ opcode: Opcode, _ payload: UnsafeRawBufferPointer, mask: UInt32? = nil,
        to frame: inout [UInt8]
    ) {
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        let count = payload.count
        frame.append(0x80 | opcode.rawValue)
        if count < 126 {
            frame.append(maskBit | UInt8(count))
        } else if count <= 0xFFFF {
            frame.append(maskBit | 126)
            frame.append(UInt8(count >> 8))
            frame.append(UInt8(count & 255))
        } else {
            frame.append(maskBit | 127)
            withUnsafeBytes(of: UInt64(count).bigEndian) { frame.append(contentsOf: $0) }
        }
        guard let mask else {
            frame.append(contentsOf: payload)
            return
        }
        withUnsafeBytes(of: mask.littleEndian) { frame.append(contentsOf: $0) }
        let start = frame.count
        frame.append(contentsOf: payload)
        _ = frame.withUnsafeMutableBytes { bytes in
            applyMask(mask, at: 0, to: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
        }
    }

    /// The payload of a close frame: code and reason, the reason cut at a character so that both
    /// fit into 125 bytes. `nil` makes a close frame without code.
    package static func closePayload(_ code: CloseCode?, _ reason: String) -> [UInt8] {
        guard let code else { return [] }
        var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 255)]
        for scalar in reason.unicodeScalars {
            let bytes = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            if payload.count + bytes.count > 125 { break }
            payload.append(contentsOf: bytes)
        }
        return payload
    }
}

/// Masks or unmasks, RFC 6455, section 5.3.
/// - Parameters:
///   - mask: its lowest byte is the first of the four.
///   - offset: position of the first byte within the payload.
/// - Returns: whether all the bytes it made are ASCII, which spares a text its check.
@discardableResult
package func applyMask(
    _ mask: UInt32, at offset: Int, to bytes: UnsafeMutableRawBufferPointer
) -> Bool {
    let turn = UInt32(offset & 3) * 8
    let rotated = (mask >> turn) | (mask << ((32 - turn) & 31))
    let wide = (UInt64(rotated) | UInt64(rotated) << 32).littleEndian
    let count = bytes.count
    var seen: UInt64 = 0
    var position = 0
    while position + 32 <= count {
        for step in 0..<4 {
            let place = position + step * 8
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ wide
            bytes.storeBytes(of: word, toByteOffset: place, as: UInt64.self)
            seen |= word
        }
        position += 32
    }
    while position + 8 <= count {
        let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) ^ wide
        bytes.storeBytes(of: word, toByteOffset: position, as: UInt64.self)
        seen |= word
        position += 8
    }
    while position < count {
        bytes[position] ^= UInt8(truncatingIfNeeded: rotated >> (UInt32(position & 3) * 8))
        seen |= UInt64(bytes[position])
        position += 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
}
