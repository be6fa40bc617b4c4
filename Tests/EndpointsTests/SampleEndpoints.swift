// Endpoints of every shape, for the tests of this module.

import Endpoints

enum Colour: String, Codable, Sendable, CaseIterable {
    case red, green
    case darkBlue = "dark_blue"
}

struct Reply: Codable, Sendable, Hashable {
    var text: String
}

/// No fields at all.
struct GetNothing: Endpoint, Hashable {
    static let route = Route.get("/v1/nothing")
    static let access = Access.public
    typealias Response = Reply
}

/// No fields and a body method.
struct TouchNothing: Endpoint, Hashable {
    static let route = Route.post("/v1/nothing")
    static let access = Access.user
    typealias Response = NoContent
}

/// Path and query of every scalar.
struct FindThings: Endpoint, Hashable {
    static let route = Route.get("/v1/shelves/{shelf}/things/{name}")
    static let access = Access.public
    typealias Response = [Reply]

    var shelf: Int64
    var name: String
    var limit: Int
    var small: UInt8?
    var ratio: Double?
    var exact: Bool?
    var colour: Colour?
    var tags: [String]
    var numbers: [Int]?
    var colours: [Colour]
}

/// Path and body together.
struct ChangeThing: Endpoint, Hashable {
    static let route = Route.patch("/v1/shelves/{shelf}/things/{name}")
    static let access = Access.user
    typealias Response = NoContent

    struct Size: Codable, Sendable, Hashable {
        var width: Int
        var unit: String?
    }

    var shelf: Int64
    var name: String
    var title: String?
    var sizes: [Size]
    var colour: Colour
    var flags: [String: Bool]
    var depth: Double
}

/// A body alone.
struct AddThing: Endpoint, Hashable {
    static let route = Route.post("/v1/things")
    static let access = Access.user
    static let status = 201
    typealias Response = Reply

    var title: String
    var count: Int
    var note: String?
}

/// A body method whose only field is in the path.
struct OpenThing: Endpoint, Hashable {
    static let route = Route.post("/v1/things/{thing}/open")
    static let access = Access.user
    typealias Response = NoContent

    var thing: Int64
}

/// Fields under rules.
struct RegisterThing: Endpoint, Hashable {
    static let route = Route.post("/v1/registrations")
    static let access = Access.user
    static let rules: [FieldRule] = [
        .text("title", 1...5),
        .text("note", 0...10, multiline: true),
        .number("seats", 2...6),
        .decimal("ratio", 0...1),
        .count("tags", 1...3),
        .text("tags[]", 1...4),
        .number("places[].floor", -3...100),
        .text("owner.name", 1...3),
        .email("contact", 3...20),
        .secret("word", 2...4),
    ]
    typealias Response = NoContent

    struct Place: Codable, Sendable, Hashable {
        var floor: Int
        var name: String?
    }
    struct Owner: Codable, Sendable, Hashable {
        var name: String
    }

    var title = "x"
    var note: String?
    var seats = 2
    var ratio: Double?
    var tags = ["a"]
    var places: [Place]?
    var owner: Owner?
    var contact: String?
    var word: String?
}
