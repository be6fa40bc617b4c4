// A moment, with the precision PostgreSQL keeps. Our own type, because the app and the server must agree on what a
// timestamp looks like, and because printing one is on the path of most answers.

/// A moment in time to the microsecond, from year 1 to 9999. JSON: RFC 3339 in UTC, `2026-12-01T10:00:00Z`, with a fraction
/// only when there is one.
public struct Instant: Hashable, Sendable, Comparable {
    /// Microseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let microseconds: Int64

    /// The first microsecond of year 1 and the last of year 9999.
    public static let range = Int64(-62_135_596_800_000_000)...Int64(253_402_300_799_999_999)

    /// A count of microseconds since 1970; out of range it becomes the nearest end.
    public init(microseconds: Int64) {
        self.microseconds = min(max(microseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// The moment so many seconds later.
    public func adding(seconds: Int) -> Instant {
        let (product, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
        let (sum, carry) = microseconds.addingReportingOverflow(product)
        if overflow || carry {
            let end = seconds < 0 ? Self.range.lowerBound : Self.range.upperBound
            return Instant(microseconds: end)
        }
        return Instant(microseconds: sum)
    }

    /// Seconds from `other` to this; negative when this is earlier.
    public func seconds(since other: Instant) -> Double {
        Double(microseconds - other.microseconds) / 1e6
    }

    /// Whole seconds since 1970, rounded down: the NumericDate of a JWT.
    public var secondsSince1970: Int64 {
        microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000
    }

    /// Earlier first.
    public static func < (left: Self, right: Self) -> Bool {
        left.microseconds < right.microseconds
    }
}

extension Instant: LosslessStringConvertible {
    /// Reads RFC 3339 with `Z` or an offset; digits beyond microseconds are dropped. Leap seconds are refused.
    public init?(_ description: String) {
        var description = description
        guard let instant = description.withUTF8({ Self.parse($0) }) else { return nil }
        self = instant
    }

    private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        func number(_ start: Int, _ count: Int) -> Int? {
            guard start + count <= bytes.count else { return nil }
            var value = 0
            for position in start..<start + count {
                guard (0x30...0x39).contains(bytes[position]) else { return nil }
                value = value * 10 + Int(bytes[position] - 0x30)
            }
            return value
        }
        func isByte(_ position: Int, _ byte: UInt8) -> Bool {
            position < bytes.count && bytes[position] == byte
        }
        guard let year = number(0, 4), isByte(4, 0x2D), let month = number(5, 2), isByte(7, 0x2D),
            let day = number(8, 2), isByte(10, 0x54) || isByte(10, 0x74), let hour = number(11, 2),
            isByte(13, 0x3A), let minute = number(14, 2), isByte(16, 0x3A),
            let second = number(17, 2), hour < 24, minute < 60, second < 60,
            let date = CalendarDate(year: year, month: month, day: day)
        else { return nil }
        var position = 19
        var fraction = 0
        if isByte(position, 0x2E) {
            position += 1
            let start = position
            while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
                if position - start < 6 { fraction = fraction * 10 + Int(bytes[position] - 0x30) }
                position += 1
            }
            guard position > start else { return nil }
            for _ in min(position - start, 6)..<6 { fraction *= 10 }
        }
        var offset = 0
        if isByte(position, 0x5A) || isByte(position, 0x7A) {
            guard position + 1 == bytes.count else { return nil }
        } else {
            guard isByte(position, 0x2B) || isByte(position, 0x2D), position + 6 == bytes.count,
                let hours = number(position + 1, 2), isByte(position + 3, 0x3A),
                let minutes = number(position + 4, 2), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[position] == 0x2B ? 60 : -60)
        }
        let days = Int64(date.daysSince1970) * 86_400
        let seconds = days + Int64(hour * 3600 + minute * 60 + second - offset)
        let total = seconds * 1_000_000 + Int64(fraction)
        return range.contains(total) ? Instant(microseconds: total) : nil
    }

    /// RFC 3339 in UTC.
    public var description: String {
        String(unsafeUninitializedCapacity: 27) { buffer in
            write(into: buffer)
        }
    }

    /// Writes RFC 3339 in UTC, at most 27 bytes.
    /// - Returns: the number of bytes written.
    public func write(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let seconds = secondsSince1970
        let fraction = Int(microseconds - seconds * 1_000_000)
        let days = Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
        let rest = Int(seconds) - days * 86_400
        let (year, month, day) = Civil.date(days)
        func put(_ value: Int, _ start: Int, _ count: Int) {
            var value = value
            for position in stride(from: start + count - 1, through: start, by: -1) {
                buffer[position] = UInt8(0x30 + value % 10)
                value /= 10
            }
        }
        put(year, 0, 4)
        buffer[4] = 0x2D
        put(month, 5, 2)
        buffer[7] = 0x2D
        put(day, 8, 2)
        buffer[10] = 0x54
        put(rest / 3600, 11, 2)
        buffer[13] = 0x3A
        put(rest / 60 % 60, 14, 2)
        buffer[16] = 0x3A
        put(rest % 60, 17, 2)
        var end = 19
        if fraction != 0 {
            buffer[19] = 0x2E
            put(fraction, 20, 6)
            end = 26
            while buffer[end - 1] == 0x30 { end -= 1 }
        }
        buffer[end] = 0x5A
        return end + 1
    }
}

extension Instant: Codable {
    /// Reads a JSON string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let instant = Instant(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a time is written like 2026-12-01T10:00:00Z (RFC 3339)")
        }
        self = instant
    }

    /// Writes a JSON string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
