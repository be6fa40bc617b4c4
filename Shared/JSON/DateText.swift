// RFC 3339 dates and times, as Foundation's `Date` counts them: seconds from the first moment of
// 2001 in UTC. The arithmetic is the proleptic Gregorian calendar's, by H. Hinnant's
// days-from-civil.

/// Seconds from 1970 to 2001.
private let secondsTo2001: Int64 = 978_307_200

/// Reads `2026-01-31T09:30:00.25+09:00`; `nil` where the text is not that or there is no such day.
///
/// The letters may be small and a space may stand for the T (RFC 3339, 5.6). A leap second reads as
/// the second after it.
func secondsSince2001(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    var place = 0
    func number(_ length: Int) -> Int? {
        guard place + length <= text.count else { return nil }
        var value = 0
        for byte in text[place..<place + length] {
            guard byte &- UInt8(ascii: "0") < 10 else { return nil }
            value = value * 10 + Int(byte &- UInt8(ascii: "0"))
        }
        place += length
        return value
    }
    func take(_ bytes: StaticString) -> Bool {
        guard place < text.count else { return false }
        for index in 0..<bytes.utf8CodeUnitCount where bytes.utf8Start[index] == text[place] {
            place += 1
            return true
        }
        return false
    }
    guard let year = number(4), take("-"), let month = number(2), take("-"),
        let day = number(2), take("Tt "), let hour = number(2), take(":"),
        let minute = number(2), take(":"), let second = number(2),
        1...12 ~= month, 1...daysOf(month, in: year) ~= day, hour < 24, minute < 60, second <= 60
    else { return nil }
    var fraction = 0.0
    if take(".") {
        let start = place
        while place < text.count, text[place] &- UInt8(ascii: "0") < 10 { place += 1 }
        guard place > start else { return nil }
        fraction = Double("0." + String(decoding: text[start..<place], as: UTF8.self)) ?? 0
    }
    var offset = 0
    if !take("Zz") {
        let isEast = take("+")
        guard isEast || take("-"), let hours = number(2), take(":"), let minutes = number(2),
            hours < 24, minutes < 60
        else { return nil }
        offset = (hours * 60 + minutes) * (isEast ? 60 : -60)
    }
    guard place == text.count else { return nil }
    let days = daysSince1970(year: year, month: month, day: day)
    let seconds = Int64(days * 86_400 + hour * 3600 + minute * 60 + second - offset)
    return Double(seconds - secondsTo2001) + fraction
}

/// Writes a moment in UTC, to the microsecond; zeros at the end of the fraction are left out. `nil`
/// for moments outside the years 0000 to 9999.
func utcText(secondsSince2001 seconds: Double) -> String? {
    guard abs(seconds) < 1e12 else { return nil }
    let whole = seconds.rounded(.down)
    var micros = Int64(((seconds - whole) * 1_000_000).rounded())
    var moment = Int64(whole) + secondsTo2001
    if micros == 1_000_000 { (micros, moment) = (0, moment + 1) }
    let days = Int((moment >= 0 ? moment : moment - 86_399) / 86_400)
    let inDay = Int(moment) - days * 86_400
    let date = civil(daysSince1970: days)
    guard 0...9999 ~= date.year else { return nil }
    var text = [UInt8]()
    text.reserveCapacity(27)
    func put(_ value: Int, _ width: Int, after separator: Unicode.Scalar?) {
        if let separator { text.append(UInt8(ascii: separator)) }
        let end = text.count + width
        var rest = value
        text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: width))
        for index in stride(from: end - 1, through: end - width, by: -1) {
            text[index] += UInt8(rest % 10)
            rest /= 10
        }
    }
    put(date.year, 4, after: nil)
    put(date.month, 2, after: "-")
    put(date.day, 2, after: "-")
    put(inDay / 3600, 2, after: "T")
    put(inDay / 60 % 60, 2, after: ":")
    put(inDay % 60, 2, after: ":")
    if micros > 0 {
        put(Int(micros), 6, after: ".")
        while text.last == UInt8(ascii: "0") { text.removeLast() }
    }
    text.append(UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
}

private func daysOf(_ month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}

private func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    // The year begins in March, so that the leap day is its last. Year 0 needs no floor: with
    // January and February in the year before it is -1.
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

private func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
    return (
        yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
        dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
}
