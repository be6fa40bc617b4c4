// Identities of rows. A type for each kind of owner, so that a party's id can't be passed where a user's belongs.

/// The id of one `Owner`: an integer from 1 to 2^53 - 1, exact in JavaScript too. A JSON integer.
public struct Identifier<Owner>: Hashable, Sendable, Comparable {
    /// The largest id, 2^53 - 1.
    public static var maximum: Int64 { 9_007_199_254_740_991 }

    /// The number.
    public let rawValue: Int64

    /// `nil` outside of 1 to 2^53 - 1.
    public init?(rawValue: Int64) {
        guard (1...Self.maximum).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// For ids that come from the database, whose identity columns can't leave the range. Traps outside of it.
    public init(trusted rawValue: Int64) {
        precondition((1...Self.maximum).contains(rawValue), "id \(rawValue) is out of range")
        self.rawValue = rawValue
    }

    /// Orders by number, which is the order of creation.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Identifier: LosslessStringConvertible {
    /// Reads digits only: no sign, space or leading zero.
    public init?(_ description: String) {
        let digits = description.utf8
        guard (1...16).contains(digits.count), digits.first != 0x30 else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - 0x30)
        }
        self.init(rawValue: value)
    }

    /// The number in decimal.
    public var description: String { String(rawValue) }
}

extension Identifier: Codable {
    /// Reads a JSON integer.
    /// - Throws: `DecodingError` outside of 1 to 2^53 - 1.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let value = try container.decode(Int64.self)
        guard let identifier = Self(rawValue: value) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "an id is from 1 to \(Self.maximum)")
        }
        self = identifier
    }

    /// Writes a JSON integer.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// Owner of user ids. The auth service has the accounts; all others know users by id.
public enum UserIdentity {}

/// The id of a user.
public typealias UserID = Identifier<UserIdentity>
