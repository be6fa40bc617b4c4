// Requests that must be refused, each with the problem the API promises.

import Endpoints
import Testing

/// The problem decoding ends in; fails the test when there is none.
private func problem<E: Endpoint>(
    _: E.Type, _ target: String, body: String = "", location: SourceLocation = #_sourceLocation
) throws -> Problem {
    do throws(Problem) {
        let endpoint = try decode(E.self, target: target, body: body)
        Issue.record("accepted as \(endpoint)", sourceLocation: location)
        throw Problem(.internal)
    } catch {
        return error
    }
}

@Suite struct BadRequestTests {
    @Test(arguments: [
        "abc", "9223372036854775808", "18446744073709551615", "1.0", "+1", "01", "-0", "00", "0x1",
        "-", "", "1%00",
        "%zz", "%", "1%2", "１", "%EF%BC%91",
    ])
    func impossibleNumberInPath(text: String) throws {
        let problem = try problem(OpenThing.self, "/v1/things/\(text)/open")
        #expect(problem.code == .notFound)
    }

    @Test(arguments: ["%00", "%0A", "%7F", "%C2%85", "%FF", "%C0%80", "%ED%A0%80", "%E", "%G1"])
    func impossibleText(text: String) throws {
        let path = try problem(
            FindThings.self, "/v1/shelves/1/things/\(text)?limit=1")
        #expect(path.code == .notFound)
        let query = try problem(
            FindThings.self, "/v1/shelves/1/things/a?limit=1&tags=ok&tags=\(text)")
        #expect(query.code == .invalidField)
        #expect(query.field == "tags")
    }

    @Test(arguments: [
        ("limit=x", "limit"), ("limit=", "limit"), ("limit", "limit"), ("limit=1&limit=2", "limit"),
        ("limit=9223372036854775808", "limit"), ("limit=-9223372036854775809", "limit"),
        ("limit=1&small=256", "small"), ("limit=1&small=-1", "small"),
        ("limit=1&ratio=nan", "ratio"), ("limit=1&ratio=1e999", "ratio"),
        ("limit=1&ratio=0x1p3", "ratio"), ("limit=1&ratio=", "ratio"),
        ("limit=1&exact=yes", "exact"), ("limit=1&exact=1", "exact"),
        ("limit=1&colour=blue", "colour"), ("limit=1&colour=red&colour=red", "colour"),
        ("limit=1&colours=red&colours=no", "colours"), ("limit=1&numbers=1,2", "numbers"),
    ])
    func invalidQuery(query: String, field: String) throws {
        let problem = try problem(FindThings.self, "/v1/shelves/1/things/a?\(query)")
        #expect(problem.code == .invalidField)
        #expect(problem.field == field)
        #expect(problem.status == 422)
    }

    @Test func missingQuery() throws {
        let problem = try problem(FindThings.self, "/v1/shelves/1/things/a")
        #expect(problem.code == .missingField)
        #expect(problem.field == "limit")
    }

    @Test func longQuery() throws {
        let query = String(repeating: "a=1&", count: 300)
        let problem = try problem(FindThings.self, "/v1/shelves/1/things/a?\(query)limit=1")
        #expect(problem.code == .badRequest)
    }

    @Test(arguments: [
        #"{"title":"a","title":"b","count":1}"#, #"{"title":"a","count":01}"#, "{", "{\"title\":}",
        "\u{0}", "{\"title\":\"\\ud800\"", "nope",
    ])
    func malformedBody(body: String) throws {
        #expect(try problem(AddThing.self, "/v1/things", body: body).code == .malformedJSON)
        #expect(
            try problem(ChangeThing.self, "/v1/shelves/1/things/a", body: body).code
                == .malformedJSON)
    }

    @Test(arguments: [
        (#"{"count":1}"#, "title"), (#"{"title":"a"}"#, "count"), ("{}", "title"), ("", "title"),
    ])
    func missingInBody(body: String, field: String) throws {
        let problem = try problem(AddThing.self, "/v1/things", body: body)
        #expect(problem.code == .missingField)
        #expect(problem.field == field)
    }

    @Test(arguments: [
        (#"{"title":"a","count":"1"}"#, "count"), (#"{"title":"a","count":1.5}"#, "count"),
        (#"{"title":"a","count":9223372036854775808}"#, "count"),
        (#"{"title":1,"count":1}"#, "title"),
        (#"{"title":"a","count":true}"#, "count"), (#"{"title":["a"],"count":1}"#, "title"),
        (#"{"title":"a","count":1,"note":{}}"#, "note"),
    ])
    func invalidInBody(body: String, field: String) throws {
        let problem = try problem(AddThing.self, "/v1/things", body: body)
        #expect(problem.code == .invalidField)
        #expect(problem.field == field)
    }

    @Test func invalidInsideBody() throws {
        let target = "/v1/shelves/1/things/a"
        let body = #"{"sizes":[{"width":1},{"width":"x"}],"colour":"red","flags":{},"depth":1}"#
        let nested = try problem(ChangeThing.self, target, body: body)
        #expect(nested.code == .invalidField)
        #expect(nested.field == "sizes[1].width")
        let colour = try problem(
            ChangeThing.self, target, body: #"{"sizes":[],"colour":"x","flags":{},"depth":1}"#)
        #expect(colour.code == .invalidField)
        #expect(colour.field == "colour")
        let path = try problem(
            ChangeThing.self, "/v1/shelves/x/things/a",
            body: #"{"sizes":[],"colour":"red","flags":{},"depth":1}"#)
        #expect(path.code == .notFound)
    }

    @Test(arguments: ["[]", "1", "null", "\"x\""])
    func bodyOfAnotherKind(body: String) throws {
        let problem = try problem(AddThing.self, "/v1/things", body: body)
        #expect(problem.code == .invalidField)
        #expect(problem.field == nil)
    }
}
