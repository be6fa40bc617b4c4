// Numbers, dates and text come through exactly, or not at all.

import Foundation
import JSON
import Testing

func write<T: Encodable>(_ value: T) throws -> String {
    String(decoding: try JSONCoder.standard.encode(value), as: UTF8.self)
}

@Suite struct ExactnessTests {
    @Test(arguments: [
        "0.1", "0.2", "0.3", "1e-8", "123456789.12345678", "-0.00000001", "100", "1E+3",
        "99999999999999999999999999999999999999", "12345678901234567890.123456789012345678",
        "1e127", "1e-128", "1230000e-4",
    ])
    func decimals(_ text: String) throws {
        let expected = try #require(Decimal(string: text))
        #expect(try read(text, as: Decimal.self) == expected)
        #expect(try read(write(expected), as: Decimal.self) == expected)
    }

    @Test func decimalsAreNotRounded() throws {
        #expect(try read("0e999999", as: Decimal.self) == 0)
        #expect(try read("0.1", as: Decimal.self) + read("0.2", as: Decimal.self) == 3 / 10)
        let long = "1.23456789012345678901234567890123456789"
        #expect(failure(long, as: Decimal.self)?.kind == .numberOutOfRange)
        #expect(failure("1e128", as: Decimal.self)?.kind == .numberOutOfRange)
        #expect(failure("1e-129", as: Decimal.self)?.kind == .numberOutOfRange)
        let trapping = "1e-9223372036854775808"
        #expect(failure(trapping, as: Decimal.self)?.kind == .numberOutOfRange)
        #expect(throws: JSONFailure.self) { try write(Decimal.nan) }
    }

    @Test func doubles() throws {
        #expect(try read("0.1", as: Double.self) == 0.1)
        #expect(try read("-0.0", as: Double.self).sign == .minus)
        #expect(try read("1e-400", as: Double.self) == 0.0)
        #expect(try read("1e-9223372036854775808", as: Double.self) == 0.0)
        #expect(failure("1e400", as: Double.self)?.kind == .numberOutOfRange)
        #expect(failure("1e9223372036854775807", as: Double.self)?.kind == .numberOutOfRange)
        #expect(
            try write([3.0, -0.5, 1e22, Double.leastNonzeroMagnitude, 0.1, 37.566535, -0.0001])
                == """
                [3,-0.5,1e+22,5e-324,0.1,37.566535,-0.0001]
                """)
        #expect(try write(-0.0) == "-0")
        #expect(try write(Float(0.1)) == "0.1")
    }

    @Test func doublesReadAndWriteAsTheStandardLibraryDoes() throws {
        var random = Seeded(seed: 1)
        for _ in 0..<20_000 {
            let bits = Double(bitPattern: random.next())
            let values = [
                bits.isFinite ? bits : 0, Double.random(in: -180...180, using: &random),
                Double(Int.random(in: -99_999_999...99_999_999, using: &random)) / 1_000_000,
                Double(Int64.random(in: .min ... .max, using: &random)) / 1024,
            ]
            for value in values {
                let text = try write(value)
                #expect(Double(text) == value)
                #expect(try read(text) == value)
                #expect(try read(value.description) == value)
                #expect(text.filter(\.isNumber).count <= value.description.filter(\.isNumber).count)
            }
            let digits = UInt64.random(in: 0...9_999_999_999_999_999_999, using: &random)
            let text = "\(digits)e\(Int.random(in: -40...40, using: &random))"
            #expect(try read(text) == Double(text))
        }
    }

    @Test func integersReadAndWrite() throws {
        var random = Seeded(seed: 2)
        for bits in 0..<64 {
            for _ in 0..<50 {
                let value = Int64(bitPattern: random.next()) >> Int64(bits)
                #expect(try write(value) == value.description)
                #expect(try read(value.description) == value)
            }
        }
        #expect(
            try write([UInt64.max, 0, 9, 10, 99, 100]) == "[18446744073709551615,0,9,10,99,100]")
        #expect(try write(Int.min) == Int.min.description)
        #expect(try write(Int128.min) == Int128.min.description)
        #expect(try write(UInt128.max) == UInt128.max.description)
    }

    @Test(arguments: [
        ("2026-01-31T09:30:00Z", 1_769_851_800.0),
        ("2026-01-31t18:30:00.25+09:00", 1_769_851_800.25),
        ("1970-01-01 00:00:00Z", 0), ("1969-12-31T23:59:59.5-00:00", -0.5),
        ("0000-02-29T00:00:00Z", -62_162_121_600), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ("2016-12-31T23:59:60Z", 1_483_228_800),
    ])
    func dates(_ text: String, _ seconds: Double) throws {
        let date = try read("\"\(text)\"", as: Date.self)
        #expect(date == Date(timeIntervalSince1970: seconds))
        #expect(try read(write(date), as: Date.self) == date)
    }

    @Test(arguments: [
        "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01",
        "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+0900", "",
        "2026-01-01T00:00:00Zx", "2026-01-01T00:00:61Z", "+026-01-01T00:00:00Z",
    ])
    func noDates(_ text: String) {
        #expect(failure("\"\(text)\"", as: Date.self)?.kind == .badValue)
    }

    @Test func datesWrite() throws {
        #expect(try write(Date(timeIntervalSince1970: 1.5)) == "\"1970-01-01T00:00:01.5Z\"")
        #expect(try write(Date(timeIntervalSince1970: -1)) == "\"1969-12-31T23:59:59Z\"")
        #expect(throws: JSONFailure.self) { try write(Date.distantFuture + 1e12) }
        var random = Seeded(seed: 3)
        for _ in 0..<2000 {
            let whole = Int.random(in: -62_000_000_000...253_000_000_000, using: &random)
            let date = Date(timeIntervalSince1970: Double(whole))
            // Foundation's calendar is the Julian one before 1582; RFC 3339's is not.
            if whole > -11_000_000_000 {
                #expect(try write(date) == "\"\(date.formatted(.iso8601))\"")
            }
            #expect(try read(write(date)) == date)
        }
    }

    @Test func text() throws {
        #expect(
            try read(#""\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00""#)
                == "\"\\/\u{8}\u{c}\n\r\tAé€😀")
        #expect(try write("a/\"\\\u{1}\n\u{7f}é😀") == #""a/\"\\\u0001\n"# + "\u{7f}é😀\"")
        #expect(try read("\"\\u0000\"") == "\0")
        for bad in [
            #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, #""\x""#, #""\u12g4""#, "\"\t\"",
        ] {
            #expect(failure(bad, as: String.self)?.kind == .syntax)
        }
        for bytes: [UInt8] in [
            [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
            [0xF0, 0x80, 0x80, 0x80], [0x80], [0xE2, 0x82], [0xC3],
        ] {
            #expect(throws: JSONFailure.self) {
                try JSONCoder.standard.decode(String.self, from: [0x22] + bytes + [0x22])
            }
        }
    }

    @Test func foundationTypes() throws {
        let url = try #require(URL(string: "https://example.com/a?b=c"))
        #expect(try write(url) == #""https://example.com/a?b=c""#)
        #expect(try read(write(url)) == url)
        let data = Data([0, 255, 7])
        #expect(try write(data) == #""AP8H""#)
        #expect(try read(write([data])) == [data])
        #expect(failure(#""?""#, as: Data.self)?.message == "expected base64")
        let id = UUID()
        #expect(try read(write(id)) == id)
        #expect(failure(#"["x"]"#, as: [UUID].self)?.path == "[0]")
    }
}
