// The length of text as people count it, and what text may not hold.

/// What text must be like.
enum TextRule {
    /// The most bytes a character may take on average, so that a short text of endless combining
    /// marks is not short. The longest emoji sequences in use take under 36.
    static let maximumBytesPerCharacter = 36

    /// Why text breaks the rule; `nil` when it does not. Continues "the field …".
    static func violation(
        _ text: String, _ length: ClosedRange<Int>, multiline: Bool
    ) -> String? {
        let count: Int
        if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) {
            let bytes = text.utf8.drop { $0 == 0x20 }
            count = bytes.count - bytes.reversed().prefix { $0 == 0x20 }.count
        } else {
            guard !hasControls(text, multiline: multiline) else {
                return "must not have control characters"
            }
            count = visibleCount(text)
        }
        guard length.contains(count) else { return "must have \(amount(length, "character"))" }
        guard text.utf8.count <= max(length.upperBound, 1) * maximumBytesPerCharacter else {
            return "has too many combining marks or surrounding spaces"
        }
        return nil
    }

    private static func hasControls(_ text: String, multiline: Bool) -> Bool {
        text.unicodeScalars.contains { scalar in
            let isBreak = scalar == "\n" || scalar == "\r" || scalar == "\t"
            return scalar.properties.generalCategory == .control && !(multiline && isBreak)
        }
    }

    /// The length in grapheme clusters without surrounding white space; 0 when nothing would show.
    private static func visibleCount(_ text: String) -> Int {
        let isBlank = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
                || scalar == "\u{2800}"
        }
        if isBlank { return 0 }
        let start = text.drop(while: \.isWhitespace)
        return start.count - start.reversed().prefix(while: \.isWhitespace).count
    }

    /// Such as "1 to 20 characters".
    static func amount(_ range: ClosedRange<Int>, _ unit: String) -> String {
        let plural = range.upperBound == 1 ? unit : unit + "s"
        if range.lowerBound == range.upperBound { return "\(range.lowerBound) \(plural)" }
        if range.lowerBound == 0 { return "at most \(range.upperBound) \(plural)" }
        return "\(range.lowerBound) to \(range.upperBound) \(plural)"
    }
}
