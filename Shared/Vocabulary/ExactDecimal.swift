// Prices and volumes: decimal digits as they came, never through binary floating point.

/// An exact decimal number of up to 38 digits, at most 30 of them behind the point. JSON: a string in plain notation, with
/// the digits it was made from (`0.10` stays `0.10`); a JSON number is read too.
public struct ExactDecimal: Sendable {
    /// The number without its point.
    public let unscaled: Int128
    /// Digits behind the point, 0 to 30.
    public let scale: Int

    /// The most digits behind the point.
    public static let maximumScale = 30
    private static let limit: Int128 = 99_999_999_999_999_999_999_999_999_999_999_999_999

    /// `unscaled` × 10^-`scale`; `nil` beyond 38 digits or 30 places.
    public init?(unscaled: Int128, scale: Int) {
        guard (0...Self.maximumScale).contains(scale), unscaled.magnitude <= Self.limit.magnitude
        else { return nil }
        self.unscaled = unscaled
        self.scale = scale
    }

    /// A whole number.
    public init(_ whole: Int) {
        unscaled = Int128(whole)
        scale = 0
    }

    /// Zero.
    public static let zero = ExactDecimal(0)

    /// Rounded to so many places, half away from zero; more places are filled with zeros when they fit.
    public func rounded(scale places: Int) -> ExactDecimal {
        if places >= scale {
            return rescaled(to: min(places, Self.maximumScale)) ?? self
        }
        let divisor = Self.power(scale - max(places, 0))
        let (quotient, remainder) = unscaled.quotientAndRemainder(dividingBy: divisor)
        let up = remainder.magnitude * 2 >= divisor.magnitude
        let step: Int128 = unscaled < 0 ? -1 : 1
        return ExactDecimal(unscaled: up ? quotient + step : quotient, scale: max(places, 0))
            ?? self
    }

    private func rescaled(to places: Int) -> ExactDecimal? {
        let (product, overflow) = unscaled.multipliedReportingOverflow(
            by: Self.power(places - scale))
        return overflow ? nil : ExactDecimal(unscaled: product, scale: places)
    }

    private static func power(_ exponent: Int) -> Int128 {
        var value: Int128 = 1
        for _ in 0..<exponent { value *= 10 }
        return value
    }

    /// The sum; `nil` when it has too many digits.
    public static func + (left: Self, right: Self) -> ExactDecimal? {
        guard let (first, second, scale) = aligned(left, right) else { return nil }
        let (sum, overflow) = first.addingReportingOverflow(second)
        return overflow ? nil : ExactDecimal(unscaled: sum, scale: scale)
    }

    /// The difference; `nil` when it has too many digits.
    public static func - (left: Self, right: Self) -> ExactDecimal? {
        guard let (first, second, scale) = aligned(left, right) else { return nil }
        let (difference, overflow) = first.subtractingReportingOverflow(second)
        return overflow ? nil : ExactDecimal(unscaled: difference, scale: scale)
    }

    /// The product; `nil` when it has too many digits.
    public static func * (left: Self, right: Self) -> ExactDecimal? {
        let (product, overflow) = left.unscaled.multipliedReportingOverflow(by: right.unscaled)
        return overflow ? nil : ExactDecimal(unscaled: product, scale: left.scale + right.scale)
    }

    private static func aligned(_ left: Self, _ right: Self) -> (Int128, Int128, Int)? {
        let scale = max(left.scale, right.scale)
        guard let first = left.rescaled(to: scale), let second = right.rescaled(to: scale) else {
            return nil
        }
        return (first.unscaled, second.unscaled, scale)
    }

    /// Without zeros at the end behind the point.
    public var trimmed: ExactDecimal {
        var value = unscaled
        var places = scale
        while places > 0 && value % 10 == 0 {
            value /= 10
            places -= 1
        }
        return ExactDecimal(unscaled: value, scale: places) ?? self
    }
}

extension ExactDecimal: Hashable, Comparable {
    /// Equal by value: `1.0` equals `1.00`.
    public static func == (left: Self, right: Self) -> Bool {
        let first = left.trimmed
        let second = right.trimmed
        return first.unscaled == second.unscaled && first.scale == second.scale
    }

    /// By value.
    public static func < (left: Self, right: Self) -> Bool {
        if let (first, second, _) = aligned(left, right) { return first < second }
        // Too far apart to align: the whole parts decide.
        return left.unscaled / power(left.scale) < right.unscaled / power(right.scale)
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        let value = trimmed
        hasher.combine(value.unscaled)
        hasher.combine(value.scale)
    }
}

extension ExactDecimal: LosslessStringConvertible {
    /// Reads plain or exponent notation: `-12.50`, `1e-8`.
    public init?(_ description: String) {
        var unscaled: Int128 = 0
        var scale = 0
        var digits = 0
        var negative = false
        var inFraction = false
        var bytes = description.utf8[...]
        if bytes.first == 0x2D {
            negative = true
            bytes = bytes.dropFirst()
        }
        while let byte = bytes.first {
            if (0x30...0x39).contains(byte) {
                let (product, overflow) = unscaled.multipliedReportingOverflow(by: 10)
                if overflow { return nil }
                let (sum, carry) = product.addingReportingOverflow(Int128(byte - 0x30))
                if carry { return nil }
                unscaled = sum
                digits += 1
                if inFraction { scale += 1 }
            } else if byte == 0x2E && !inFraction && digits > 0 {
                inFraction = true
            } else {
                break
            }
            bytes = bytes.dropFirst()
        }
        guard digits > 0, !inFraction || scale > 0 else { return nil }
        if let byte = bytes.first {
            guard byte == 0x65 || byte == 0x45, let exponent = Int(String(bytes.dropFirst()) ?? ""),
                (-76...76).contains(exponent)
            else { return nil }
            scale -= exponent
            while scale < 0 {
                let (product, overflow) = unscaled.multipliedReportingOverflow(by: 10)
                if overflow { return nil }
                unscaled = product
                scale += 1
            }
        }
        self.init(unscaled: negative ? -unscaled : unscaled, scale: scale)
    }

    /// Plain notation, never an exponent.
    public var description: String {
        var digits = String(unscaled.magnitude)
        if scale > 0 {
            let missing = scale + 1 - digits.utf8.count
            if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -scale))
        }
        return unscaled < 0 ? "-" + digits : digits
    }
}
