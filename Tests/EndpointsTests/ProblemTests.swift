// The JSON of a problem, and who may see what.

import Endpoints
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct ProblemTests {
    private func json(_ problem: Problem) throws -> [String: String] {
        struct Wire: Decodable {
            var type, title, detail, code: String
            var status: Int
            var field, requestId: String?
            var retryAfter: Int?
            var log: String?
        }
        let wire = try JSONDecoder().decode(Wire.self, from: JSONEncoder().encode(problem))
        var members = [
            "type": wire.type, "title": wire.title, "detail": wire.detail, "code": wire.code,
            "status": "\(wire.status)",
        ]
        members["field"] = wire.field
        members["requestId"] = wire.requestId
        members["retryAfter"] = wire.retryAfter.map(String.init)
        members["log"] = wire.log
        return members
    }

    @Test func wireForm() throws {
        var problem = Problem(
            .invalidField, "seats must be 2 to 6", field: "seats", retryAfter: 3, log: "secret")
        problem.requestId = "r1"
        #expect(
            try json(problem) == [
                "type": "urn:madang:problem:invalid_field",
                "title": "A field has an invalid value", "status": "422",
                "detail": "seats must be 2 to 6", "code": "invalid_field", "field": "seats",
                "retryAfter": "3", "requestId": "r1",
            ])
        #expect(problem.description == "422 invalid_field (seats): seats must be 2 to 6 [secret]")
    }

    @Test func absentMembersStayOut() throws {
        #expect(
            Set(try json(Problem(.notFound)).keys) == ["type", "title", "status", "detail", "code"])
        #expect(Problem(.notFound).detail == "Not found")
    }

    @Test func roundTripKeepsUnknownCodes() throws {
        let code = Problem.Code("shelf_full", status: 409, title: "Full")
        let problem = Problem(code, "No room", field: "a.b[1]", retryAfter: 1)
        let copy = try JSONDecoder().decode(Problem.self, from: JSONEncoder().encode(problem))
        #expect(copy == problem)
        #expect(copy.status == 409 && copy.code.title == "Full")
    }

    @Test func codesAreEqualByTheirWord() {
        #expect(Problem.Code("not_found", status: 404, title: "anything") == .notFound)
        #expect(Problem.Code.notFound != .gone)
    }
}
