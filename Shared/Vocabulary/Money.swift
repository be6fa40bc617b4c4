// Amounts of money: whole minor units, so that sums are exact.

/// An amount in the minor unit of its currency: won for KRW, cents for EUR.
public struct Money: Hashable, Sendable, Codable {
    /// Minor units; negative for a debt.
    public let amount: Int64
    /// ISO 4217 code, three capital letters.
    public let currency: String

    /// `nil` when the code is not three capital letters.
    public init?(amount: Int64, currency: String) {
        guard Self.isCode(currency) else { return nil }
        self.amount = amount
        self.currency = currency
    }

    /// Won.
    public static func krw(_ amount: Int64) -> Money { Money(amount: amount) }

    private init(amount: Int64) {
        self.amount = amount
        currency = "KRW"
    }

    private enum Key: String, CodingKey {
        case amount, currency
    }

    /// Reads an object with `amount` and `currency`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        amount = try container.decode(Int64.self, forKey: .amount)
        currency = try container.decode(String.self, forKey: .currency)
        guard Self.isCode(currency) else {
            throw DecodingError.dataCorruptedError(
                forKey: .currency, in: container,
                debugDescription: "a currency is three capital letters")
        }
    }

    private static func isCode(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
}
