// A day without time or zone: a birthday, a day of fixtures. Never shifted by anybody's zone.

/// A date of the proleptic Gregorian calendar, years 1 to 9999. JSON `yyyy-mm-dd`.
public struct CalendarDate: Hashable, Sendable, Comparable {
    /// Days since 1970-01-01.
    public let daysSince1970: Int32

    /// A count of days; `nil` outside of the years 1 to 9999.
    public init?(daysSince1970: Int) {
        guard (-719_162...2_932_896).contains(daysSince1970) else { return nil }
        self.daysSince1970 = Int32(daysSince1970)
    }

    /// `nil` for a date that does not exist.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.length(ofMonth: month, year)).contains(day)
        else { return nil }
        daysSince1970 = Int32(Civil.days(year, month, day))
    }

    /// Year, month from 1, day from 1.
    public var components: (year: Int, month: Int, day: Int) { Civil.date(Int(daysSince1970)) }

    /// The date so many days later, or earlier; `nil` when that leaves the years 1 to 9999.
    public func adding(days: Int) -> CalendarDate? {
        let (sum, overflow) = Int(daysSince1970).addingReportingOverflow(days)
        return overflow ? nil : CalendarDate(daysSince1970: sum)
    }

    /// Earlier first.
    public static func < (left: Self, right: Self) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CalendarDate: LosslessStringConvertible {
    /// Reads exactly `yyyy-mm-dd`.
    public init?(_ description: String) {
        let bytes = Array(description.utf8)
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D,
            let year = Civil.digits(bytes[0..<4]), let month = Civil.digits(bytes[5..<7]),
            let day = Civil.digits(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// `yyyy-mm-dd`.
    public var description: String {
        let (year, month, day) = components
        return "\(Civil.padded(year, 4))-\(Civil.padded(month, 2))-\(Civil.padded(day, 2))"
    }
}

extension CalendarDate: Codable {
    /// Reads a JSON string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = CalendarDate(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a date is written yyyy-mm-dd")
        }
        self = date
    }

    /// Writes a JSON string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Calendar arithmetic by Howard Hinnant's method (chrono-Compatible Low-Level Date Algorithms).
enum Civil {
    static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for byte in bytes {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }

    static func padded(_ value: Int, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
