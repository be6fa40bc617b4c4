// Places, money, pages and languages.

import JSON
import Testing
import Vocabulary

@Suite struct CoordinateTests {
    @Test func edges() {
        #expect(Coordinate(latitude: 90, longitude: 180) != nil)
        #expect(Coordinate(latitude: -90, longitude: -180) != nil)
        #expect(Coordinate(latitude: 90.000001, longitude: 0) == nil)
        #expect(Coordinate(latitude: 0, longitude: -180.000001) == nil)
        #expect(Coordinate(latitude: .nan, longitude: 0) == nil)
        #expect(Coordinate(latitude: 0, longitude: .infinity) == nil)
    }

    @Test func json() throws {
        let seoul = try #require(Coordinate(latitude: 37.5665, longitude: 126.978))
        #expect(try written(seoul) == #"{"latitude":37.5665,"longitude":126.978}"#)
        #expect(try read(#"{"longitude":126.978,"latitude":37.5665}"#) == seoul)
    }

    @Test(arguments: [
        (#"{"latitude":90.1,"longitude":0}"#, "at.latitude"),
        (#"{"latitude":0,"longitude":181}"#, "at.longitude"),
        (#"{"latitude":0,"longitude":1e999}"#, "at.longitude"),
        (#"{"latitude":null,"longitude":0}"#, "at.latitude"),
        (#"{"latitude":"37","longitude":0}"#, "at.latitude"),
    ])
    func theFieldIsNamed(text: String, path: String) {
        let failure = #expect(throws: JSONFailure.self) {
            try read(#"{"at":\#(text)}"#, as: [String: Coordinate].self)
        }
        #expect(failure?.path == path)
    }
}

@Suite struct BoundingBoxTests {
    private func point(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    @Test func aPlainBox() throws {
        let korea = try #require(BoundingBox(west: 124, south: 33, east: 132, north: 39))
        #expect(!korea.crossesAntimeridian)
        #expect(korea.contains(try point(37.5, 127)))
        #expect(korea.contains(try point(33, 124)))
        #expect(korea.contains(try point(39, 132)))
        #expect(!korea.contains(try point(39.1, 127)))
        #expect(!korea.contains(try point(37.5, 123.9)))
        #expect(!korea.contains(try point(37.5, -127)))
    }

    @Test func acrossTheAntimeridian() throws {
        let fiji = try #require(BoundingBox(west: 176, south: -20, east: -178, north: -15))
        #expect(fiji.crossesAntimeridian)
        for longitude in [176, 179.9, 180, -180, -178.5, -178] {
            #expect(fiji.contains(try point(-17, longitude)))
        }
        for longitude in [175.9, 0, -177.9] {
            #expect(!fiji.contains(try point(-17, longitude)))
        }
    }

    @Test func theWorldHoldsEverything() throws {
        let world = try #require(BoundingBox(west: -180, south: -90, east: 180, north: 90))
        for latitude in [-90, 0, 90.0] {
            for longitude in [-180, -1, 0, 126.9, 180] {
                #expect(world.contains(try point(latitude, longitude)))
            }
        }
    }

    @Test func aLineIsABox() throws {
        let line = try #require(BoundingBox(west: 10, south: 5, east: 10, north: 5))
        #expect(line.contains(try point(5, 10)))
        #expect(!line.contains(try point(5, 10.0001)))
    }

    @Test func refused() {
        #expect(BoundingBox(west: -181, south: 0, east: 0, north: 1) == nil)
        #expect(BoundingBox(west: 0, south: 2, east: 1, north: 1) == nil)
        #expect(BoundingBox(west: 0, south: .nan, east: 1, north: 1) == nil)
        #expect(BoundingBox(west: 0, south: 0, east: 1, north: 91) == nil)
    }

    @Test func json() throws {
        let text = #"{"west":170.5,"south":-20,"east":-170,"north":10}"#
        let box = try read(text, as: BoundingBox.self)
        #expect(box == BoundingBox(west: 170.5, south: -20, east: -170, north: 10))
        #expect(try read(try written(box)) == box)
    }

    @Test(arguments: [
        (#"{"west":-181,"south":0,"east":1,"north":1}"#, "west"),
        (#"{"west":0,"south":2,"east":1,"north":1}"#, "north"),
        (#"{"west":0,"south":0,"east":1e3,"north":1}"#, "east"),
        (#"{"west":0,"south":-91,"east":1,"north":1}"#, "south"),
    ])
    func theFieldIsNamed(text: String, path: String) {
        let failure = #expect(throws: JSONFailure.self) { try read(text, as: BoundingBox.self) }
        #expect(failure?.path == path)
    }
}

@Suite struct MoneyTests {
    @Test func json() throws {
        #expect(try written(Money.krw(4800)) == #"{"amount":4800,"currency":"KRW"}"#)
        let debt = try read(#"{"currency":"EUR","amount":-9223372036854775808}"#, as: Money.self)
        #expect(debt == Money(amount: .min, currency: "EUR"))
    }

    @Test(arguments: ["", "kr", "KRWW", "krw", "K1W", "₩₩₩", "KR ", "ＫＲＷ"])
    func refusedCurrency(code: String) {
        #expect(Money(amount: 1, currency: code) == nil)
        let failure = #expect(throws: JSONFailure.self) {
            try read(#"{"fare":{"amount":1,"currency":"\#(code)"}}"#, as: [String: Money].self)
        }
        #expect(failure?.path == "fare.currency")
    }

    @Test func wholeUnitsOnly() {
        #expect(throws: JSONFailure.self) {
            try read(#"{"amount":1.5,"currency":"KRW"}"#, as: Money.self)
        }
    }
}

@Suite struct PageTests {
    @Test func json() throws {
        #expect(try written(Page(items: [1, 2], next: "b")) == #"{"items":[1,2],"next":"b"}"#)
        #expect(try written(Page<Int>(items: [])) == #"{"items":[],"next":null}"#)
        let last = try read(#"{"items":[3]}"#, as: Page<Int>.self)
        #expect(last.items == [3] && last.next == nil)
        #expect(try read(#"{"items":[],"next":null}"#, as: Page<Int>.self).next == nil)
    }

    @Test func languages() throws {
        #expect(try read(#"["ko","en"]"#) == [Language.ko, .en])
        #expect(throws: JSONFailure.self) { try read(#""fr""#, as: Language.self) }
    }
}
