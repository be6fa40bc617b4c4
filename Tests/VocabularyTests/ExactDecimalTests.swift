// Decimals: the digits that came in are the digits that go out.

import JSON
import Testing
import Vocabulary

@Suite struct ExactDecimalTests {
    private func decimal(_ text: String) throws -> ExactDecimal {
        try #require(ExactDecimal(text), "\(text)")
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("0.10", "0.10"), ("-12.50", "-12.50"), ("007.5", "7.5"),
        ("0.00000001", "0.00000001"), ("1e-8", "0.00000001"), ("1E-8", "0.00000001"),
        ("1.5e3", "1500"), ("1.5e+1", "15"), ("1.50e1", "15.0"),
        ("-1e-30", "-0." + zeros(29) + "1"), ("0e0", "0"), ("12e0", "12"),
        ("1e37", "1" + zeros(37)),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ("-99999999.999999999999999999999999999999", "-99999999.999999999999999999999999999999"),
        ("0.000000000000000000000000000001", "0.000000000000000000000000000001"),
        (zeros(60) + "1", "1"),
    ])
    func readAndPrinted(text: String, printed: String) throws {
        #expect(try decimal(text).description == printed)
    }

    @Test(arguments: [
        "", "-", "+1", ".5", "1.", "1.e5", "1e", "e5", "1e+", "--1", "1,5", "1 ", " 1", "1..2",
        "1.2.3", "0x10", "NaN", "inf", "1e5.0", "1e+-5", "1_000", "１",
        "100000000000000000000000000000000000000", "1e38", "1e-31", "1e77", "1e-77",
        "0.0000000000000000000000000000001", "1e9223372036854775807", "1e-9223372036854775808",
        "1e99999999999999999999", "1e-99999999999999999999",
    ])
    func refused(text: String) {
        #expect(ExactDecimal(text) == nil)
    }

    @Test func equalByValue() throws {
        #expect(try decimal("1.0") == decimal("1.000"))
        #expect(try decimal("1.0").hashValue == decimal("1.000").hashValue)
        #expect(try decimal("100") == decimal("1e2"))
        #expect(try decimal("0.0") == ExactDecimal.zero)
        #expect(try decimal("-0.0") == ExactDecimal.zero)
        #expect(try decimal("1.0") != decimal("1.01"))
        #expect(try Set([decimal("2.50"), decimal("2.5"), decimal("2.500")]).count == 1)
    }

    @Test func order() throws {
        let sorted = [
            "-99999999999999999999999999999999999999", "-1.01", "-1",
            "-0.000000000000000000000000000001", "0", "0.000000000000000000000000000001", "0.1",
            "0.2", "0.10000000000000000000000000001e1", "1.5", "12345678",
            "12345678.000000000000000000000000000001", "123456789012345678901234567890",
        ]
        for (place, text) in sorted.enumerated() {
            for (other, otherText) in sorted.enumerated() {
                #expect(try (decimal(text) < decimal(otherText)) == (place < other))
                #expect(try (decimal(text) == decimal(otherText)) == (place == other))
            }
        }
    }

    @Test func arithmetic() throws {
        #expect(try (decimal("0.1") + decimal("0.2"))?.description == "0.3")
        #expect(try (decimal("1.50") - decimal("0.5"))?.description == "1.00")
        #expect(try (decimal("0.00000001") * decimal("3"))?.description == "0.00000003")
        #expect(try (decimal("-1.5") * decimal("1.50"))?.description == "-2.250")
        let most = try decimal("99999999999999999999999999999999999999")
        #expect(try most + decimal("1") == nil)
        #expect(try decimal("-99999999999999999999999999999999999999") - decimal("1") == nil)
        #expect(most * most == nil)
        #expect(try most + decimal("0.1") == nil)
        #expect(try (decimal("1e-16") * decimal("1e-16")) == nil)
        #expect((most - most) == .zero)
    }

    @Test(arguments: [
        ("2.345", 2, "2.35"), ("2.344", 2, "2.34"), ("-2.345", 2, "-2.35"), ("-2.344", 2, "-2.34"),
        ("0.5", 0, "1"), ("0.4", 0, "0"), ("-0.5", 0, "-1"), ("1.5", 4, "1.5000"),
        ("9.99", 1, "10.0"),
        ("7", 0, "7"), ("1.25", 0, "1"), ("123.456", -2, "123"),
        // No room for the zeros: the value stays as it is.
        ("99999999999999999999999999999999999999", 1, "99999999999999999999999999999999999999"),
    ])
    func rounding(text: String, places: Int, expected: String) throws {
        #expect(try decimal(text).rounded(scale: places).description == expected)
    }

    @Test func trimming() throws {
        #expect(try decimal("1.500").trimmed.description == "1.5")
        #expect(try decimal("100.000").trimmed.description == "100")
        #expect(try decimal("0.000").trimmed.description == "0")
    }

    @Test func bounds() {
        #expect(ExactDecimal(unscaled: 1, scale: 31) == nil)
        #expect(ExactDecimal(unscaled: 1, scale: -1) == nil)
        #expect(ExactDecimal(unscaled: .max, scale: 0) == nil)
        #expect(ExactDecimal(unscaled: .min, scale: 0) == nil)
        #expect(ExactDecimal(.min).description == "-9223372036854775808")
    }

    @Test func json() throws {
        #expect(try written([decimal("0.10")]) == #"["0.10"]"#)
        #expect(try read(#"["0.10"]"#, as: [ExactDecimal].self)[0].description == "0.10")
        // A number of more digits than a Double has.
        let number = "[-1234567890123456789.0123456789,0.1,1e-8,0,12]"
        let values = try read(number, as: [ExactDecimal].self)
        let texts = ["-1234567890123456789.0123456789", "0.1", "0.00000001", "0", "12"]
        #expect(values.map(\.description) == texts)
        #expect(try read(try written(values)) == values)
    }

    @Test(arguments: [
        #""""#, #""1,5""#, "true", "null", "[]", "1e39", "1e-31", "1e9223372036854775807",
        "1e-9223372036854775808", "123456789012345678901234567890123456789",
        "0.12345678901234567890123456789012345678901",
    ])
    func refusedJSON(text: String) {
        let failure = #expect(throws: JSONFailure.self) {
            try read(#"{"price":\#(text)}"#, as: [String: ExactDecimal].self)
        }
        #expect(failure?.path == "price")
    }
}

private func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
