// The endpoints that `make bench` measures: each goes through everything a service's endpoint goes through.
import Endpoints
import Vocabulary

struct Hello: Endpoint {
    static let route = Route.get("/v1/bench/hello")
    static let access = Access.public
    struct Response: Codable, Sendable {
        var message: String
    }
}

struct HelloAuthenticated: Endpoint {
    static let route = Route.get("/v1/bench/hello-authenticated")
    static let access = Access.user
    typealias Response = Hello.Response
}

struct Row: Codable, Sendable {
    var id: Int64
    var name: String
    var number: Int64
    var createdAt: Instant
}

struct GetRow: Endpoint {
    static let route = Route.get("/v1/bench/rows/{row}")
    static let access = Access.public
    static let problems: [Problem.Code] = [.notFound]
    typealias Response = Row

    var row: Identifier<Row>
}

struct ListRows: Endpoint {
    static let route = Route.get("/v1/bench/rows")
    static let access = Access.public
    static let rules: [FieldRule] = [.number("limit", 1...100)]
    typealias Response = Page<Row>

    var limit: Int
    var after: Int64?
}

struct PostDocument: Endpoint {
    static let route = Route.post("/v1/bench/document")
    static let access = Access.public
    typealias Response = PostDocument

    struct Position: Codable, Sendable {
        var latitude: Double
        var longitude: Double
    }

    struct Address: Codable, Sendable {
        var street: String
        var city: String
        var postcode: String
        var position: Position
    }

    struct Owner: Codable, Sendable {
        var id: Int64
        var nickname: String
        var email: String?
        var address: Address
    }

    struct Item: Codable, Sendable {
        struct Attributes: Codable, Sendable {
            var color: String
            var size: String
        }

        var sku: String
        var name: String
        var quantity: Int
        var price: ExactDecimal
        var attributes: Attributes
    }

    struct Appointment: Codable, Sendable {
        var at: Instant
        var what: String
    }

    var id: Int64
    var title: String
    var isActive: Bool
    var score: Double
    var createdAt: Instant
    var tags: [String]
    var owner: Owner
    var items: [Item]
    var schedule: [Appointment]
}

enum BenchmarkAPI {
    static let endpoints: [any Endpoint.Type] = [
        Hello.self, HelloAuthenticated.self, GetRow.self, ListRows.self, PostDocument.self,
    ]
}
