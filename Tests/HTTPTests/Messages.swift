// Proper and improper requests: those of http-strictness.py and more. Tables, so that every other test
// can cut them up.

import Testing

/// A request, what it is an example of, and the statuses that may refuse it.
struct Improper: Sendable, CustomTestStringConvertible {
    var name: String
    var wire: String
    var statuses: Set<Int>

    init(_ name: String, _ wire: String, _ statuses: Set<Int> = [400]) {
        self.name = name
        self.wire = wire
        self.statuses = statuses
    }

    var testDescription: String { name }
}

func get(
    _ fields: String = "Host: a\r\n", _ target: String = "/x", method: String = "GET",
    version: String = "HTTP/1.1"
) -> String {
    "\(method) \(target) \(version)\r\n\(fields)\r\n"
}

func post(_ fields: String, _ body: String = "") -> String {
    "POST /x HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\(body)"
}

let chunkedField = "Transfer-Encoding: chunked\r\n"

let improperHeads: [Improper] = [
    Improper("space before colon", get("Host: a\r\nX-Y : 1\r\n")),
    Improper("space before colon of Content-Length", post("Content-Length : 3\r\n", "abc")),
    Improper("bare CR in a value", get("Host: a\r\nX: a\rb\r\n")),
    Improper("bare LF ends a line", get("Host: a\nX: b\r\n")),
    Improper("bare LF ends the head", "GET / HTTP/1.1\r\nHost: a\r\n\n"),
    Improper("only LF", "GET / HTTP/1.1\nHost: a\n\n"),
    Improper("NUL in a value", get("Host: a\r\nX: a\0b\r\n")),
    Improper("DEL in a value", get("Host: a\r\nX: a\u{7F}b\r\n")),
    Improper("control byte in a name", get("Host: a\r\nX\u{1}: a\r\n")),
    Improper("no name", get("Host: a\r\n: a\r\n")),
    Improper("no colon", get("Host: a\r\nX\r\n")),
    Improper("name beyond ASCII", get("Host: a\r\nÜ: a\r\n")),
    Improper("folded field", get("Host: a\r\nX: 1\r\n 2\r\n")),
    Improper("folded field with a tab", get("Host: a\r\nX: 1\r\n\t2\r\n")),
    Improper("first field starts with a space", get(" Host: a\r\n")),
    Improper("no Host", get("")),
    Improper("two Hosts", get("Host: a\r\nHost: b\r\n")),
    Improper("the same Host twice", get("Host: a\r\nHost: a\r\n")),
    Improper("Host with a path", get("Host: a/b\r\n")),
    Improper("Host with a user", get("Host: u@a\r\n")),
    Improper("Host list", get("Host: a, b\r\n")),
    Improper("bad method", get(method: "G(T")),
    Improper("no method", " / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Improper("control byte in the target", get("Host: a\r\n", "/\u{7}")),
    Improper("target beyond ASCII", get("Host: a\r\n", "/ü")),
    Improper("fragment in the target", get("Host: a\r\n", "/x#y")),
    Improper("two spaces before the target", "GET  /x HTTP/1.1\r\nHost: a\r\n\r\n"),
    Improper("two spaces before the version", "GET /x  HTTP/1.1\r\nHost: a\r\n\r\n"),
    Improper("blank in the target", "GET /x y HTTP/1.1\r\nHost: a\r\n\r\n"),
    Improper("tab before the target", "GET\t/x HTTP/1.1\r\nHost: a\r\n\r\n"),
    Improper("no target", "GET HTTP/1.1\r\nHost: a\r\n\r\n"),
    Improper("no version", "GET /x\r\nHost: a\r\n\r\n"),
    Improper("relative target", "GET x HTTP/1.1\r\nHost: a\r\n\r\n"),
    Improper("asterisk for GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
    Improper("other scheme", "GET ftp://a/x HTTP/1.1\r\nHost: a\r\n\r\n"),
    Improper("absolute target without authority", "GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n"),
    Improper("authority form", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"),
    Improper("blank after the version", "GET /x HTTP/1.1 \r\nHost: a\r\n\r\n"),
    Improper("lower-case version", get(version: "http/1.1")),
    Improper("long version", get(version: "HTTP/1.10")),
    Improper("unknown version", get(version: "HTTP/2.5"), [505]),
    Improper("version 2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400, 505]),
    Improper("TLS", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\r\n\r\n"),
    Improper("two empty lines first", "\r\n\r\n" + get()),
    Improper("CR first", "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Improper("LF first", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Improper(
        "header of 200 kB", get("Host: a\r\nX: \(String(repeating: "a", count: 200_000))\r\n"),
        [431]),
    Improper(
        "2,000 fields", get("Host: a\r\n" + String(repeating: "X: a\r\n", count: 2000)), [431]),
    Improper("101 fields", get("Host: a\r\n" + String(repeating: "X: a\r\n", count: 100)), [431]),
    Improper("unknown expectation", post("Content-Length: 1\r\nExpect: 200-ok\r\n", "a"), [417]),
]

let improperFramings: [Improper] = [
    Improper(
        "Content-Length beside chunked", post("Content-Length: 6\r\n" + chunkedField, "0\r\n\r\n")),
    Improper(
        "chunked beside Content-Length", post(chunkedField + "Content-Length: 6\r\n", "0\r\n\r\n")),
    Improper("Content-Lengths differ", post("Content-Length: 3\r\nContent-Length: 5\r\n", "abcde")),
    Improper("Content-Length list differs", post("Content-Length: 3, 5\r\n", "abcde")),
    Improper("negative Content-Length", post("Content-Length: -1\r\n")),
    Improper("signed Content-Length", post("Content-Length: +3\r\n", "abc")),
    Improper("empty Content-Length", post("Content-Length: \r\n")),
    Improper("hexadecimal Content-Length", post("Content-Length: 0x3\r\n", "abc")),
    Improper("fraction as Content-Length", post("Content-Length: 3.0\r\n", "abc")),
    Improper("blank within Content-Length", post("Content-Length: 1 2\r\n", "abc")),
    Improper("huge Content-Length", post("Content-Length: 99999999999999999999\r\n"), [400, 413]),
    Improper("Content-Length at the edge", post("Content-Length: 9223372036854775807\r\n"), [413]),
    Improper(
        "Content-Length beyond it", post("Content-Length: 9223372036854775808\r\n"), [400, 413]),
    Improper("Content-Length above the limit", post("Content-Length: 1001\r\n"), [413]),
    Improper(
        "chunked is not last", post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"),
        [400, 501]),
    Improper("chunked twice", post(chunkedField + chunkedField, "0\r\n\r\n"), [400, 501]),
    Improper("unknown coding", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), [400, 501]),
    Improper("quoted coding", post("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n"), [400, 501]),
    Improper(
        "coding after gzip", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), [400, 501]),
    Improper("empty coding", post("Transfer-Encoding: \r\n", "0\r\n\r\n"), [400, 501]),
    Improper(
        "vertical tab before the coding", post("Transfer-Encoding: \u{B}chunked\r\n", "0\r\n\r\n")),
    Improper(
        "chunked on HTTP/1.0", "POST /x HTTP/1.0\r\n" + chunkedField + "\r\n0\r\n\r\n"),
]

let improperBodies: [Improper] = [
    ("size overflows", "10000000000000001\r\na\r\n0\r\n\r\n", [400, 413]),
    ("size of 2^63", "8000000000000000\r\na\r\n0\r\n\r\n", [400, 413]),
    ("size with 0x", "0x1\r\na\r\n0\r\n\r\n", [400]),
    ("signed size", "+1\r\na\r\n0\r\n\r\n", [400]),
    ("negative size", "-1\r\na\r\n0\r\n\r\n", [400]),
    ("no size", "\r\na\r\n0\r\n\r\n", [400]),
    ("no size but an extension", ";a=b\r\na\r\n0\r\n\r\n", [400]),
    ("blank before the size", " 1\r\na\r\n0\r\n\r\n", [400]),
    ("text after the size", "1 x\r\na\r\n0\r\n\r\n", [400]),
    ("no CRLF after the data", "1\r\nab\r\n0\r\n\r\n", [400]),
    ("LF after the data", "1\r\na\n0\r\n\r\n", [400]),
    ("LF after the size", "1\na\r\n0\r\n\r\n", [400]),
    ("CR alone after the size", "1\rXa\r\n0\r\n\r\n", [400]),
    ("NUL in an extension", "1;\0\r\na\r\n0\r\n\r\n", [400]),
    ("LF in an extension", "1;a\nb\r\na\r\n0\r\n\r\n", [400]),
    ("endless extension", "1;" + String(repeating: "a", count: 300), [400]),
    ("endless blanks", "1" + String(repeating: " ", count: 300), [400]),
    ("bare LF in the trailer", "0\r\nX: a\n\r\n", [400]),
    ("NUL in the trailer", "0\r\nX: \0\r\n\r\n", [400]),
    ("blank begins the trailer", "0\r\n X: a\r\n\r\n", [400]),
    ("endless trailer", "0\r\n" + String(repeating: "X: a\r\n", count: 1200), [400]),
    ("one chunk above the limit", "3e9\r\n", [413]),
    ("two chunks above the limit", "1\r\na\r\n3e8\r\n", [413]),
].map { Improper($0.0, post(chunkedField, $0.1), $0.2) }

let properRequests: [String] = [
    get(),
    get("Host: a\r\n", "/%00?q=%2F&r"),
    get("Host: a\r\n", "http://b:80/y?z"),
    get("hOsT:a\r\nX:\r\nY:  \t b c \t \r\nZ: \u{E9}\r\n"),
    get("Host: \r\n"),
    get("Host: [::1]:8080\r\n"),
    get("", version: "HTTP/1.0"),
    get("Connection: keep-alive\r\n", version: "HTTP/1.0"),
    get("Host: a\r\nConnection: upgrade, Close\r\n"),
    get(method: "HEAD"), get(method: "PURGE"), get("Host: a\r\n", "*", method: "OPTIONS"),
    "\r\n" + get(),
    post("Content-Length: 0\r\n"), post("Content-Length: 5\r\n", "a\r\nbc"),
    post("Content-Length: 003\r\nExpect: 100-continue\r\n", "abc"),
    post(chunkedField, "0\r\n\r\n"),
    post(
        "transfer-encoding: CHUNKED\r\n",
        "2;a=b\r\n{}\r\n0A \r\n0123456789\r\n0;x\r\nTrailer: x\r\nY: z\r\n\r\n"),
]
