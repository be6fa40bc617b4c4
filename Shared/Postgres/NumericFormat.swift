// PostgreSQL's binary numeric (numeric_send): digits in base 10,000 aligned to the decimal point,
// without zeros at either end; weight is the power of the first digit.

enum NumericFormat {
    private static let negative: UInt16 = 0x4000

    /// Appends `unscaled` × 10^-`scale`.
    static func encode(_ unscaled: Int128, scale: Int, into values: inout BoundValues) {
        let magnitude = unscaled.magnitude
        let unit = power(scale)
        var (whole, fraction) = magnitude.quotientAndRemainder(dividingBy: unit)
        let fractionDigits = (scale + 3) / 4
        fraction *= power(fractionDigits * 4 - scale)

        // Least significant first.
        var digits: [UInt16] = []
        digits.reserveCapacity(20)
        for _ in 0..<fractionDigits {
            digits.append(UInt16(fraction % 10_000))
            fraction /= 10_000
        }
        while whole > 0 {
            digits.append(UInt16(whole % 10_000))
            whole /= 10_000
        }
        while digits.last == 0 { digits.removeLast() }
        let weight = digits.count - fractionDigits - 1
        let zeros = digits.prefix { $0 == 0 }.count

        values.append(bigEndian: Int16(digits.count - zeros))
        values.append(bigEndian: Int16(digits.isEmpty ? 0 : weight))
        values.append(bigEndian: unscaled < 0 ? negative : 0)
        values.append(bigEndian: UInt16(scale))
        for digit in digits.dropFirst(zeros).reversed() { values.append(bigEndian: digit) }
    }

    /// The number with as many places as the server shows; `nil` for NaN, infinities and what 128
    /// bits cannot hold.
    static func decode(_ cell: Cell) -> (unscaled: Int128, scale: Int)? {
        guard cell.bytes.count >= 8 else { return nil }
        let count = Int(cell.load(Int16.self))
        let weight = Int(cell.load(Int16.self, at: 2))
        let sign = cell.load(UInt16.self, at: 4)
        let scale = Int(cell.load(UInt16.self, at: 6))
        guard sign == 0 || sign == negative, count >= 0, cell.bytes.count == 8 + 2 * count
        else { return nil }
        if count == 0 { return (0, scale) }

        // How far the last digit's unit is from that of the result.
        let shift = (weight - count + 1) * 4 + scale
        guard (-3...38).contains(shift) else { return nil }
        var value: UInt128 = 0
        for position in 0..<count {
            var digit = UInt128(cell.load(UInt16.self, at: 8 + 2 * position))
            var base: UInt128 = 10_000
            if position == count - 1 && shift < 0 {
                base = power(4 + shift)
                digit /= power(-shift)
            }
            let (product, overflow) = value.multipliedReportingOverflow(by: base)
            let (sum, carry) = product.addingReportingOverflow(digit)
            if overflow || carry { return nil }
            value = sum
        }
        if shift > 0 {
            let (product, overflow) = value.multipliedReportingOverflow(by: power(shift))
            if overflow { return nil }
            value = product
        }
        guard let signed = Int128(exactly: value) else { return nil }
        return (sign == negative ? -signed : signed, scale)
    }

    /// Ten to the power of 0 to 38.
    private static func power(_ exponent: Int) -> UInt128 {
        var value: UInt128 = 1
        for _ in 0..<exponent { value *= 10 }
        return value
    }
}
