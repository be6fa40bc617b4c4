// A JSON number is kept as its text, so that reading and writing a document changes no digit of it.

/// A number as JSON writes it. Two are equal if their texts are.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The text, which is a number by RFC 8259, section 6.
    public let text: String

    /// A number from its text; `nil` if that is not a JSON number.
    public init?(_ text: String) {
        guard let value = try? JSONValue(parsing: [UInt8](text.utf8)), let number = value.number,
            number.text == text
        else { return nil }
        self = number
    }

    /// An integer.
    public init(_ value: some FixedWidthInteger) {
        text = value.description
    }

    /// The number in the fewest digits that read back the same; `nil` if it is not finite.
    public init?(_ value: Double) {
        guard value.isFinite, let bytes = try? JSONCoder.standard.encode(value) else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }

    init(checked text: String) {
        self.text = text
    }

    /// The integer; `nil` if the text has a fraction or an exponent, or does not fit.
    public var int: Int? { Int(text) }

    /// The nearest `Double`; `nil` if the number is too large for one.
    public var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The text.
    public var description: String { text }
}
