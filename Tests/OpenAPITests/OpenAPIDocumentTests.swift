// The document of the sample service against the one that was read and checked (by
// openapi-spec-validator) when it was committed; and what must not become a document.

import Endpoints
import OpenAPI
import Testing
import Vocabulary

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

private func text(_ endpoints: [any Endpoint.Type]) throws -> String {
    let bytes = try OpenAPIDocument.text(
        service: "library", version: "1.0.0", summary: "Books and shelves", endpoints: endpoints)
    return String(decoding: bytes, as: UTF8.self)
}

@Suite struct OpenAPIDocumentTests {
    @Test func sampleDocument() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("library.json")
        let document = try text(LibraryAPI.endpoints)
        if ProcessInfo.processInfo.environment["RECORD"] != nil {
            try document.write(to: file, atomically: true, encoding: .utf8)
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        let lines = zip(document.split(separator: "\n"), golden.split(separator: "\n"))
        for (number, (line, expected)) in lines.enumerated() where line != expected {
            Issue.record("library.json:\(number + 1) has \(expected), now \(line)")
            break
        }
        #expect(document.utf8.count == golden.utf8.count)
        #expect(document.hasSuffix("}\n"))
    }

    @Test func theSameEachTime() throws {
        #expect(try text(LibraryAPI.endpoints) == text(LibraryAPI.endpoints))
    }

    @Test func refusesWhatWouldMislead() {
        #expect(throws: SchemaFailure.self) { try text([GetBook.self, GetBook.self]) }
        #expect(throws: SchemaFailure.self) { try text([GetBook.self, SameRoute.self]) }
        #expect(throws: SchemaFailure.self) { try text([RuleOnNothing.self]) }
        #expect(throws: SchemaFailure.self) { try text([RuleOnAnotherKind.self]) }
        #expect(throws: SchemaFailure.self) { try text([NoSuchField.self]) }
        #expect(throws: SchemaFailure.self) { try text([Undescribed.self]) }
        #expect(throws: SchemaFailure.self) { try text([ObjectInQuery.self]) }
        #expect(throws: SchemaFailure.self) { try text([ListInPath.self]) }
    }
}

private struct SameRoute: Endpoint {
    static let route = Route.get("/v1/books/{number}")
    static let access = Access.public
    typealias Response = NoContent
    var number: Int
}

private struct RuleOnNothing: Endpoint {
    static let route = Route.get("/v1/a")
    static let access = Access.public
    static let rules: [FieldRule] = [.text("titel", 1...2)]
    typealias Response = NoContent
    var title: String
}

private struct RuleOnAnotherKind: Endpoint {
    static let route = Route.get("/v1/a")
    static let access = Access.public
    static let rules: [FieldRule] = [.number("title", 1...2)]
    typealias Response = NoContent
    var title: String
}

private struct NoSuchField: Endpoint {
    static let route = Route.get("/v1/a/{book}")
    static let access = Access.public
    typealias Response = NoContent
    var title: String
}

private struct ObjectInQuery: Endpoint {
    static let route = Route.get("/v1/a")
    static let access = Access.public
    typealias Response = NoContent
    var place: Coordinate?
}

private struct ListInPath: Endpoint {
    static let route = Route.get("/v1/a/{places}")
    static let access = Access.public
    typealias Response = NoContent
    var places: [Int]
}

private struct Undescribed: Endpoint {
    static let route = Route.get("/v1/a")
    static let access = Access.public
    typealias Response = Picky

    struct Picky: Codable, Sendable {
        struct Refusal: Error {}
        init(from decoder: any Decoder) throws {
            guard try decoder.singleValueContainer().decode(String.self) == "x" else {
                throw Refusal()
            }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("x")
        }
    }
}
