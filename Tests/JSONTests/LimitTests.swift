// What the bounds and the strictness refuse, and how cheaply.

import JSON
import Testing

@Suite struct LimitTests {
    @Test func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try read(nested(64), as: JSONValue.self)
        #expect(failure(nested(65), as: JSONValue.self)?.kind == .depth)
        #expect(
            failure(String(repeating: "[", count: 1_000_000), as: JSONValue.self)?.kind == .depth)
        let coder = JSONCoder(limits: JSONLimits(maxDepth: 1_000_000))
        #expect(coder.limits.maxDepth == JSONLimits.deepest)
        let deep = [UInt8](nested(JSONLimits.deepest).utf8)
        let value = try coder.decode(JSONValue.self, from: deep)
        #expect(try coder.encode(value) == deep)
        #expect(throws: JSONFailure.self) { try JSONCoder.standard.encode(value) }
    }

    /// A type that would encode itself for ever.
    private final class Ring: Encodable {
        var next: Ring?
    }

    @Test func rings() {
        let ring = Ring()
        ring.next = ring
        defer { ring.next = nil }
        #expect { try write(ring) } throws: { ($0 as? JSONFailure)?.kind == .depth }
    }

    @Test func size() {
        let coder = JSONCoder(limits: JSONLimits(maxBytes: 4))
        #expect(throws: Never.self) { try coder.decode([Int].self, from: [UInt8]("[12]".utf8)) }
        #expect { try coder.decode([Int].self, from: [UInt8]("[123]".utf8)) } throws: {
            ($0 as? JSONFailure)?.kind == .size
        }
    }

    @Test(arguments: [0, 1, 30, 60, 5000])
    func duplicates(_ others: Int) throws {
        let members = (0..<others).map { #""key\#($0)":[{"key0":0}]"# }
        let whole = "{" + members.joined(separator: ",") + "}"
        #expect(try read(whole, as: JSONValue.self).object?.count == others)
        for twin in [#""t":1"#, #""\u0074":2"#] {
            let text = "{" + ([#""t":0"#] + members + [twin]).joined(separator: ",") + "}"
            let found = failure(text, as: JSONValue.self)
            #expect(found?.kind == .duplicateKey)
            #expect(found?.path == "t")
        }
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "\"", "\"a",
        "\"\\", "\"\\u", "\"\\u12", "\"\\ud83d\\u", "-", "1.", "1e", "1e+", "t", "tru", "nul",
        "[1]]",
        "1 2", "\u{feff}1", "[1\u{0}]", "\u{0}", "1\u{0}", "01", "+1", ".5", "NaN", "Infinity",
        "[,]",
        "{,}", "[1,]", "{\"a\":1,}", "{1:2}", "'a'", "//", "[1 2]", "{\"a\" 1}", "True", "1\u{a0}",
    ])
    func syntax(_ text: String) {
        let found = failure(text, as: JSONValue.self)
        #expect(found?.kind == .syntax)
        #expect((0...text.utf8.count).contains(found?.offset ?? -1))
    }

    @Test func everyPrefixIsRefused() throws {
        let text = #"{"a":[1,-2.5e+3,"x\u00e9\ud83d\ude00é",true,false,null],"b":{"c":{}}}"#
        let bytes = [UInt8](text.utf8)
        for length in 0..<bytes.count {
            #expect(throws: JSONFailure.self) {
                try JSONValue(parsing: Array(bytes.prefix(length)))
            }
        }
        #expect(try JSONValue(parsing: bytes).bytes().count < bytes.count)
    }
}
