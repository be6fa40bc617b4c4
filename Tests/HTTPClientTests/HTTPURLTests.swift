// Addresses: what is taken, how it is written, what is refused.

import HTTPClient
import Testing

@Suite struct HTTPURLTests {
    @Test(arguments: [
        ("http://example.org", "http", "example.org", 80, "/", "example.org"),
        ("HTTP://Example.ORG:8080/A?b", "http", "example.org", 8080, "/A?b", "example.org:8080"),
        ("https://example.org:443?q", "https", "example.org", 443, "/?q", "example.org"),
        ("https://127.0.0.1:1/%00", "https", "127.0.0.1", 1, "/%00", "127.0.0.1:1"),
        ("http://[::1]:8081/x", "http", "::1", 8081, "/x", "[::1]:8081"),
        ("http://[FE80::1]", "http", "fe80::1", 80, "/", "[fe80::1]"),
    ])
    func parses(
        text: String, scheme: String, host: String, port: Int, target: String, authority: String
    ) throws {
        let url = try HTTPURL(text)
        #expect(url.origin.scheme.rawValue == scheme)
        #expect(url.origin.host == host)
        #expect(url.origin.port == port)
        #expect(url.target == target)
        #expect(url.origin.authority == authority)
        #expect(try HTTPURL(url.description) == url)
    }

    @Test(arguments: [
        "", "example.org", "ftp://example.org/", "http:/example.org", "http://", "http:///x",
        "http://user@example.org/", "http://u:p@example.org/", "http://example.org:0/",
        "http://example.org:65536/", "http://example.org:/", "http://example.org:8a/",
        "http://exa mple.org/", "http://example.org/a b", "http://example.org/a\r\nX: y",
        "http://example.org/#part", "http://::1/", "http://[::1/", "http://[example.org]/",
        "http://example.org/ü", "http://exämple.org/", "http://a%2eb/", "http://[::1]x:80/",
        "http://a:1:2/", "http://[]/",
    ])
    func refuses(text: String) {
        #expect(throws: HTTPClientError.self) { try HTTPURL(text) }
    }

    @Test func refusesLongHosts() {
        let host = String(repeating: "a", count: 254)
        #expect(throws: HTTPClientError.self) { try HTTPOrigin(.http, host: host) }
    }
}
