// http and https addresses, only as much of RFC 3986 as a request needs. What passes here can be
// written into a request line and a Host field as it stands.

/// Where a server is reached.
package struct HTTPOrigin: Hashable, Sendable, CustomStringConvertible {
    package enum Scheme: String, Sendable {
        case http, https

        package var defaultPort: Int { self == .http ? 80 : 443 }
    }

    package let scheme: Scheme
    /// A name in lower case or a numeric address, IPv6 without brackets.
    package let host: String
    /// 1...65535.
    package let port: Int
    /// Host and port as the `Host` field has them: IPv6 in brackets, the default port left out.
    package let authority: String

    /// - Parameter host: a name or a numeric address; IPv6 with or without brackets.
    /// - Parameter port: `nil` means the scheme's own.
    /// - Throws: `HTTPClientError.invalidRequest` when host or port are not usable.
    package init(
        _ scheme: Scheme, host: String, port: Int? = nil
    ) throws(HTTPClientError) {
        var host = host.lowercased()
        if host.hasPrefix("["), host.hasSuffix("]"), host.contains(":") {
            host = String(host.dropFirst().dropLast())
        }
        let isIPv6 = host.contains(":")
        let isWellFormed =
            isIPv6 ? host.utf8.allSatisfy(Self.isIPv6Byte) : host.utf8.allSatisfy(Self.isNameByte)
        guard isWellFormed, (1...253).contains(host.utf8.count) else {
            throw .invalidRequest("The host of the address is not a name or numeric address.")
        }
        let port = port ?? scheme.defaultPort
        guard (1...65_535).contains(port) else {
            throw .invalidRequest("The port of the address is not within 1...65535.")
        }
        self.scheme = scheme
        self.host = host
        self.port = port
        let bracketed = isIPv6 ? "[\(host)]" : host
        authority = port == scheme.defaultPort ? bracketed : "\(bracketed):\(port)"
    }

    package var description: String { "\(scheme.rawValue)://\(authority)" }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    private static func isIPv6Byte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x66, 0x3A, 0x2E: true
        default: false
        }
    }
}

/// An origin and what to ask of it.
package struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
    package let origin: HTTPOrigin
    /// Path and query, percent-encoded, beginning with a slash.
    package let target: String

    /// - Throws: `HTTPClientError.invalidRequest` when the target does not begin with a slash or has
    ///   blanks, control characters, a fragment or bytes beyond ASCII.
    package init(_ origin: HTTPOrigin, target: String) throws(HTTPClientError) {
        guard target.utf8.first == 0x2F,
            target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 })
        else {
            throw .invalidRequest("The target is not a percent-encoded path and query.")
        }
        self.origin = origin
        self.target = target
    }

    /// Parses an absolute address such as `https://example.org:8443/a?b=c`. User names, passwords
    /// and fragments are refused.
    ///
    /// - Throws: `HTTPClientError.invalidRequest`.
    package init(_ text: String) throws(HTTPClientError) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: 0x3A), bytes.count > colon + 2,
            bytes[colon + 1] == 0x2F, bytes[colon + 2] == 0x2F,
            let scheme = HTTPOrigin.Scheme(
                rawValue: String(decoding: bytes[..<colon], as: UTF8.self).lowercased())
        else {
            throw .invalidRequest("The address does not begin with http:// or https://.")
        }
        let rest = bytes[(colon + 3)...]
        let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? rest.endIndex
        let (host, port) = try Self.splitAuthority(rest[..<end])
        let tail = String(decoding: rest[end...], as: UTF8.self)
        let target = tail.utf8.first == 0x2F ? tail : "/" + tail
        try self.init(HTTPOrigin(scheme, host: host, port: port), target: target)
    }

    package var description: String { origin.description + target }

    private static func splitAuthority(
        _ authority: ArraySlice<UInt8>
    ) throws(HTTPClientError) -> (host: String, port: Int?) {
        var host = authority
        var port: Int?
        let afterAddress = authority.lastIndex(of: 0x5D) ?? authority.startIndex
        if let colon = authority[afterAddress...].lastIndex(of: 0x3A) {
            let digits = authority[(colon + 1)...]
            guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) })
            else { throw .invalidRequest("The port of the address is not a number.") }
            port = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            host = authority[..<colon]
        }
        if host.contains(0x3A), host.first != 0x5B || host.last != 0x5D {
            throw .invalidRequest("An IPv6 address stands in brackets.")
        }
        return (String(decoding: host, as: UTF8.self), port)
    }
}
