// Bounds of request fields, as data: checked before a handler runs and printed into OpenAPI, so the
// document cannot promise other bounds than the server enforces.

/// A bound on one field of a request. A field that is absent or null satisfies every rule.
public struct FieldRule: Sendable, Hashable {
    /// What is bounded.
    public enum Bound: Sendable, Hashable {
        /// Text, by its length in grapheme clusters after trimming, as `TextRule` counts. Control
        /// characters are refused, except line breaks and tabs where `multiline`. A handler applies
        /// `TextRule` again for the form in which to keep the text.
        case text(length: ClosedRange<Int>, multiline: Bool)
        /// Text that is taken as it is, such as a password, by its length in grapheme clusters.
        case secret(length: ClosedRange<Int>)
        /// An e-mail address, by its length as of other text.
        case email(length: ClosedRange<Int>)
        /// A whole number.
        case integer(ClosedRange<Int64>)
        /// A number that may have a fraction.
        case number(ClosedRange<Double>)
        /// A list or dictionary, by its number of elements.
        case count(ClosedRange<Int>)
    }

    /// The field's path: "nickname", "place.name" for a field inside another, "tags[]" for each
    /// element of a list.
    public let field: String
    /// What is bounded.
    public let bound: Bound

    /// A bound on a field.
    public init(_ field: String, _ bound: Bound) {
        self.field = field
        self.bound = bound
    }

    /// Text of so many characters (grapheme clusters, after trimming); one line unless `multiline`.
    public static func text(
        _ field: String, _ length: ClosedRange<Int>, multiline: Bool = false
    ) -> FieldRule {
        FieldRule(field, .text(length: length, multiline: multiline))
    }

    /// Text of so many characters, of any kind, of which none is trimmed or changed.
    public static func secret(_ field: String, _ length: ClosedRange<Int>) -> FieldRule {
        FieldRule(field, .secret(length: length))
    }

    /// An e-mail address: what can be told without sending a message.
    public static func email(_ field: String, _ length: ClosedRange<Int>) -> FieldRule {
        FieldRule(field, .email(length: length))
    }

    /// A whole number within bounds.
    public static func number(_ field: String, _ range: ClosedRange<Int64>) -> FieldRule {
        FieldRule(field, .integer(range))
    }

    /// A number, perhaps with a fraction, within bounds.
    public static func decimal(_ field: String, _ range: ClosedRange<Double>) -> FieldRule {
        FieldRule(field, .number(range))
    }

    /// A list or dictionary of so many elements.
    public static func count(_ field: String, _ range: ClosedRange<Int>) -> FieldRule {
        FieldRule(field, .count(range))
    }
}
