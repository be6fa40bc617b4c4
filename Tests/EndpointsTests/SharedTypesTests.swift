// The shared types in paths, queries and bodies.

import Endpoints
import Testing
import Vocabulary

private struct BookSeat: Endpoint, Hashable {
    static let route = Route.put("/v1/trips/{trip}/seats/{day}")
    static let access = Access.user
    typealias Response = NoContent

    enum Trip {}

    var trip: Identifier<Trip>
    var day: CalendarDate
    var boarding: Coordinate
    var fare: Money?
    var tip: ExactDecimal?
    var leavesAt: Instant
}

private struct ListTrips: Endpoint, Hashable {
    static let route = Route.get("/v1/users/{user}/trips")
    static let access = Access.user
    typealias Response = NoContent

    var user: UserID
    var friends: [UserID]?
    var since: Instant?
    var on: CalendarDate?
    var least: ExactDecimal?
    var language: Language?
}

@Suite struct SharedTypesTests {
    private func seat() throws -> BookSeat {
        BookSeat(
            trip: try #require(Identifier(rawValue: 9_007_199_254_740_991)),
            day: try #require(CalendarDate("2026-12-01")),
            boarding: try #require(Coordinate(latitude: 37.5665, longitude: 126.978)),
            fare: .krw(4800), tip: ExactDecimal("0.10"),
            leavesAt: try #require(Instant("2026-12-01T08:30:00.25Z")))
    }

    @Test func pathAndBody() throws {
        let seat = try seat()
        #expect(try roundTrip(seat) == seat)
        let target = try RequestCoding().encode(seat).target
        #expect(target == "/v1/trips/9007199254740991/seats/2026-12-01")
    }

    @Test func query() throws {
        let user = try #require(UserID(rawValue: 7))
        let friend = try #require(UserID(rawValue: 8))
        let list = ListTrips(
            user: user, friends: [user, friend], since: Instant("2026-12-01T08:30:00+09:00"),
            on: CalendarDate("2024-02-29"), least: ExactDecimal("-12.50"), language: .ko)
        #expect(try roundTrip(list) == list)
        #expect(
            try RequestCoding().encode(list).target
                == "/v1/users/7/trips?friends=7&friends=8&since=2026-11-30T23%3A30%3A00Z"
                + "&on=2024-02-29&least=-12.50&language=ko")
    }

    @Test(arguments: ["0", "-1", "9007199254740992", "9223372036854775808", "abc", "1e3", "07"])
    func idsThatCannotExist(id: String) throws {
        let problem = #expect(throws: Problem.self) {
            try decode(ListTrips.self, target: "/v1/users/\(id)/trips")
        }
        #expect(problem?.code == .notFound)
    }

    @Test(arguments: [
        ("friends=0", "friends"), ("since=2026-12-01", "since"),
        // An unencoded plus sign is a space.
        ("since=2026-12-01T08:30:00+09:00", "since"), ("on=2026-02-29", "on"),
        ("least=1,5", "least"), ("language=fr", "language"),
    ])
    func invalidQuery(query: String, field: String) throws {
        let problem = #expect(throws: Problem.self) {
            try decode(ListTrips.self, target: "/v1/users/7/trips?\(query)")
        }
        #expect(problem?.code == .invalidField)
        #expect(problem?.field == field)
    }

    @Test(arguments: [
        (
            #""boarding":{"latitude":91,"longitude":0},"leavesAt":"2026-12-01T00:00:00Z""#,
            "boarding.latitude"
        ),
        (#""boarding":{"latitude":1,"longitude":0},"leavesAt":"soon""#, "leavesAt"),
        (#""boarding":{"latitude":1,"longitude":0},"leavesAt":1"#, "leavesAt"),
        (
            #""boarding":{"latitude":1,"longitude":0},"leavesAt":"2026-12-01T00:00:00Z","tip":"x""#,
            "tip"
        ),
        (
            #""boarding":{"latitude":1,"longitude":0},"leavesAt":"2026-12-01T00:00:00Z","#
                + #""fare":{"amount":1,"currency":"won"}"#, "fare.currency"
        ),
    ])
    func invalidBody(members: String, field: String) throws {
        let problem = #expect(throws: Problem.self) {
            try decode(
                BookSeat.self, target: "/v1/trips/1/seats/2026-12-01", body: "{\(members)}")
        }
        #expect(problem?.code == .invalidField)
        #expect(problem?.field == field)
    }
}
