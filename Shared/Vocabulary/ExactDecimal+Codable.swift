// How decimals travel. The only part that needs Foundation: its `Decimal` is how a decoder hands over a number's digits.
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ExactDecimal: Codable {
    /// Reads a JSON string or number, digit for digit.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text =
            if let text = try? container.decode(String.self) { text } else {
                "\(try container.decode(Decimal.self))"
            }
        guard let value = ExactDecimal(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a decimal has at most 38 digits, 30 of them behind the point")
        }
        self = value
    }

    /// Writes a JSON string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
