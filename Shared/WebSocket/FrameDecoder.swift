// Turns bytes into messages: a state machine without I/O, strict by RFC 6455. A message that arrives
// whole is handed on where it lies; only what is split is copied, so an idle connection holds nothing.

/// Which end of the connection decodes: clients mask what they send, servers don't.
package enum WebSocketRole: Sendable {
    case server
    case client
}

/// What arrived. Payloads are valid during the call only.
package enum WebSocketEvent {
    /// A whole text, valid UTF-8.
    case text(UnsafeRawBufferPointer)
    case binary(UnsafeRawBufferPointer)
    /// To be answered with the same payload.
    case ping(UnsafeRawBufferPointer)
    case pong(UnsafeRawBufferPointer)
    /// The code is `nil` when the frame had none. Nothing follows.
    case close(CloseCode?, reason: String)
}

/// Decodes the frames of one connection.
package struct FrameDecoder: Sendable {
    private let role: WebSocketRole
    private let maximumMessage: Int
    /// The part of a header that has arrived when the rest has not; 14 bytes at most.
    private var header = SIMD16<UInt8>()
    private var headerCount = 0
    /// The frame whose payload is arriving.
    private var frame = Frame()
    private var isInPayload = false
    /// The type of the message whose fragments are arriving.
    private var messageOpcode: Opcode?
    /// What has arrived of a message or a control frame that is not whole.
    private var message: [UInt8] = []
    private var control: [UInt8] = []
    private var validator = TextValidator()
    private var hasEnded = false

    private struct Frame {
        var opcode = Opcode.text
        var isFinal = true
        var mask: UInt32 = 0
        var length = 0
        var received = 0
    }

    /// - Parameter maximumMessage: bytes of a message; a longer one is refused with 1009.
    package init(role: WebSocketRole, maximumMessage: Int) {
        self.role = role
        self.maximumMessage = maximumMessage
    }

    /// Whether part of a message or of a frame is waiting for the rest.
    package var isMidMessage: Bool { isInPayload || headerCount > 0 || messageOpcode != nil }

    /// Decodes bytes, changing them in place, and delivers what is complete, in order.
    /// What follows a close frame or a fault is ignored, as section 5.5.1 says.
    package mutating func decode(
        _ bytes: UnsafeMutableRawBufferPointer, _ deliver: (WebSocketEvent) -> Void
    ) throws(WebSocketFault) {
        do throws(WebSocketFault) {
            try decodeFrames(bytes, deliver)
        } catch {
            hasEnded = true
            message = []
            control = []
            throw error
        }
    }

    private mutating func decodeFrames(
        _ bytes: UnsafeMutableRawBufferPointer, _ deliver: (WebSocketEvent) -> Void
    ) throws(WebSocketFault) {
        var position = 0
        while !hasEnded {
            if !isInPayload {
                if takeWholeMessage(bytes, &position, deliver) { continue }
                guard try readHeader(bytes, &position) else { return }
                isInPayload = true
            }
            let count = min(frame.length - frame.received, bytes.count - position)
            let piece = UnsafeMutableRawBufferPointer(
                rebasing: bytes[position..<(position + count)])
            if role == .server { applyMask(frame.mask, at: frame.received, to: piece) }
            position += count
            frame.received += count
            isInPayload = frame.received < frame.length
            if frame.opcode.isControl {
                try takeControl(UnsafeRawBufferPointer(piece), deliver)
            } else {
                try takeData(UnsafeRawBufferPointer(piece), deliver)
            }
            if isInPayload { return }
        }
    }

    /// The common case, without a detour over state: a short message of one frame that is all there.
    /// - Returns: `false`, having changed nothing, for anything else.
    @inline(__always)
    private func takeWholeMessage(
        _ bytes: UnsafeMutableRawBufferPointer, _ position: inout Int,
        _ deliver: (WebSocketEvent) -> Void
    ) -> Bool {
        let rest = bytes.count - position
        guard rest >= 8, headerCount == 0, messageOpcode == nil else { return false }
        let first = bytes[position]
        let second = bytes[position + 1]
        let isText = first == 0x81
        guard isText || first == 0x82, second & 0x80 == (role == .server ? 0x80 : 0) else {
            return false
        }
        var length = Int(second & 0x7F)
        var start = role == .server ? 6 : 2
        if length == 126 {
            length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            start += 2
            if length < 126 { return false }
        } else if length == 127 {
            return false
        }
        guard length <= maximumMessage, rest >= start + length else { return false }
        let begin = position + start
        let payload = UnsafeMutableRawBufferPointer(rebasing: bytes[begin..<(begin + length)])
        var isASCII = false
        var mask: UInt32 = 0
        if role == .server {
            mask = UInt32(
                littleEndian: bytes.loadUnaligned(fromByteOffset: begin - 4, as: UInt32.self))
            isASCII = applyMask(mask, at: 0, to: payload)
        }
        let message = UnsafeRawBufferPointer(payload)
        if isText && !isASCII {
            var validator = TextValidator()
            guard validator.accept(message), validator.isComplete else {
                // As it came, for the code that knows what to say about it.
                applyMask(mask, at: 0, to: payload)
                return false
            }
        }
        position = begin + length
        deliver(isText ? .text(message) : .binary(message))
        return true
    }

    // MARK: Headers

    /// Reads a header that may be split anywhere.
    /// - Returns: whether it is complete and `frame` set.
    private mutating func readHeader(
        _ bytes: UnsafeMutableRawBufferPointer, _ position: inout Int
    ) throws(WebSocketFault) -> Bool {
        if headerCount == 0 && bytes.count - position >= 2 {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
            let size = Self.headerSize(rest[1])
            if rest.count >= size {
                try parse(rest, size)
                position += size
                return true
            }
        }
        while position < bytes.count {
            header[headerCount] = bytes[position]
            headerCount += 1
            position += 1
            // What two bytes can tell is not left waiting for the others.
            if headerCount == 2 { try check(header[0], header[1]) }
            if headerCount >= 2 && headerCount == Self.headerSize(header[1]) {
                let size = headerCount
                headerCount = 0
                let complete = header
                // A closure cannot throw a typed error through withUnsafeBytes and mutate as well.
                var fault: WebSocketFault?
                withUnsafeBytes(of: complete) { bytes in
                    do throws(WebSocketFault) {
                        try parse(bytes, size)
                    } catch {
                        fault = error
                    }
                }
                if let fault { throw fault }
                return true
            }
        }
        return false
    }

    /// Bytes of the header, of which the second is given.
    @inline(__always)
    private static func headerSize(_ second: UInt8) -> Int {
        let extended =
            switch second & 0x7F {
            case 126: 2
            case 127: 8
            default: 0
            }
        return 2 + extended + (second & 0x80 == 0 ? 0 : 4)
    }

    /// Refuses what the first two bytes show to be wrong.
    @discardableResult
    private func check(_ first: UInt8, _ second: UInt8) throws(WebSocketFault) -> Opcode {
        guard first & 0x70 == 0 else {
            throw WebSocketFault(.protocolError, "reserved bits are set")
        }
        guard let opcode = Opcode(rawValue: first & 0x0F) else {
            throw WebSocketFault(.protocolError, "unknown opcode")
        }
        guard (second & 0x80 != 0) == (role == .server) else {
            throw WebSocketFault(
                .protocolError, role == .server ? "frame is not masked" : "frame is masked")
        }
        if opcode.isControl {
            guard first & 0x80 != 0 else {
                throw WebSocketFault(.protocolError, "control frame is fragmented")
            }
            guard second & 0x7F <= 125 else {
                throw WebSocketFault(.protocolError, "control frame is longer than 125 bytes")
            }
        } else if opcode == .continuation && messageOpcode == nil {
            throw WebSocketFault(.protocolError, "continuation without a message")
        } else if opcode != .continuation && messageOpcode != nil {
            throw WebSocketFault(.protocolError, "message within a message")
        }
        return opcode
    }

    private mutating func parse(
        _ bytes: UnsafeRawBufferPointer, _ size: Int
    ) throws(WebSocketFault) {
        let opcode = try check(bytes[0], bytes[1])
        var length = UInt64(bytes[1] & 0x7F)
        if length == 126 {
            length = UInt64(bytes[2]) << 8 | UInt64(bytes[3])
            guard length > 125 else {
                throw WebSocketFault(.protocolError, "length is not in its shortest form")
            }
        } else if length == 127 {
            length = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard length >> 63 == 0 else {
                throw WebSocketFault(.protocolError, "length has more than 63 bits")
            }
            guard length > 0xFFFF else {
                throw WebSocketFault(.protocolError, "length is not in its shortest form")
            }
        }
        if !opcode.isControl {
            if length > UInt64(maximumMessage - message.count) {
                throw WebSocketFault(
                    .messageTooBig, "message is longer than \(maximumMessage) bytes")
            }
            if opcode != .continuation { messageOpcode = opcode }
        }
        frame.opcode = opcode
        frame.isFinal = bytes[0] & 0x80 != 0
        frame.length = Int(length)
        frame.received = 0
        if role == .server {
            frame.mask = UInt32(
                littleEndian: bytes.loadUnaligned(fromByteOffset: size - 4, as: UInt32.self))
        }
    }

    // MARK: Payloads

    private mutating func takeData(
        _ piece: UnsafeRawBufferPointer, _ deliver: (WebSocketEvent) -> Void
    ) throws(WebSocketFault) {
        let isText = messageOpcode == .text
        let isLast = !isInPayload && frame.isFinal
        if isText {
            guard validator.accept(piece), !isLast || validator.isComplete else {
                throw WebSocketFault(.invalidText, "text is not UTF-8")
            }
        }
        guard isLast else {
            message.append(contentsOf: piece)
            return
        }
        messageOpcode = nil
        if message.isEmpty {
            deliver(isText ? .text(piece) : .binary(piece))
            return
        }
        message.append(contentsOf: piece)
        let whole = message
        message = []
        whole.withUnsafeBytes { deliver(isText ? .text($0) : .binary($0)) }
    }

    private mutating func takeControl(
        _ piece: UnsafeRawBufferPointer, _ deliver: (WebSocketEvent) -> Void
    ) throws(WebSocketFault) {
        if isInPayload {
            control.append(contentsOf: piece)
            return
        }
        if control.isEmpty {
            try deliverControl(piece, deliver)
            return
        }
        control.append(contentsOf: piece)
        // Copied to where it needs no allocation and no closure that throws.
        try withUnsafeTemporaryAllocation(byteCount: 125, alignment: 1) {
            buffer throws(WebSocketFault) in
            buffer.copyBytes(from: control)
            let payload = UnsafeRawBufferPointer(rebasing: buffer[..<control.count])
            control = []
            try deliverControl(payload, deliver)
        }
    }

    private mutating func deliverControl(
        _ payload: UnsafeRawBufferPointer, _ deliver: (WebSocketEvent) -> Void
    ) throws(WebSocketFault) {
        switch frame.opcode {
        case .ping: deliver(.ping(payload))
        case .pong: deliver(.pong(payload))
        default:
            let (code, reason) = try Self.closeFields(payload)
            hasEnded = true
            message = []
            deliver(.close(code, reason: reason))
        }
    }

    private static func closeFields(
        _ payload: UnsafeRawBufferPointer
    ) throws(WebSocketFault) -> (CloseCode?, String) {
        if payload.isEmpty { return (nil, "") }
        guard payload.count >= 2 else {
            throw WebSocketFault(.protocolError, "close frame of one byte")
        }
        let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isSendable else {
            throw WebSocketFault(.protocolError, "close code \(code.rawValue) is not for the wire")
        }
        let text = UnsafeRawBufferPointer(rebasing: payload[2...])
        var validator = TextValidator()
        guard validator.accept(text), validator.isComplete else {
            throw WebSocketFault(.invalidText, "close reason is not UTF-8")
        }
        return (code, String(decoding: text, as: UTF8.self))
    }
}
