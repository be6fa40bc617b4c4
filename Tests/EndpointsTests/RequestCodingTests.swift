// Requests from client to server: whatever the client writes, the server reads back.

import Endpoints
import Testing

@Suite struct RequestCodingTests {
    @Test func requestsWithoutFields() throws {
        let get = try RequestCoding().encode(GetNothing())
        #expect(get.method == .get && get.target == "/v1/nothing" && get.body == nil)
        #expect(try roundTrip(GetNothing()) == GetNothing())
        #expect(try RequestCoding().encode(TouchNothing()).body == nil)
        #expect(try roundTrip(TouchNothing()) == TouchNothing())
    }

    @Test(arguments: [
        "plain", "two words", "a/b", "50%", "%41", "a+b", "a&b=c?d#e", "한글 마당", "é", "👨‍👩‍👧‍👦", "a,b",
        "...", "\"quoted\"", "semi;colon", "~-_.",
    ])
    func textInPathAndQuery(text: String) throws {
        let request = FindThings(
            shelf: 7, name: text, limit: -20, small: 255, ratio: 0.1, exact: true,
            colour: .darkBlue, tags: [text, "", text + text], numbers: [1, -2],
            colours: [.red, .green])
        #expect(try roundTrip(request) == request)
    }

    @Test func absentFields() throws {
        let request = FindThings(shelf: 1, name: "x", limit: 0, tags: [], colours: [])
        #expect(
            try RequestCoding().encode(request).target == "/v1/shelves/1/things/x?limit=0")
        #expect(try roundTrip(request) == request)
    }

    @Test func targetIsPercentEncoded() throws {
        let request = FindThings(
            shelf: 1, name: "a/ b", limit: 1, tags: ["x+y", "마"], colours: [])
        #expect(
            try RequestCoding().encode(request).target
                == "/v1/shelves/1/things/a%2F%20b?limit=1&tags=x%2By&tags=%EB%A7%88")
    }

    @Test func pathAndBody() throws {
        let request = ChangeThing(
            shelf: 9_007_199_254_740_991, name: "a/b", title: nil,
            sizes: [.init(width: 3, unit: "cm"), .init(width: -1)], colour: .green,
            flags: ["on": true], depth: 0.5)
        let encoded = try RequestCoding().encode(request)
        let body = String(decoding: encoded.body ?? [], as: UTF8.self)
        #expect(!body.contains("shelf") && !body.contains("name"))
        #expect(try roundTrip(request) == request)
    }

    @Test func pathWinsOverBody() throws {
        let opened = try decode(
            OpenThing.self, target: "/v1/things/5/open", body: #"{"thing":6}"#)
        #expect(opened.thing == 5)
    }

    @Test func bodyAlone() throws {
        let request = AddThing(title: "한글 \"x\" \n", count: 3, note: nil)
        #expect(try roundTrip(request) == request)
        #expect(try roundTrip(OpenThing(thing: 3)) == OpenThing(thing: 3))
        #expect(try RequestCoding().encode(OpenThing(thing: 3)).body == nil)
    }

    @Test(arguments: ["", ".", ".."])
    func impossiblePathValues(name: String) {
        let request = FindThings(shelf: 1, name: name, limit: 1, tags: [], colours: [])
        #expect(throws: EncodingError.self) { try RequestCoding().encode(request) }
    }

    @Test func formStyleQuery() throws {
        let found = try decode(
            FindThings.self,
            target: "/v1/shelves/1/things/a+b?&limit=4&tags=c+d&%74ags=e%2Bf&unknown=1&unknown=2&")
        #expect(found.name == "a+b" && found.limit == 4 && found.tags == ["c d", "e+f"])
    }
}
