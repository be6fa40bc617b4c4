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
