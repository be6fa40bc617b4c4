// Turns bytes into messages: a state machine without I/O, strict by RFC 6455. A message that arrives whole is handed on
// where it lies; only what is split is copied.

/// What arrived. Payloads are valid during the call only.
package enum WebSocketEvent {
    case text(UnsafeRawBufferPointer)
    case binary(UnsafeRawBufferPointer)
    case ping(UnsafeRawBufferPointer)
    case pong
    /// `nil` when the frame had no code.
    case close(CloseCode?)
}

/// Decodes the frames of one connection.
package struct FrameDecoder: Sendable {
    private let role: WebSocketRole
    private let maximumMessage: Int
    private var header: [UInt8] = []
    private var frame: Frame?
    /// The type of the message whose fragments are arriving.
    private var messageOpcode: Opcode?
    private var message: [UInt8] = []
    private var control: [UInt8] = []
    private var validator = TextValidator()
    private var isClosed = false

    private struct Frame {
        var opcode: Opcode
        var isFinal: Bool
        var mask: UInt32
        var length: Int
        var received = 0
    }

    /// - Parameter maximumMessage: bytes of a message; a longer one is refused with 1009.
    package init(role: WebSocketRole, maximumMessage: Int) {
        self.role = role
        self.maximumMessage = maximumMessage
    }

    /// Decodes bytes, changing them in place, and delivers what is complete.
    /// - Throws: `WebSocketFault`; nothing may be decoded after it, nor after a close event.
    package mutating func decode(
        _ bytes: UnsafeMutableRawBufferPointer, _ deliver: (WebSocketEvent) -> Void
    ) throws(WebSocketFault) {
        var position = 0
        while !isClosed {
            if frame == nil {
                guard try readHeader(bytes, &position) else { return }
            }
            guard var current = frame else { return }
            let count = min(current.length - current.received, bytes.count - position)
            let piece = UnsafeMutableRawBufferPointer(
                rebasing: bytes[position..<position + count])
            if role == .server { unmask(piece, current.mask, current.received) }
            position += count
            current.received += count
            let isWhole = current.received == current.length
            frame = isWhole ? nil : current
            if current.opcode.isControl {
                try takeControl(current, piece, isWhole, deliver)
            } else {
                try takeData(current, piece, isWhole, deliver)
            }
            if !isWhole { return }
        }
    }

    // MARK: Header

    private mutating func readHeader(
        _ bytes: UnsafeMutableRawBufferPointer, _ position: inout Int
    ) throws(WebSocketFault) -> Bool {
        if header.isEmpty {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
            if let size = Self.headerSize(rest), rest.count >= size {
                try parse(rest, size)
                position += size
                return true
            }
        }
        while position < bytes.count {
            header.append(bytes[position])
            position += 1
            if header.count == 2 { try checkStart(header[0], header[1]) }
            let size = header.withUnsafeBytes { Self.headerSize($0) }
            if let size, header.count == size {
                let complete = header
                header = []
                let result = complete.withUnsafeBytes { bytes in
                    Result { () throws(WebSocketFault) in try parse(bytes, size) }
                }
                try result.get()
                return true
            }
        }
        return false
    }

    private static func headerSize(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= 2 else { return nil }
        let extended =
            switch bytes[1] & 0x7F {
            case 126: 2
            case 127: 8
            default: 0
            }
        return 2 + extended + (bytes[1] & 0x80 == 0 ? 0 : 4)
    }

    /// What can be refused from the first two bytes.
    private func checkStart(_ first: UInt8, _ second: UInt8) throws(WebSocketFault) {
        guard first & 0x70 == 0 else {
            throw WebSocketFault(.protocolError, "reserved bits are set")
        }
        guard let opcode = Opcode(rawValue: first & 0x0F) else {
            throw WebSocketFault(.protocolError, "unknown opcode")
        }
        let isFinal = first & 0x80 != 0
        guard (second & 0x80 != 0) == (role == .server) else {
            throw WebSocketFault(.protocolError, "wrong masking")
        }
        if opcode.isControl {
            guard isFinal, second & 0x7F <= 125 else {
                throw WebSocketFault(.protocolError, "control frame fragmented or too long")
            }
        } else if (opcode == .continuation) == (messageOpcode == nil) {
            throw WebSocketFault(.protocolError, "fragments out of order")
        }
    }

    private mutating func parse(
        _ bytes: UnsafeRawBufferPointer, _ size: Int
    ) throws(WebSocketFault) {
        try checkStart(bytes[0], bytes[1])
        guard let opcode = Opcode(rawValue: bytes[0] & 0x0F) else { return }
        var length = UInt64(bytes[1] & 0x7F)
        if length == 126 {
            length = UInt64(bytes[2]) << 8 | UInt64(bytes[3])
            guard length > 125 else { throw WebSocketFault(.protocolError, "length not minimal") }
        } else if length == 127 {
            length = UInt64(
                bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard length > 0xFFFF, length < 1 << 63 else {
                throw WebSocketFault(.protocolError, "length not minimal or negative")
            }
        }
        if !opcode.isControl && length > UInt64(maximumMessage - message.count) {
            throw WebSocketFault(.messageTooBig, "more than \(maximumMessage) bytes")
        }
        var mask: UInt32 = 0
        if bytes[1] & 0x80 != 0 {
            mask = UInt32(
                littleEndian: bytes.loadUnaligned(fromByteOffset: size - 4, as: UInt32.self))
        }
        frame = Frame(
            opcode: opcode, isFinal: bytes[0] & 0x80 != 0, mask: mask, length: Int(length))
        if opcode == .text || opcode == .binary { messageOpcode = opcode }
    }

    // MARK: Payload

    private mutating func takeData(
        _ frame: Frame, _ piece: UnsafeMutableRawBufferPointer, _ isWhole: Bool,
        _ deliver: (WebSocketEvent) -> Void
    ) throws(WebSocketFault) {
        let bytes = UnsafeRawBufferPointer(piece)
        let isLast = isWhole && frame.isFinal
        if messageOpcode == .text {
            guard validator.accept(bytes), !isLast || validator.isComplete else {
                throw WebSocketFault(.invalidText, "text is not UTF-8")
            }
        }
        guard isLast else {
            message.append(contentsOf: bytes)
            return
        }
        let isText = messageOpcode == .text
        messageOpcode = nil
        if message.isEmpty {
            deliver(isText ? .text(bytes) : .binary(bytes))
            return
        }
        message.append(contentsOf: bytes)
        let whole = message
        message = []
        whole.withUnsafeBytes { deliver(isText ? .text($0) : .binary($0)) }
    }

    private mutating func takeControl(
        _ frame: Frame, _ piece: UnsafeMutableRawBufferPointer, _ isWhole: Bool,
        _ deliver: (WebSocketEvent) -> Void
    ) throws(WebSocketFault) {
        control.append(contentsOf: piece)
        guard isWhole else { return }
        let payload = control
        control = []
        switch frame.opcode {
        case .ping: payload.withUnsafeBytes { deliver(.ping($0)) }
        case .pong: deliver(.pong)
        default:
            isClosed = true
            deliver(.close(try Self.closeCode(payload)))
        }
    }

    private static func closeCode(_ payload: [UInt8]) throws(WebSocketFault) -> CloseCode? {
        if payload.isEmpty { return nil }
        guard payload.count >= 2 else {
            throw WebSocketFault(.protocolError, "close frame of one byte")
        }
        let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isSendable else { throw WebSocketFault(.protocolError, "bad close code") }
        var validator = TextValidator()
        let isText = payload.withUnsafeBytes { bytes in
            validator.accept(UnsafeRawBufferPointer(rebasing: bytes[2...]))
        }
        guard isText, validator.isComplete else {
            throw WebSocketFault(.invalidText, "close reason is not UTF-8")
        }
        return code
    }
}
