// Writes a request as bytes, RFC 9112, section 3. The caller's fields are checked here, since they
// may carry what came from outside.
import HTTP

extension HTTPClientRequest {
    /// - Throws: `HTTPClientError.invalidRequest` for a method that cannot be sent, a malformed
    ///   field, or one that frames the message and so belongs to the client.
    func checkFields() throws(HTTPClientError) {
        if method == .other { throw .invalidRequest("The method has no name to send.") }
        for (name, value) in fields {
            guard isFieldName(name), isFieldValue(value) else {
                throw .invalidRequest("A field name or value has bytes that may not be sent.")
            }
            if Self.isFraming(name) {
                throw .invalidRequest("The client writes \(name) itself.")
            }
        }
    }

    private static func isFraming(_ name: String) -> Bool {
        switch name.utf8.count {
        case 4: name.lowercased() == "host"
        case 10: name.lowercased() == "connection"
        case 14: name.lowercased() == "content-length"
        case 17: name.lowercased() == "transfer-encoding"
        default: false
        }
    }

    /// Whether a `Content-Length` is due, RFC 9110, section 8.6.
    var announcesLength: Bool {
        if body != nil { return true }
        switch method {
        case .post, .put, .patch: return true
        case .get, .head, .delete, .options, .other: return false
        }
    }

    /// Appends head and body. Call `checkFields` first.
    func encode(into output: inout [UInt8]) {
        output.append(contentsOf: method.rawValue.utf8)
        output.append(0x20)
        output.append(contentsOf: url.target.utf8)
        output.append(" HTTP/1.1\r\nHost: ")
        output.append(contentsOf: url.origin.authority.utf8)
        output.append("\r\n")
        for (name, value) in fields {
            output.append(contentsOf: name.utf8)
            output.append(": ")
            output.append(contentsOf: value.utf8)
            output.append("\r\n")
        }
        if announcesLength {
            output.append("Content-Length: ")
            output.append(contentsOf: String(body?.count ?? 0).utf8)
            output.append("\r\n")
        }
        output.append("\r\n")
        if let body { output.append(contentsOf: body) }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ text: StaticString) {
        append(
            contentsOf: UnsafeBufferPointer(
                start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
