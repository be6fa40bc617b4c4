// The comparison of documents itself: made changes to the released document of parties, each with
// what must be found in it.

import JSON
import Testing

/// A change to a document and the one finding it must lead to; none when clients don't notice.
private struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let finding: String?
    let make: @Sendable (inout JSONValue) -> Void

    init(
        _ description: String, finds finding: String? = nil,
        _ make: @escaping @Sendable (inout JSONValue) -> Void
    ) {
        testDescription = description
        self.finding = finding
        self.make = make
    }
}

extension JSONValue {
    /// Changes what lies at the end of a path of keys and places.
    fileprivate mutating func edit(_ path: String..., change: (inout JSONValue) -> Void) {
        edit(path[...], change)
    }

    private mutating func edit(_ path: ArraySlice<String>, _ change: (inout JSONValue) -> Void) {
        guard let step = path.first else { return change(&self) }
        if var elements = array, let place = Int(step) {
            elements[place].edit(path.dropFirst(), change)
            self = .array(elements)
        } else {
            var member = self[step] ?? [:]
            member.edit(path.dropFirst(), change)
            self[step] = member
        }
    }

    fileprivate mutating func edit(
        _ operation: (String, String), _ path: String..., change: (inout JSONValue) -> Void
    ) {
        edit((["paths", operation.0, operation.1] + path)[...], change)
    }

    fileprivate mutating func editSchema(
        _ path: String..., change: (inout JSONValue) -> Void
    ) {
        edit((["components", "schemas"] + path)[...], change)
    }

    /// Changes the schema of the body that creates a party.
    fileprivate mutating func editBody(_ path: String..., change: (inout JSONValue) -> Void) {
        let body = ["requestBody", "content", "application/json", "schema"]
        edit((["paths", "/v1/parties", "post"] + body + path)[...], change)
    }

    fileprivate mutating func append(_ element: JSONValue) {
        self = .array((array ?? []) + [element])
    }

    fileprivate mutating func remove(_ element: JSONValue) {
        self = .array((array ?? []).filter { $0 != element })
    }
}

@Suite struct ComparisonTests {
    private static let create = ("/v1/parties", "post")
    private static let get = ("/v1/parties/{party}", "get")
    private static let map = ("/v1/parties/map", "get")

    // How findings in these places begin.
    private static let body = "POST /v1/parties, request"
    private static let page = "GET /v1/parties/map, 200"
    private static let query = "GET /v1/parties/map, query parameter"
    private static let path = "GET /v1/parties/{party}, path parameter"

    /// The only use of a type is by one endpoint, so that one change has one finding.
    private static let item = "PageOfMapItem"

    private static let requests = [
        Change("a path goes", finds: "GET /v1/parties/map: was removed") {
            $0.edit("paths") { $0["/v1/parties/map"] = nil }
        },
        Change("a method goes", finds: "DELETE /v1/parties/{party}: was removed") {
            $0.edit("paths", "/v1/parties/{party}") { $0["delete"] = nil }
        },
        Change("a field is needed", finds: "\(body).fare: is new and required") {
            $0.editBody("properties") { $0["fare"] = ["type": "integer"] }
            $0.editBody("required") { $0.append("fare") }
        },
        Change("a field becomes needed", finds: "\(body).note: became required") {
            $0.editBody("required") { $0.append("note") }
        },
        Change(
            "a bound gets narrower", finds: "\(body).seats: maximum 6 became 4"
        ) {
            $0.editBody("properties", "seats") { $0["maximum"] = 4 }
        },
        Change("a bound comes", finds: "\(body).departsAt: maxLength none became 20") {
            $0.editBody("properties", "departsAt") { $0["maxLength"] = 20 }
        },
        Change(
            "a bound deep inside gets narrower",
            finds: "\(body).origin.name: maxLength 100 became 50"
        ) {
            $0.editBody("properties", "origin", "properties", "name") { $0["maxLength"] = 50 }
        },
        Change(
            "another type is read",
            finds: "\(body).seats: the type integer became string"
        ) {
            $0.editBody("properties", "seats") { $0 = ["type": "string"] }
        },
        Change(
            "fewer words are read",
            finds: "\(body).title: may only be a, b now"
        ) {
            $0.editBody("properties", "title") { $0["enum"] = ["a", "b"] }
        },
        Change("a field is no longer read", finds: "\(body).note: is no longer read") {
            $0.editBody("properties") { $0["note"] = nil }
        },
        Change(
            "a word nobody knows",
            finds: "\(body).seats: multipleOf changed, which this comparison can't judge"
        ) {
            $0.editBody("properties", "seats") { $0["multipleOf"] = 2 }
        },
        Change(
            "a parameter is needed",
            finds: "\(query) limit: became required"
        ) {
            $0.edit(map, "parameters", "5") { $0["required"] = true }
        },
        Change(
            "a new parameter is needed",
            finds: "\(query) when: is new and required"
        ) {
            $0.edit(map, "parameters") {
                $0.append(["name": "when", "in": "query", "required": true, "schema": [:]])
            }
        },
        Change(
            "a parameter is no longer read",
            finds: "\(query) cursor: is no longer read"
        ) {
            $0.edit(map, "parameters") { $0 = .array(Array(($0.array ?? []).dropLast())) }
        },
        Change(
            "an id of the path has less room",
            finds: "\(path) party: maximum 9007199254740991 became 9"
        ) {
            $0.edit(get, "parameters", "0", "schema") { $0["maximum"] = 9 }
        },
    ]

    private static let answers = [
        Change(
            "a field goes", finds: "\(page).items: was removed"
        ) {
            $0.editSchema(item, "properties") { $0["items"] = nil }
        },
        Change(
            "a field is renamed", finds: "\(page).items[].kind: was removed"
        ) {
            $0.editSchema("MapItem", "properties") { properties in
                properties["type"] = properties["kind"]
                properties["kind"] = nil
            }
        },
        Change(
            "a field becomes optional", finds: "\(page).next: became optional"
        ) {
            $0.editSchema(item, "required") { $0.remove("next") }
        },
        Change(
            "a field has another type",
            finds: "\(page).next: the type string or null became integer"
        ) {
            $0.editSchema(item, "properties", "next") { $0["type"] = "integer" }
        },
        Change(
            "a field may be null",
            finds: "\(page).items[].kind: the type string became string or null"
        ) {
            $0.editSchema("MapItemKind") { $0["type"] = ["string", "null"] }
        },
        Change(
            "a field has a new word",
            finds: "\(page).items[].kind: cluster is a new value"
        ) {
            $0.editSchema("MapItemKind", "enum") { $0.append("cluster") }
        },
        Change(
            "a success goes", finds: "POST /v1/parties, 201: is no longer answered"
        ) {
            $0.edit(create, "responses") { $0["201"] = nil }
        },
        Change("there is another success", finds: "POST /v1/parties, 202: is a new success") {
            $0.edit(create, "responses") { $0["202"] = ["description": "Later."] }
        },
        Change(
            "a problem has another code",
            finds: "DELETE /v1/parties/{party}, 409.code: party_closed is no longer a value"
        ) {
            $0.edit(
                ("/v1/parties/{party}", "delete"), "responses", "409", "content",
                "application/problem+json", "schema", "properties", "code", "enum"
            ) { $0 = ["party_gone"] }
        },
        Change(
            "an answer is no JSON", finds: "\(page): is no longer application/json"
        ) {
            $0.edit(map, "responses", "200") { $0["content"] = nil }
        },
        Change("fewer may call", finds: "GET /v1/parties/map: needs another role now") {
            $0.edit(map, "security") { $0 = [["bearerAuth": ["admin"]]] }
        },
    ]

    private static let compatible = [
        Change("nothing") { _ in },
        Change("an endpoint more") { document in
            let map = document["paths"]?["/v1/parties/map"]
            document.edit("paths") { $0["/v1/fares"] = map }
        },
        Change("an optional field more") {
            $0.editBody("properties") { $0["fare"] = ["type": "integer"] }
        },
        Change("a field less needed") { $0.editBody("required") { $0.remove("departsAt") } },
        Change("a wider bound") { $0.editBody("properties", "seats") { $0["maximum"] = 8 } },
        Change("a wider type") { $0.editBody("properties", "seats") { $0["type"] = "number" } },
        Change("an optional parameter more") {
            $0.edit(map, "parameters") {
                $0.append(["name": "when", "in": "query", "schema": [:]])
            }
        },
        Change("a parameter by another name in the path") { document in
            let path = document["paths"]?["/v1/parties/{party}"]
            document.edit("paths") { $0["/v1/parties/{party}"] = nil }
            document.edit("paths") { $0["/v1/parties/{id}"] = path }
            for method in ["get", "delete"] {
                document.edit(("/v1/parties/{id}", method), "parameters", "0") { $0["name"] = "id" }
            }
        },
        Change("a field more in the answer") {
            $0.editSchema("Party", "properties") { $0["fare"] = ["type": "integer"] }
        },
        Change("a field that is always there now") {
            $0.editSchema("Party", "required") { $0.append("note") }
        },
        Change("a word that no longer comes") {
            $0.editSchema("PartyState", "enum") { $0.remove("expired") }
        },
        Change("a problem more") {
            $0.edit(map, "responses") { $0["410"] = ["description": "Gone."] }
        },
        Change("a token less") { document in
            document.edit(map, "security") { $0 = [] }
            document.edit(map, "responses") { $0["401"] = nil }
        },
        Change("other words") {
            $0.edit(map, "summary") { $0 = "Parties that can be seen." }
        },
    ]

    private func findings(_ change: Change) throws -> [String] {
        let release = try #require(try Release.all().first)
        let released = try release.document("parties")
        var changed = released
        change.make(&changed)
        return DocumentComparison(from: released, to: changed).findings
    }

    @Test(arguments: requests + answers) private func incompatibleIsNamed(change: Change) throws {
        #expect(try findings(change) == [change.finding].compactMap(\.self))
    }

    @Test(arguments: compatible) private func compatiblePasses(change: Change) throws {
        #expect(try findings(change) == [])
    }

    @Test func typesThatContainThemselves() throws {
        let document: JSONValue = [
            "paths": [
                "/tree": [
                    "get": [
                        "responses": [
                            "200": [
                                "content": [
                                    "application/json": [
                                        "schema": ["$ref": "#/components/schemas/Tree"]
                                    ]
                                ]
                            ]
                        ]
                    ]
                ]
            ],
            "components": [
                "schemas": [
                    "Tree": [
                        "type": "object",
                        "properties": [
                            "name": ["type": "string"],
                            "children": [
                                "type": "array", "items": ["$ref": "#/components/schemas/Tree"],
                            ],
                        ],
                    ]
                ]
            ],
        ]
        #expect(DocumentComparison(from: document, to: document).findings == [])
        var changed = document
        changed.editSchema("Tree", "properties") { $0["name"] = nil }
        #expect(
            DocumentComparison(from: document, to: changed).findings
                == ["GET /tree, 200.name: was removed"])
    }
}
