// Frames made by hand, bit by bit, so that tests can break each rule; and what a decoder makes of them.
import WebSocket

/// A frame with every bit open to change.
struct RawFrame {
    var isFinal = true
    var reservedBits: UInt8 = 0
    var opcode: UInt8
    var mask: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D]
    var payload: [UInt8] = []
    var lengthForm = LengthForm.shortest

    enum LengthForm {
        case shortest
        case twoBytes
        case eightBytes
    }

    static func text(_ text: String) -> RawFrame { RawFrame(opcode: 1, payload: Array(text.utf8)) }

    static func close(_ code: UInt16, _ reason: String = "") -> RawFrame {
        RawFrame(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
    }

    func unmasked() -> RawFrame {
        var copy = self
        copy.mask = nil
        return copy
    }

    func fragment(_ opcode: UInt8? = nil, isFinal: Bool) -> RawFrame {
        var copy = self
        copy.opcode = opcode ?? self.opcode
        copy.isFinal = isFinal
        return copy
    }

    var bytes: [UInt8] {
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        var bytes = [(isFinal ? 0x80 : 0) | reservedBits << 4 | opcode]
        let form: LengthForm =
            if lengthForm != .shortest {
                lengthForm
            } else if payload.count > 0xFFFF {
                .eightBytes
            } else if payload.count > 125 {
                .twoBytes
            } else {
                .shortest
            }
        switch form {
        case .shortest: bytes.append(maskBit | UInt8(payload.count))
        case .twoBytes:
            bytes += [maskBit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        case .eightBytes:
            bytes.append(maskBit | 127)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        guard let mask else { return bytes + payload }
        if mask == [0, 0, 0, 0] { return bytes + mask + payload }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }
}

/// An event with a payload of its own.
enum DecodedEvent: Equatable {
    case text(String)
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    case close(UInt16?, String)
    case fault(CloseCode)

    init(_ event: WebSocketEvent) {
        switch event {
        case .text(let bytes): self = .text(String(decoding: bytes, as: UTF8.self))
        case .binary(let bytes): self = .binary(Array(bytes))
        case .ping(let bytes): self = .ping(Array(bytes))
        case .pong(let bytes): self = .pong(Array(bytes))
        case .close(let code, let reason): self = .close(code?.rawValue, reason)
        }
    }
}

/// Feeds pieces one after the other; a fault is the last event.
func decode(
    _ pieces: [[UInt8]], role: WebSocketRole = .server, maximumMessage: Int = 1_048_576
) -> [DecodedEvent] {
    var decoder = FrameDecoder(role: role, maximumMessage: maximumMessage)
    var events: [DecodedEvent] = []
    for piece in pieces {
        var piece = piece
        let fault = piece.withUnsafeMutableBytes { bytes -> WebSocketFault? in
            do throws(WebSocketFault) {
                try decoder.decode(bytes) { events.append(DecodedEvent($0)) }
                return nil
            } catch {
                return error
            }
        }
        if let fault { events.append(.fault(fault.code)) }
    }
    return events
}

func decode(_ frames: RawFrame..., role: WebSocketRole = .server, maximumMessage: Int = 1_048_576)
    -> [DecodedEvent]
{
    decode([frames.flatMap(\.bytes)], role: role, maximumMessage: maximumMessage)
}

/// A small generator whose results a seed fixes (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
