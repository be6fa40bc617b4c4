// Instants and dates: what is read, how it is printed, where the calendar ends.

import Foundation
import JSON
import Testing
import Vocabulary

@Suite struct InstantTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01T00:00:00.000001Z", 1),
            ("1969-12-31T23:59:59.999999Z", -1),
            ("2026-12-01T10:00:00Z", 1_796_119_200_000_000),
            ("2026-12-01t10:00:00z", 1_796_119_200_000_000),
            ("2026-12-01T19:00:00+09:00", 1_796_119_200_000_000),
            ("2026-12-01T00:30:00-09:30", 1_796_119_200_000_000),
            ("2026-12-01T10:00:00-00:00", 1_796_119_200_000_000),
            ("2026-12-01T10:00:00.5Z", 1_796_119_200_500_000),
            ("2026-12-01T10:00:00.123456Z", 1_796_119_200_123_456),
            ("2026-12-01T10:00:00.123456999Z", 1_796_119_200_123_456),
            ("2026-12-01T10:00:00.000000000Z", 1_796_119_200_000_000),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000_000),
            ("2000-02-29T23:59:59Z", 951_868_799_000_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
            // An offset may lead into a day whose neighbour is in another month and year.
            ("2027-01-01T08:00:00+09:00", 1_798_758_000_000_000),
        ] as [(String, Int64)])
    func read(text: String, microseconds: Int64) {
        #expect(Instant(text)?.microseconds == microseconds)
    }

    @Test(arguments: [
        "", "2026", "2026-12-01", "2026-12-01T10:00Z", "2026-12-01T10:00:00",
        "2026-12-01 10:00:00Z", "2026-12-01T10:00:00 Z", " 2026-12-01T10:00:00Z",
        "2026-12-01T10:00:00Z ", "2026-12-01T10:00:00ZZ", "2026-12-01T10:00:00.Z",
        "2026-12-01T10:00:00,5Z", "2026-12-01T24:00:00Z", "2026-12-01T10:60:00Z",
        "2016-12-31T23:59:60Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
        "2026-04-31T00:00:00Z", "2026-12-01T10:00:00+9:00", "2026-12-01T10:00:00+0900",
        "2026-12-01T10:00:00+24:00", "2026-12-01T10:00:00+09:60", "2026-12-01T10:00:00+09",
        "2026-12-01T10:00:00+09:00Z", "26-12-01T10:00:00Z", "+2026-12-01T10:00:00Z",
        "12026-12-01T10:00:00Z", "-001-12-01T10:00:00Z", "0000-12-31T23:59:59Z",
        "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "２０２６-12-01T10:00:00Z",
        "2026-W49-2T10:00:00Z", "20261201T100000Z", "2026-12-01T10:00:00.1.2Z",
        "2026-12-01T-1:00:00Z", "2026-12-01T10:00:0\u{301}Z",
    ])
    func refused(text: String) {
        #expect(Instant(text) == nil)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999Z"),
            (1_796_119_200_500_000, "2026-12-01T10:00:00.5Z"),
            (1_796_119_200_000_010, "2026-12-01T10:00:00.00001Z"),
            (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"),
            (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
        ] as [(Int64, String)])
    func printed(microseconds: Int64, text: String) {
        #expect(Instant(microseconds: microseconds).description == text)
    }

    @Test func everyPrintedTimeIsReadBack() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let time = Instant(microseconds: .random(in: Instant.range, using: &generator))
            #expect(Instant(time.description) == time)
        }
    }

    @Test func agreesWithFoundation() {
        let format = Date.ISO8601FormatStyle()
        for _ in 0..<2000 {
            // From the start of the Gregorian calendar, as Foundation uses the Julian one before.
            let seconds = Int64.random(in: -12_000_000_000...253_402_300_799)
            let text = format.format(Date(timeIntervalSince1970: Double(seconds)))
            #expect(Instant(microseconds: seconds * 1_000_000).description == text)
        }
    }

    @Test func arithmetic() {
        let noon = Instant(microseconds: 43_200_000_000)
        #expect(noon.adding(seconds: 90).microseconds == 43_290_000_000)
        #expect(noon.adding(seconds: 90).seconds(since: noon) == 90)
        #expect(noon.seconds(since: noon.adding(seconds: 1)) == -1)
        #expect(noon < noon.adding(seconds: 1))
        #expect(noon.adding(seconds: .max).microseconds == Instant.range.upperBound)
        #expect(noon.adding(seconds: .min).microseconds == Instant.range.lowerBound)
        #expect(Instant(microseconds: .max).description == "9999-12-31T23:59:59.999999Z")
        #expect(Instant(microseconds: .min).description == "0001-01-01T00:00:00Z")
    }

    @Test func wholeSecondsRoundDown() {
        #expect(Instant(microseconds: 1_999_999).secondsSince1970 == 1)
        #expect(Instant(microseconds: -1).secondsSince1970 == -1)
        #expect(Instant(microseconds: -1_000_000).secondsSince1970 == -1)
        #expect(Instant(microseconds: -1_000_001).secondsSince1970 == -2)
    }

    @Test func json() throws {
        let time = try #require(Instant("2026-12-01T10:00:00.25Z"))
        #expect(try written(time) == #""2026-12-01T10:00:00.25Z""#)
        #expect(try VocabularyTests.read(#""2026-12-01T19:00:00.25+09:00""#) == time)
        let failure = #expect(throws: JSONFailure.self) {
            try VocabularyTests.read(#"{"at":"yesterday"}"#, as: [String: Instant].self)
        }
        #expect(failure?.path == "at")
        #expect(throws: JSONFailure.self) {
            try VocabularyTests.read("1796119200", as: Instant.self)
        }
    }
}

@Suite struct CalendarDateTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2026-12-01", 20_788),
        ("0001-01-01", -719_162), ("9999-12-31", 2_932_896), ("1600-02-29", -135_081),
    ])
    func days(text: String, days: Int) {
        #expect(CalendarDate(text)?.daysSince1970 == Int32(days))
        #expect(CalendarDate(daysSince1970: days)?.description == text)
    }

    @Test(arguments: [
        "", "2026-2-1", "2026-02-29", "1900-02-29", "2100-02-29", "2026-04-31", "2026-13-01",
        "2026-00-01", "2026-01-00", "2026-01-32", "0000-01-01", "10000-01-01", "2026/01/01",
        "20260101", "2026-01-01T00:00:00Z", " 2026-01-01", "2026-01-01 ", "-026-01-01",
        "２０２６-01-01", "2026-0a-01",
    ])
    func refused(text: String) {
        #expect(CalendarDate(text) == nil)
    }

    /// Every day of a whole period of the calendar, 400 years, has the successor that the rule of leap years gives it.
    @Test(arguments: [(1, -719_162), (1801, -61726), (9600, 2786800)])
    func everyDay(start: Int, first: Int) throws {
        var (year, month, day) = (start, 1, 1)
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var wrong = 0
        for days in first..<first + 146_097 {
            let date = CalendarDate(daysSince1970: days)
            let same = CalendarDate(year: year, month: month, day: day)
            if date == nil || date != same || date?.components ?? (0, 0, 0) != (year, month, day) {
                wrong += 1
            }
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            day += 1
            if day > lengths[month - 1] + (month == 2 && isLeap ? 1 : 0) {
                (month, day) = (month + 1, 1)
            }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(wrong == 0)
        #expect((year, month, day) == (start + 400, 1, 1))
    }

    @Test func arithmetic() throws {
        let leap = try #require(CalendarDate("2024-02-28"))
        #expect(leap.adding(days: 1)?.description == "2024-02-29")
        #expect(leap.adding(days: 2)?.description == "2024-03-01")
        #expect(leap.adding(days: -59)?.description == "2023-12-31")
        #expect(leap.adding(days: .max) == nil)
        #expect(leap.adding(days: .min) == nil)
        #expect(CalendarDate("9999-12-31")?.adding(days: 1) == nil)
        #expect(leap < (try #require(CalendarDate("2024-10-01"))))
    }

    @Test func json() throws {
        let date = try #require(CalendarDate("2026-12-01"))
        #expect(try written([date]) == #"["2026-12-01"]"#)
        #expect(try read(#"["2026-12-01"]"#) == [date])
        let failure = #expect(throws: JSONFailure.self) {
            try read(#"{"born":"2026-02-30"}"#, as: [String: CalendarDate].self)
        }
        #expect(failure?.path == "born")
    }
}

@Suite struct ClockTests {
    @Test func aManualClockMovesWhenTold() throws {
        let start = try #require(Instant("2026-12-01T10:00:00Z"))
        let manual = ManualClock(start)
        let clock = manual.clock
        #expect(clock.now() == start)
        manual.advance(seconds: 61)
        #expect(clock.now().description == "2026-12-01T10:01:01Z")
        manual.advance(seconds: -61)
        #expect(clock.now() == start)
        manual.set(Instant(microseconds: 0))
        #expect(clock.now().microseconds == 0)
    }

    @Test func theSystemClockTellsTheTime() {
        let foundation = Date().timeIntervalSince1970
        let ours = Double(WallClock.system.now().microseconds) / 1e6
        #expect(abs(ours - foundation) < 5)
    }
}
