// A small library service whose endpoints use every kind of field the generator knows.

import Endpoints
import Vocabulary

enum LibraryAPI {
    static let endpoints: [any Endpoint.Type] = [
        ListBooks.self, AddBook.self, GetBook.self, ChangeBook.self, RemoveBook.self,
        CountBooks.self, ListLoans.self, MergeShelves.self,
    ]
}

extension Problem.Code {
    static let shelfFull = Problem.Code("shelf_full", status: 409, title: "The shelf is full")
}

enum Genre: String, Codable, Sendable, CaseIterable {
    case novel
    case nonFiction = "non_fiction"
}

/// Text that checks itself, so that a dummy would be refused.
struct CatalogueNumber: SchemaDescribed, Sendable, Hashable {
    struct Malformed: Error {}

    static let schema = FieldSchema(.string, pattern: "^[0-9]{4}$", example: "0001")
    static let example: CatalogueNumber? = CatalogueNumber(text: "0001")

    let text: String

    private init(text: String) {
        self.text = text
    }

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        guard text.utf8.count == 4 else { throw Malformed() }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

struct Book: Codable, Sendable {
    struct Author: Codable, Sendable {
        var name: String
        var born: Int32?
    }

    var number: CatalogueNumber
    var title: String
    var genre: Genre
    var authors: [Author]
    var weightKilograms: Double?
    var tags: [String: String]
    /// A type inside itself.
    var sequels: [Book]?
    var isLent: Bool
}

struct Shelf<Item: Codable & Sendable>: Codable, Sendable {
    var items: [Item]
    var next: String?
}

struct ListBooks: Endpoint {
    static let route = Route.get("/v1/books")
    static let access = Access.public
    static let rules: [FieldRule] = [.number("limit", 1...100), .count("tags", 0...5)]
    static let caching = Caching.public(seconds: 60)
    typealias Response = Shelf<Book>

    var genre: Genre?
    var tags: [String]
    var limit: Int?
}

struct AddBook: Endpoint {
    static let route = Route.post("/v1/books")
    static let access = Access.user
    static let problems: [Problem.Code] = [.shelfFull]
    static let status = 201
    static let rules: [FieldRule] = [
        .text("title", 1...200), .count("authors", 1...9), .text("authors[].name", 1...80),
        .decimal("price", 0.5...1e6), .text("publisher.name", 1...40),
    ]
    static let rateLimit: RateLimit? = RateLimit("add_book", requests: 10, seconds: 60, per: .user)
    typealias Response = Book

    struct Publisher: Codable, Sendable {
        var name: String
        var city: String?
    }

    var title: String
    var genre: Genre
    var authors: [Book.Author]
    var price: Double
    var copies: UInt8
    var publisher: Publisher?
}

struct GetBook: Endpoint {
    static let route = Route.get("/v1/books/{number}")
    static let access = Access.user
    static let problems: [Problem.Code] = [.notFound, .gone]
    typealias Response = Book

    var number: CatalogueNumber
}

struct ChangeBook: Endpoint {
    static let route = Route.patch("/v1/books/{number}")
    static let access = Access.admin
    typealias Response = Book

    var number: CatalogueNumber
    var title: String?
}

struct RemoveBook: Endpoint {
    static let route = Route.delete("/v1/books/{number}")
    static let access = Access.admin
    static let summary = "Removes a book for good"
    typealias Response = NoContent

    var number: CatalogueNumber
}

struct CountBooks: Endpoint {
    static let route = Route.get("/v1/counts")
    static let access = Access.public
    typealias Response = [String: Int]
}

/// Every shared type.
struct Loan: Codable, Sendable {
    enum Kind {}
    typealias ID = Identifier<Kind>

    var id: ID
    var reader: UserID
    var due: CalendarDate
    var lentAt: Instant
    var fee: Money?
    var rating: ExactDecimal?
    var place: Coordinate
}

struct ListLoans: Endpoint {
    static let route = Route.get("/v1/readers/{reader}/loans")
    static let access = Access.user
    static let caching = Caching.private(seconds: 5)
    typealias Response = Page<Loan>

    var reader: UserID
    var cursor: String?
    var since: CalendarDate?
    var before: Instant?
    var minimumRating: ExactDecimal?
}

struct MergeShelves: Endpoint {
    static let route = Route.post("/internal/shelves/{shelf}/merge")
    static let access = Access.service
    typealias Response = NoContent

    var shelf: Int64
}
