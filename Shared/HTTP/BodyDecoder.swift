// Bodies, RFC 9112, sections 6 and 7: a state machine fed with whatever arrives.

/// Collects the body of one message; a value without I/O.
package struct BodyDecoder: Sendable {
    /// The decoded bytes so far.
    package private(set) var body: [UInt8] = []
    private var state: State
    private let limit: Int

    private enum State: Equatable, Sendable {
        case sized(remaining: Int)
        case untilClose
        case chunkSize(value: Int, digits: Int)
        case chunkSizeBlank(length: Int, size: Int)
        case chunkExtension(length: Int, size: Int)
        case chunkSizeLineFeed(size: Int)
        case chunkData(remaining: Int)
        case chunkDataCarriageReturn
        case chunkDataLineFeed
        case trailerLineStart(total: Int)
        case trailerLine(total: Int)
        case trailerLineFeed(total: Int)
        case lastLineFeed
        case done
    }

    /// Longest chunk extension and longest trailer section, in bytes; both are skipped, neither may go on for ever.
    private static let extensionLimit = 256
    private static let trailerLimit = 4096

    /// - Parameter limit: bytes of the decoded body; more is refused with 413.
    /// - Throws: `Refusal` 413 when the announced size is above the limit.
    package init(_ framing: BodyFraming, limit: Int) throws(Refusal) {
        self.limit = limit
        switch framing {
        case .none: state = .done
        case .sized(let size):
            if size > limit { throw Self.tooLarge(limit) }
            body.reserveCapacity(min(size, 65_536))
            state = size == 0 ? .done : .sized(remaining: size)
        case .chunked: state = .chunkSize(value: 0, digits: 0)
        case .untilClose: state = .untilClose
        }
    }

    /// Whether the body is complete.
    package var isDone: Bool { state == .done }

    /// Whether the end of the connection is a proper end of this body.
    package var endsWithConnection: Bool { state == .untilClose }

    /// Takes what belongs to the body from the start of `bytes`.
    /// - Returns: how many bytes were taken; fewer than given once the body is done.
    /// - Throws: `Refusal` 400 for bad chunks, 413 above the limit.
    package mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(Refusal) -> Int {
        var position = 0
        while position < bytes.count && state != .done {
            switch state {
            case .sized(let remaining):
                let count = min(remaining, bytes.count - position)
                body.append(contentsOf: bytes.slice(position, position + count))
                position += count
                state = count == remaining ? .done : .sized(remaining: remaining - count)
            case .untilClose:
                try append(bytes.slice(position, bytes.count))
                position = bytes.count
            case .chunkData(let remaining):
                let count = min(remaining, bytes.count - position)
                try append(bytes.slice(position, position + count))
                position += count
                state =
                    count == remaining
                    ? .chunkDataCarriageReturn : .chunkData(remaining: remaining - count)
            default:
                try step(bytes[position])
                position += 1
            }
        }
        return position
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
        if body.count + bytes.count > limit { throw Self.tooLarge(limit) }
        body.append(contentsOf: bytes)
    }

    private mutating func step(_ byte: UInt8) throws(Refusal) {
        switch state {
        case .chunkSize(let value, let digits): try stepSize(byte, value, digits)
        case .chunkSizeBlank(let length, let size):
            // Padding after the size; some senders leave room for more digits.
            switch byte {
            case 0x0D: state = .chunkSizeLineFeed(size: size)
            case 0x3B: state = .chunkExtension(length: length, size: size)
            case 0x20 where length < Self.extensionLimit, 0x09 where length < Self.extensionLimit:
                state = .chunkSizeBlank(length: length + 1, size: size)
            default: throw Self.badChunk
            }
        case .chunkExtension(let length, let size):
            if byte == 0x0D {
                state = .chunkSizeLineFeed(size: size)
            } else if isFieldValue(byte) && length < Self.extensionLimit {
                state = .chunkExtension(length: length + 1, size: size)
            } else {
                throw Self.badChunk
            }
        case .chunkSizeLineFeed(let size):
            guard byte == 0x0A else { throw Self.badChunk }
            state = size == 0 ? .trailerLineStart(total: 0) : .chunkData(remaining: size)
        case .chunkDataCarriageReturn:
            guard byte == 0x0D else { throw Self.badChunk }
            state = .chunkDataLineFeed
        case .chunkDataLineFeed:
            guard byte == 0x0A else { throw Self.badChunk }
            state = .chunkSize(value: 0, digits: 0)
        default: try stepTrailer(byte)
        }
    }

    private mutating func stepSize(_ byte: UInt8, _ value: Int, _ digits: Int) throws(Refusal) {
        if let digit = hexadecimal(byte) {
            // 15 digits stay far below Int.max and far above any limit.
            guard digits < 15 else { throw Self.badChunk }
            state = .chunkSize(value: value << 4 | digit, digits: digits + 1)
            return
        }
        guard digits > 0 else { throw Self.badChunk }
        if body.count + value > limit { throw Self.tooLarge(limit) }
        switch byte {
        case 0x0D: state = .chunkSizeLineFeed(size: value)
        case 0x3B: state = .chunkExtension(length: 0, size: value)
        case 0x20, 0x09: state = .chunkSizeBlank(length: 1, size: value)
        default: throw Self.badChunk
        }
    }

    private mutating func stepTrailer(_ byte: UInt8) throws(Refusal) {
        switch state {
        case .trailerLineStart(let total):
            if byte == 0x0D {
                state = .lastLineFeed
            } else if isToken(byte) && total < Self.trailerLimit {
                state = .trailerLine(total: total + 1)
            } else {
                throw Self.badTrailer
            }
        case .trailerLine(let total):
            if byte == 0x0D {
                state = .trailerLineFeed(total: total)
            } else if isFieldValue(byte) && total < Self.trailerLimit {
                state = .trailerLine(total: total + 1)
            } else {
                throw Self.badTrailer
            }
        case .trailerLineFeed(let total):
            guard byte == 0x0A else { throw Self.badTrailer }
            state = .trailerLineStart(total: total)
        case .lastLineFeed:
            guard byte == 0x0A else { throw Self.badTrailer }
            state = .done
        default: preconditionFailure("only trailer states step here")
        }
    }

    private static let badChunk = Refusal(400, "A chunk is malformed.")
    private static let badTrailer = Refusal(400, "The trailer is malformed.")

    private static func tooLarge(_ limit: Int) -> Refusal {
        Refusal(413, "The body is longer than \(limit) bytes.")
    }
}

private func hexadecimal(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x41...0x46: Int(byte) - 0x41 + 10
    case 0x61...0x66: Int(byte) - 0x61 + 10
    default: nil
    }
}
