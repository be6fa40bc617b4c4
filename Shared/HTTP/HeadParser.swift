// Finds the end of a head and its field lines, strictly by RFC 9112: only CRLF ends a line, no folding, no blanks before
// a colon, no control bytes. A proxy in front and this server must never read the same bytes differently.
import Glibc

/// Bounds on a message head.
package struct HeadLimits: Sendable {
    /// Bytes of the whole head. Offsets are 16 bits, so never above 65,535.
    package var bytes: Int
    /// Number of field lines.
    package var fields: Int

    package init(bytes: Int = 16_384, fields: Int = 100) {
        precondition(bytes <= 65_535)
        self.bytes = bytes
        self.fields = fields
    }
}

/// Remembers how far a head was searched, so that a drip-fed one costs linear time.
package struct HeadScanner: Sendable {
    private var scanned = 0
    private var lineStart = 0

    package init() {}

    /// The length of the head with its empty line; `nil` when more bytes are needed.
    /// - Throws: `Refusal` for a line that does not end in CRLF, or a head above the limit.
    package mutating func end(
        in bytes: UnsafeRawBufferPointer, limits: HeadLimits
    ) throws(Refusal) -> Int? {
        let end = min(bytes.count, limits.bytes)
        while let position = lineFeed(in: bytes, from: scanned, to: end) {
            guard position > 0, bytes[position - 1] == 0x0D else {
                throw Refusal(400, "A line of the head ends without a carriage return.")
            }
            if position - lineStart == 1 { return position + 1 }
            lineStart = position + 1
            scanned = position + 1
        }
        scanned = end
        if bytes.count > limits.bytes {
            throw Refusal(431, "The head is longer than \(limits.bytes) bytes.")
        }
        return nil
    }
}

private func lineFeed(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
    guard start < end, let base = bytes.baseAddress,
        let found = memchr(base + start, 0x0A, end - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
}

/// Where a field value that starts at `start` ends: the first byte it may not hold.
private func endOfValue(_ head: UnsafeRawBufferPointer, from start: Int) -> Int {
    let low: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    var position = start
    // Eight bytes at a time while all are plain ASCII. A byte below a space, or DEL, sets a high bit in one of the two
    // differences; what is beyond ASCII has one already and goes the slow way.
    while position + 8 <= head.count {
        let word = head.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        let belowSpace = word &- low &* 0x20
        let delete = (word ^ low &* 0x7F) &- low
        if (word | belowSpace | delete) & high != 0 { break }
        position += 8
    }
    while isFieldValue(head[position]) { position += 1 }
    return position
}

/// Parses the field lines between `start` and the empty line of a complete head into `table`.
/// - Returns: the number of fields.
/// - Throws: `Refusal` 400 for bad syntax, 431 for too many.
func parseFields(
    _ head: UnsafeRawBufferPointer, from start: Int,
    into table: UnsafeMutableBufferPointer<FieldRange>
) throws(Refusal) -> Int {
    var position = start
    var count = 0
    let end = head.count - 2
    while position < end {
        guard count < table.count else {
            throw Refusal(431, "The head has more than \(table.count) fields.")
        }
        let nameStart = position
        while position < end && isToken(head[position]) { position += 1 }
        guard position > nameStart, position < end, head[position] == 0x3A else {
            throw Refusal(400, "A field name is malformed.")
        }
        let nameEnd = position
        position += 1
        while isBlank(head[position]) { position += 1 }
        let valueStart = position
        position = endOfValue(head, from: position)
        guard head[position] == 0x0D, head[position + 1] == 0x0A else {
            throw Refusal(400, "A field value has a control character.")
        }
        var valueEnd = position
        while valueEnd > valueStart && isBlank(head[valueEnd - 1]) { valueEnd -= 1 }
        table[count] = FieldRange(
            nameStart: UInt16(nameStart), nameCount: UInt16(nameEnd - nameStart),
            valueStart: UInt16(valueStart), valueCount: UInt16(valueEnd - valueStart))
        count += 1
        position += 2
    }
    return count
}

/// What the fields say about the framing of the message; filled in one pass.
struct FramingFields {
    var contentLength: Int?
    var chunked = false
    var hosts = 0
    var closes = false
    var keepsAlive = false
    var expectsContinue = false

    /// - Throws: `Refusal` for contradictory or unknown framing.
    init(
        _ head: UnsafeRawBufferPointer, _ table: UnsafeBufferPointer<FieldRange>
    ) throws(Refusal) {
        for range in table {
            let start = Int(range.nameStart)
            let name = head.slice(start, start + Int(range.nameCount))
            let value = head.slice(
                Int(range.valueStart), Int(range.valueStart) + Int(range.valueCount))
            try read(name, value)
        }
        if chunked && contentLength != nil {
            throw Refusal(400, "Content-Length and Transfer-Encoding exclude each other.")
        }
    }

    private mutating func read(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(Refusal) {
        switch name.count {
        case 4 where name.equalsLowercased("host"):
            hosts += 1
            try Self.checkHost(value)
        case 6 where name.equalsLowercased("expect"):
            guard value.equalsLowercased("100-continue") else {
                throw Refusal(417, "Only the expectation 100-continue is known.")
            }
            expectsContinue = true
        case 10 where name.equalsLowercased("connection"):
            if listHasToken(value, "close") { closes = true }
            if listHasToken(value, "keep-alive") { keepsAlive = true }
        case 14 where name.equalsLowercased("content-length"):
            guard contentLength == nil else {
                throw Refusal(400, "Content-Length is given twice.")
            }
            guard let length = value.decimal else {
                throw Refusal(400, "Content-Length is not a number this server can take.")
            }
            contentLength = length
        case 17 where name.equalsLowercased("transfer-encoding"):
            guard !chunked, value.equalsLowercased("chunked") else {
                throw Refusal(501, "The only transfer coding known is chunked.")
            }
            chunked = true
        default: break
        }
    }

    private static func checkHost(_ value: UnsafeRawBufferPointer) throws(Refusal) {
        for byte in value {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F, 0x7E,
                0x25, 0x21, 0x24, 0x26...0x2B, 0x3B, 0x3D:
                continue
            default: throw Refusal(400, "Host is not a name or address.")
            }
        }
    }
}
