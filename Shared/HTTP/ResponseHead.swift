// Response heads as a client parses them.

/// A received response head.
package final class HTTPResponseHead: MessageHead, @unchecked Sendable {
    package let status: Int
    /// How the body is delimited, given the method of the request.
    package let framing: BodyFraming
    /// Whether the connection can carry another exchange.
    package let keepsAlive: Bool

    init(
        head: UnsafeRawBufferPointer, fields: UnsafeBufferPointer<FieldRange>, status: Int,
        framing: BodyFraming, keepsAlive: Bool
    ) {
        self.status = status
        self.framing = framing
        self.keepsAlive = keepsAlive
        super.init(head, fields: fields)
    }
}

extension HTTPResponseHead {
    /// A head that did not come as HTTP/1 text, or whose body somebody else has taken apart.
    /// - Returns: `nil` when names and values take more than 65,535 bytes.
    package static func received(
        status: Int, fields: [(name: String, value: String)]
    ) -> HTTPResponseHead? {
        var bytes: [UInt8] = []
        var table: [FieldRange] = []
        for (name, value) in fields {
            let start = bytes.count
            bytes.append(contentsOf: name.utf8)
            let middle = bytes.count
            bytes.append(contentsOf: value.utf8)
            guard bytes.count <= 65_535 else { return nil }
            table.append(
                FieldRange(
                    nameStart: UInt16(start), nameCount: UInt16(middle - start),
                    valueStart: UInt16(middle), valueCount: UInt16(bytes.count - middle)))
        }
        return bytes.withUnsafeBytes { bytes in
            table.withUnsafeBufferPointer { table in
                HTTPResponseHead(
                    head: bytes, fields: table, status: status, framing: .none, keepsAlive: true)
            }
        }
    }
}

/// Parses the heads of the responses of one connection; a value without I/O.
package struct ResponseParser: Sendable {
    private var scanner = HeadScanner()
    private let limits: HeadLimits

    package init(limits: HeadLimits = HeadLimits(bytes: 32_768)) {
        self.limits = limits
    }

    /// Parses the head at the start of `bytes`. Interim (1xx) heads are returned like others; the caller skips them.
    /// - Returns: the head and the bytes it took, `nil` when more are needed.
    /// - Throws: `Refusal` (502) when the peer does not speak HTTP/1.
    package mutating func parse(
        _ bytes: UnsafeRawBufferPointer, method: HTTPMethod
    ) throws(Refusal) -> (head: HTTPResponseHead, consumed: Int)? {
        guard let end = try scanner.end(in: bytes, limits: limits) else { return nil }
        scanner = HeadScanner()
        let head = bytes.slice(0, end)
        guard end >= 15, head.slice(0, 7).equals("HTTP/1."), head[8] == 0x20,
            head[7] == 0x30 || head[7] == 0x31, let status = head.slice(9, 12).decimal,
            status >= 100, head[12] == 0x20 || head[12] == 0x0D
        else { throw Refusal(502, "The peer's status line is malformed.") }
        var position = 12
        while isFieldValue(head[position]) { position += 1 }
        guard head[position] == 0x0D, head[position + 1] == 0x0A else {
            throw Refusal(502, "The peer's status line is malformed.")
        }
        let next = position + 2
        let minorVersion = Int(head[7]) - 0x30
        let result = withUnsafeTemporaryAllocation(of: FieldRange.self, capacity: limits.fields) {
            table -> Result<HTTPResponseHead, Refusal> in
            do throws(Refusal) {
                let count = try parseFields(head, from: next, into: table)
                let fields = UnsafeBufferPointer(rebasing: table[..<count])
                let framing = try FramingFields(head, fields)
                if framing.chunked && minorVersion == 0 {
                    throw Refusal(502, "HTTP/1.0 has no chunked coding.")
                }
                let body: BodyFraming =
                    if method == .head || status < 200 || status == 204 || status == 304 {
                        .none
                    } else if framing.chunked {
                        .chunked
                    } else if let length = framing.contentLength {
                        length == 0 ? .none : .sized(length)
                    } else { .untilClose }
                let keepsAlive =
                    body != .untilClose && !framing.closes
                    && (minorVersion == 1 || framing.keepsAlive)
                return .success(
                    HTTPResponseHead(
                        head: head, fields: fields, status: status, framing: body,
                        keepsAlive: keepsAlive))
            } catch {
                return .failure(error)
            }
        }
        return (try result.get(), end)
    }
}
