// Parses request heads, RFC 9112, sections 2 to 7.

/// Parses the heads of the requests of one connection; a value without I/O.
package struct RequestParser: Sendable {
    private var scanner = HeadScanner()
    private let limits: HeadLimits

    package init(limits: HeadLimits = HeadLimits()) {
        self.limits = limits
    }

    /// Parses the head at the start of `bytes`, which holds all that was received and not consumed yet.
    /// - Returns: the request and the number of bytes its head took, `nil` when more are needed.
    /// - Throws: `Refusal` with 400, 417, 431, 501 or 505.
    package mutating func parse(
        _ bytes: UnsafeRawBufferPointer
    ) throws(Refusal) -> (request: HTTPRequest, consumed: Int)? {
        // One empty line before a request is skipped, RFC 9112, section 2.2.
        var skipped = 0
        if bytes.count >= 1 && bytes[0] == 0x0D {
            guard bytes.count >= 2 else { return nil }
            guard bytes[1] == 0x0A else { throw Refusal(400, "The request line is malformed.") }
            skipped = 2
        }
        let message = bytes.slice(skipped, bytes.count)
        guard let end = try scanner.end(in: message, limits: limits) else { return nil }
        scanner = HeadScanner()
        let head = message.slice(0, end)
        let request = try Self.request(head, fieldLimit: limits.fields)
        return (request, skipped + end)
    }

    private static func request(
        _ head: UnsafeRawBufferPointer, fieldLimit: Int
    ) throws(Refusal) -> HTTPRequest {
        let (line, next) = try parseLine(head)
        let result = withUnsafeTemporaryAllocation(of: FieldRange.self, capacity: fieldLimit) {
            table -> Result<HTTPRequest, Refusal> in
            do throws(Refusal) {
                let count = try parseFields(head, from: next, into: table)
                let fields = UnsafeBufferPointer(rebasing: table[..<count])
                return .success(try build(head, fields, line))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func build(
        _ head: UnsafeRawBufferPointer, _ fields: UnsafeBufferPointer<FieldRange>,
        _ line: RequestLine
    ) throws(Refusal) -> HTTPRequest {
        let framing = try FramingFields(head, fields)
        if framing.hosts > 1 || (framing.hosts == 0 && line.minorVersion > 0) {
            throw Refusal(400, "A request has exactly one Host.")
        }
        if framing.chunked && line.minorVersion == 0 {
            throw Refusal(400, "HTTP/1.0 has no chunked coding.")
        }
        let body: BodyFraming =
            if framing.chunked { .chunked } else if let length = framing.contentLength, length > 0 {
                .sized(length)
            } else { .none }
        let keepsAlive =
            !framing.closes && (line.minorVersion > 0 || framing.keepsAlive)
        return HTTPRequest(
            head: head, fields: fields, line: line, framing: body, keepsAlive: keepsAlive,
            expectsContinue: framing.expectsContinue && line.minorVersion > 0 && body != .none)
    }

    /// Parses `method SP target SP version CRLF`.
    private static func parseLine(
        _ head: UnsafeRawBufferPointer
    ) throws(Refusal) -> (RequestLine, next: Int) {
        var position = 0
        while isToken(head[position]) { position += 1 }
        guard position > 0, head[position] == 0x20 else {
            throw Refusal(400, "The method is malformed.")
        }
        let method = HTTPMethod(head.slice(0, position))
        let targetStart = position + 1
        position = targetStart
        while head[position] > 0x20 && head[position] < 0x7F && head[position] != 0x23 {
            position += 1
        }
        guard position > targetStart, head[position] == 0x20 else {
            throw Refusal(400, "The request target is malformed.")
        }
        let target = head.slice(targetStart, position)
        let versionStart = position + 1
        while head[position] != 0x0D && head[position] != 0x0A { position += 1 }
        guard head[position] == 0x0D, head[position + 1] == 0x0A else {
            throw Refusal(400, "The request line is malformed.")
        }
        let minorVersion = try version(head.slice(versionStart, max(versionStart, position)))
        let pathOffset = try pathStart(target, method)
        var pathEnd = pathOffset
        while pathEnd < target.count && target[pathEnd] != 0x3F { pathEnd += 1 }
        let line = RequestLine(
            method: method, minorVersion: minorVersion, pathStart: targetStart + pathOffset,
            pathEnd: targetStart + pathEnd, queryEnd: targetStart + target.count)
        return (line, position + 2)
    }

    private static func version(_ bytes: UnsafeRawBufferPointer) throws(Refusal) -> Int {
        if bytes.equals("HTTP/1.1") { return 1 }
        if bytes.equals("HTTP/1.0") { return 0 }
        if bytes.count == 8 && bytes.slice(0, 5).equals("HTTP/") && bytes[6] == 0x2E {
            throw Refusal(505, "Only HTTP/1.1 and HTTP/1.0 are spoken here.")
        }
        throw Refusal(400, "The version is malformed.")
    }

    /// The offset of the path in a target in origin, absolute or asterisk form.
    private static func pathStart(
        _ target: UnsafeRawBufferPointer, _ method: HTTPMethod
    ) throws(Refusal) -> Int {
        if target[0] == 0x2F { return 0 }
        if target.equals("*") && method == .options { return 0 }
        for scheme in ["http://", "https://"] as [StaticString] {
            let length = scheme.utf8CodeUnitCount
            guard target.count > length, target.slice(0, length).equalsLowercased(scheme) else {
                continue
            }
            var position = length
            while position < target.count && target[position] != 0x2F && target[position] != 0x3F {
                position += 1
            }
            guard position > length, position < target.count, target[position] == 0x2F else {
                break
            }
            return position
        }
        throw Refusal(400, "The request target is neither a path nor an http address.")
    }
}
