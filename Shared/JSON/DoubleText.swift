// The nearest Double to a decimal number without big integers: D. Lemire, Number Parsing at a
// Gigabyte per Second (2021), the algorithm of fast_float. The digits times a power of five, of
// which 128 bits are kept, decide the result; the powers here are those for which they always do.

/// The nearest `Double` to a JSON number of up to 19 digits and moderate exponent, which is nearly
/// every one; `nil` for the others, including those that are too large or too small for `Double`.
func nearestDouble(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard text.count <= 64, let start = text.baseAddress else { return nil }
    var place = start
    let end = start + text.count
    let isNegative = place.pointee == UInt8(ascii: "-")
    if isNegative { place += 1 }
    var digits: UInt64 = 0
    let first = place
    place = take(digitsInto: &digits, from: place, to: end)
    var length = place - first
    var exponent = 0
    if place < end, place.pointee == UInt8(ascii: ".") {
        let point = place + 1
        place = take(digitsInto: &digits, from: point, to: end)
        exponent = point - place
        length += place - point
    }
    // Zeros in front are no digits; counting them only sends some small numbers the long way.
    guard length <= 19 else { return nil }
    if place < end {
        let written = UnsafeBufferPointer(start: place + 1, count: end - place - 1)
        guard let power = Int(String(decoding: written, as: UTF8.self)),
            -1000...1000 ~= power
        else { return nil }
        exponent += power
    }
    guard digits != 0 else { return isNegative ? -0.0 : 0 }
    guard fivePowers.exponents.contains(exponent),
        let value = nearestDouble(digits, exponent: exponent)
    else { return nil }
    return isNegative ? -value : value
}

/// Appends the digits at a place to a number and returns the place after them.
@inline(__always)
private func take(
    digitsInto number: inout UInt64, from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
) -> UnsafePointer<UInt8> {
    var place = start
    while place < end {
        let digit = place.pointee &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        number = number &* 10 &+ UInt64(digit)
        place += 1
    }
    return place
}

/// The nearest `Double` to digits * 10^exponent, ties to even. `digits` is not zero.
private func nearestDouble(_ digits: UInt64, exponent: Int) -> Double? {
    let shift = digits.leadingZeroBitCount
    let scaled = digits << UInt64(shift)
    let power = fivePowers.table[exponent - fivePowers.exponents.lowerBound]
    var (high, low) = scaled.multipliedFullWidth(by: power.high)
    // 55 bits decide unless those below are all ones and might carry.
    if high & 0x1FF == 0x1FF {
        let (carry, isOver) = low.addingReportingOverflow(
            scaled.multipliedFullWidth(by: power.low).high)
        low = carry
        if isOver { high &+= 1 }
    }
    let upper = Int(high >> 63)
    let cut = UInt64(upper + 9)
    var mantissa = high >> cut
    // log2(10) in 16 bits of fraction.
    var binaryExponent = (217_706 * exponent) >> 16 + 63 + upper - shift + 1023
    guard binaryExponent > 0 else { return nil }
    // Exactly between two numbers: only possible where the power of five is small.
    if low <= 1, -4...23 ~= exponent, mantissa & 3 == 1, mantissa << cut == high {
        mantissa &= ~1
    }
    mantissa = (mantissa + mantissa & 1) >> 1
    if mantissa >= 1 << 53 {
        mantissa = 1 << 52
        binaryExponent += 1
    }
    guard binaryExponent < 0x7FF else { return nil }
    return Double(bitPattern: mantissa & ~(1 << 52) | UInt64(binaryExponent) << 52)
}

/// Powers of five with their highest bit moved to the top of 128; those below one are rounded up.
private struct FivePowers {
    /// The powers that fit 128 bits whole, and below one those whose inverse fits 64.
    let exponents = -27...55
    let table: [(high: UInt64, low: UInt64)]

    init() {
        table = exponents.map { exponent in
            var power: UInt128 = 1
            for _ in 0..<abs(exponent) { power *= 5 }
            guard exponent < 0 else { return Self.halves(power << power.leadingZeroBitCount) }
            // 2^(127 + bits) / power, where `bits` is the least with 2^bits >= power.
            let bits = 128 - (power - 1).leadingZeroBitCount
            let (quotient, _) = power.dividingFullWidth((1 << UInt128(bits - 1), 0))
            return Self.halves(quotient + 1)
        }
    }

    private static func halves(_ power: UInt128) -> (high: UInt64, low: UInt64) {
        (UInt64(truncatingIfNeeded: power >> 64), UInt64(truncatingIfNeeded: power))
    }
}

private let fivePowers = FivePowers()
