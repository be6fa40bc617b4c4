// Every column type there and back, through a real server.
import Postgres
import TestSupport
import Testing
import Vocabulary

@Suite struct TypeTests {
    /// Sends a value as a parameter of the given SQL type and reads it back.
    private func roundTrip<Value: PostgresColumn & Equatable>(
        _ values: [Value], _ query: (Value) -> Query<Value>
    ) async throws {
        try await TestDatabase.withPool { database, _ in
            for value in values {
                let answer = try await database.one(query(value))
                #expect(answer == value)
            }
        }
    }

    private func expect<Value: PostgresColumn & Equatable>(
        _ query: Query<Value>, _ expected: Value, _ database: Database
    ) async throws {
        let value = try await database.one(query)
        #expect(value == expected)
    }

    @Test func integers() async throws {
        try await roundTrip([0, 1, -1, Int64.max, .min]) { "select \($0)::bigint" }
        try await roundTrip([0, -1, Int32.max, .min]) { "select \($0)::integer" }
        try await roundTrip([0, -1, Int16.max, .min]) { "select \($0)::smallint" }
        try await roundTrip([0, Int.max, .min]) { "select \($0)::bigint" }
        try await roundTrip([42 as Int64?, nil]) { "select \($0)::bigint" }
    }

    @Test func narrowColumnsFillWideTypesAndNotTheReverse() async throws {
        try await TestDatabase.withPool { database, _ in
            try await expect("select 7::smallint" as Query<Int64>, 7, database)
            try await expect("select 7::integer" as Query<Int>, 7, database)
            try await expect("select 7::bigint" as Query<Int32>, 7, database)
            await #expect(throws: PostgresError.self) {
                try await database.one("select 3000000000::bigint" as Query<Int32>)
            }
        }
    }

    @Test func truthAndFloatingPoint() async throws {
        try await roundTrip([true, false]) { "select \($0)::boolean" }
        try await roundTrip([
            0, -0.1, .infinity, Double.greatestFiniteMagnitude, .leastNonzeroMagnitude,
        ]) {
            "select \($0)::double precision"
        }
    }

    @Test func text() async throws {
        let values = [
            "", "a", "'; drop table x; --", "한글 🙂", String(repeating: "x", count: 100_000),
        ]
        try await roundTrip(values) { "select \($0)::text" }
        try await roundTrip(["" as String?, nil]) { "select \($0)::text" }
    }

    @Test func bytes() async throws {
        try await roundTrip([[], [0], Array(0...255)] as [[UInt8]]) { "select \($0)::bytea" }
    }

    @Test func arrays() async throws {
        try await roundTrip([[], [1], [Int64.min, 0, .max]] as [[Int64]]) {
            "select \($0)::bigint[]"
        }
        try await roundTrip([[], [""], ["a", "NULL", "{\"}", "한"]] as [[String]]) {
            "select \($0)::text[]"
        }
    }

    @Test func documents() async throws {
        try await TestDatabase.withPool { database, _ in
            let document = JSONText(Array(#"{"a": [1, 2.50], "b": "x"}"#.utf8))
            try await expect("select \(document)" as Query<JSONText>, document, database)
            let query: Query<Columns<Int64, JSONText>> =
                "select (\(document)::jsonb -> 'a' ->> 0)::bigint, '[1]'::json"
            let (first, second) = try await database.one(query).values
            #expect(first == 1)
            #expect(second.bytes == Array("[1]".utf8))
        }
    }

    @Test func instantsAndDates() async throws {
        let instants = [
            0, 1, -1, 1_764_500_000_123_456, Instant.range.lowerBound, Instant.range.upperBound,
        ]
        try await roundTrip(instants.map { Instant(microseconds: $0) }) {
            "select \($0)::timestamptz"
        }
        let dates = ["0001-01-01", "1970-01-01", "2000-02-29", "9999-12-31"].compactMap {
            CalendarDate($0)
        }
        #expect(dates.count == 4)
        try await roundTrip(dates) { "select \($0)::date" }
        try await TestDatabase.withPool { database, _ in
            let query: Query<Columns<Instant, CalendarDate, String>> = """
                select '2026-12-01 10:00:00.25+09'::timestamptz, '2024-02-29'::date,
                    \(CalendarDate("2024-02-29"))::date::text
                """
            let (instant, date, text) = try await database.one(query).values
            #expect(instant.description == "2026-12-01T01:00:00.25Z")
            #expect(date.description == "2024-02-29")
            #expect(text == "2024-02-29")
        }
    }

    @Test func infiniteTimesAreRefused() async throws {
        try await TestDatabase.withPool { database, _ in
            for text in ["infinity", "-infinity"] {
                await #expect(throws: PostgresError.self) {
                    try await database.one("select \(text)::timestamptz" as Query<Instant>)
                }
                await #expect(throws: PostgresError.self) {
                    try await database.one("select \(text)::date" as Query<CalendarDate>)
                }
            }
            await #expect(throws: PostgresError.self) {
                try await database.one("select '4000-01-01 BC'::timestamptz" as Query<Instant>)
            }
        }
    }

    @Test func exactDecimals() async throws {
        let texts = [
            "0", "0.00", "1", "-1", "10000", "9999.9999", "0.0001", "0.00001", "-0.10",
            "123456789.123456789",
            "99999999999999999999999999999999999999", "-0.000000000000000000000000000001",
            "10000000000000000000000000000", "99999999.999999999999999999999999999999",
            "100000000.00000000",
        ]
        try await TestDatabase.withPool { database, _ in
            for text in texts {
                let value = try #require(ExactDecimal(text))
                let query: Query<Columns<ExactDecimal, String, ExactDecimal>> =
                    "select \(value)::numeric, \(value)::numeric::text, \(text)::text::numeric"
                let (echo, printed, parsed) = try await database.one(query).values
                #expect(echo.description == text)
                #expect(printed == text)
                #expect(parsed.description == text)
            }
            for text in ["NaN", "Infinity", "-Infinity", "1e38", "1e-31"] {
                await #expect(throws: PostgresError.self) {
                    try await database.one("select \(text)::text::numeric" as Query<ExactDecimal>)
                }
            }
        }
    }

    private enum Owner {}
    private enum Colour: String { case red, green }

    @Test func identifiersAndEnumerations() async throws {
        try await TestDatabase.withPool { database, _ in
            let id = Identifier<Owner>(trusted: Identifier<Owner>.maximum)
            try await expect("select \(id)" as Query<Identifier<Owner>>, id, database)
            await #expect(throws: PostgresError.self) {
                try await database.one("select 0::bigint" as Query<Identifier<Owner>>)
            }
            let query: Query<Columns<Bool, Bool, Int64>> = """
                select \(Colour.green)::text = 'green', \(nil as Colour?)::text is null,
                    (select sum(x)::bigint from unnest(\([id, id])) x)
                """
            let (isGreen, isNull, sum) = try await database.one(query).values
            #expect(isGreen && isNull)
            #expect(sum == id.rawValue * 2)
        }
    }

    private struct Painted: PostgresRow {
        let colour: Colour
        let other: Colour?

        init(_ columns: inout ColumnReader) throws {
            colour = try columns.next()
            other = try columns.next()
        }
    }

    @Test func enumerationsInRows() async throws {
        try await TestDatabase.withPool { database, _ in
            try await database.run("create type colour as enum ('red', 'green', 'blue')")
            try await database.run("create table wall (a colour not null, b colour)")
            try await database.run("insert into wall (a, b) values (\(Colour.red), null)")
            let wall = try await database.one(
                "select a, b from wall where a = \(Colour.red)" as Query<Painted>)
            #expect(wall.colour == .red && wall.other == nil)
            try await database.run("update wall set b = 'blue'")
            await #expect(throws: PostgresError.self) {
                try await database.one("select a, b from wall" as Query<Painted>)
            }
        }
    }

    @Test func mismatchesNameTheColumn() async throws {
        try await TestDatabase.withPool { database, _ in
            let cases: [(Query<Int64>, String)] = [
                ("select null::bigint as seats", "seats"), ("select 'x' as seats", "seats"),
                ("select 1.5::float8 as seats", "seats"),
            ]
            for (query, name) in cases {
                do {
                    _ = try await database.one(query)
                    Issue.record("\(query) was read")
                } catch PostgresError.decode(let column, _) {
                    #expect(column == name)
                }
            }
            await #expect(throws: PostgresError.self) {
                try await database.one("select 1::bigint, 2::bigint" as Query<Int64>)
            }
            await #expect(throws: PostgresError.self) {
                try await database.one("select 1::bigint" as Query<Columns<Int64, Int64>>)
            }
        }
    }

    @Test func textWithNulNeverReachesTheServer() async throws {
        try await TestDatabase.withPool { database, _ in
            let before = database.statistics[0].queries
            for query in ["select \("a\0b")", "select \(["a", "\0"])"] as [Query<String>] {
                await #expect(
                    throws: PostgresError.invalidValue("text must not hold the character NUL")
                ) {
                    try await database.one(query)
                }
            }
            #expect(database.statistics[0].queries == before)
        }
    }

    @Test func moreValuesThanTheProtocolTakesAreRefused() async throws {
        try await TestDatabase.withPool { database, _ in
            var list: SQL = "select 0"
            for number in 0..<1000 { list = "\(raw: list) + \(number)" }
            let sum = try await database.one("\(raw: list)" as Query<Int>)
            #expect(sum == 499_500)
            for _ in 0..<7 { list = "\(raw: list) + (\(raw: list))" }
            await #expect(throws: PostgresError.invalidValue("more than 65535 values")) {
                try await database.one("\(raw: list)" as Query<Int>)
            }
        }
    }

    @Test func statementsAreDescribedWithoutRunning() async throws {
        try await TestDatabase.with { test in
            let names = try await MaintenanceConnection.run(test.configuration) { connection in
                let division: SQL = "select 1 / \(0 as Int64) as share, \("x")::text as name"
                return try connection.describe(division).map(\.name)
            }
            #expect(names == ["share", "name"])
            await #expect(throws: PostgresError.self) {
                try await MaintenanceConnection.run(test.configuration) { connection in
                    try connection.describe("select nothing from nowhere").count
                }
            }
        }
    }
}
