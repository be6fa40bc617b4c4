// Numbers from the digits of a document, none of them through a type that cannot hold them.

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension FixedWidthInteger {
    /// The value of a JSON integer, if it fits.
    @inline(__always)
    init?(digits text: UnsafeBufferPointer<UInt8>) {
        let isNegative = text[0] == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        if text.count <= 18 {
            var magnitude: Int64 = 0
            for index in start..<text.count {
                magnitude = magnitude &* 10 &+ Int64(text[index] &- UInt8(ascii: "0"))
            }
            self.init(exactly: isNegative ? 0 &- magnitude : magnitude)
            return
        }
        self.init(longDigits: text, from: start, isNegative: isNegative)
    }

    private init?(longDigits text: UnsafeBufferPointer<UInt8>, from start: Int, isNegative: Bool) {
        var value: Self = 0
        for index in start..<text.count {
            let digit = Self(text[index] &- UInt8(ascii: "0"))
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isBeyond) =
                isNegative
                ? product.subtractingReportingOverflow(digit)
                : product.addingReportingOverflow(digit)
            if isTooLarge || isBeyond { return nil }
            value = sum
        }
        self = value
    }
}

/// Powers of ten that `Double` holds exactly.
private let exactPowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]

/// The nearest `Double` to a JSON number where one operation on exact operands finds it, which is
/// so for up to 15 digits and small exponents (W. D. Clinger, How to read floating point numbers
/// accurately, 1990); `nil` where it takes more.
func exactDouble(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard text.count <= 24 else { return nil }
    var place = 0
    let isNegative = text[0] == UInt8(ascii: "-")
    if isNegative { place = 1 }
    var mantissa: UInt64 = 0
    var digits = 0
    var exponent = 0
    var isFraction = false
    while place < text.count {
        let byte = text[place]
        if byte == UInt8(ascii: ".") {
            isFraction = true
        } else if byte &- UInt8(ascii: "0") < 10 {
            if mantissa != 0 || byte != UInt8(ascii: "0") { digits += 1 }
            mantissa = mantissa &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
            if isFraction { exponent -= 1 }
        } else {
            break
        }
        place += 1
    }
    guard digits <= 15 else { return nil }
    if place < text.count {
        guard let written = Int(String(decoding: text[(place + 1)...], as: UTF8.self)),
            -1000...1000 ~= written
        else { return nil }
        exponent += written
    }
    guard -22...22 ~= exponent else { return nil }
    let magnitude = Double(mantissa)
    let power = exactPowers[abs(exponent)]
    let value = exponent < 0 ? magnitude / power : magnitude * power
    return isNegative ? -value : value
}

/// A JSON number as a `Decimal` of the same value, or `nil` where there is none: it holds 38 digits
/// and exponents from -128 to 127.
func exactDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Decimal? {
    var exponent = 0
    var fractionDigits = 0
    var isFraction = false
    // The digits between the first and the last that are not zero; zeros behind wait for one.
    var significant = 0
    var zeros = 0
    var place = 0
    scan: while place < text.count {
        let byte = text[place]
        place += 1
        switch byte {
        case UInt8(ascii: "-"): continue
        case UInt8(ascii: "."): isFraction = true
        case UInt8(ascii: "e"), UInt8(ascii: "E"):
            guard let written = Int(String(decoding: text[place...], as: UTF8.self)),
                -100_000...100_000 ~= written
            else { return significant == 0 ? 0 : nil }
            exponent = written
            break scan
        default:
            if isFraction { fractionDigits += 1 }
            if byte == UInt8(ascii: "0") {
                if significant > 0 { zeros += 1 }
            } else {
                significant += zeros + 1
                zeros = 0
            }
        }
    }
    guard significant > 0 else { return 0 }
    // The exponent of the last digit that is not zero.
    let lowest = exponent - fractionDigits + zeros
    guard significant <= 38, -128...127 ~= lowest else { return nil }
    return Decimal(string: String(decoding: text, as: UTF8.self))
}
