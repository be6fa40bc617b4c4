// Lists, a page at a time.

/// One page of a list.
public struct Page<Item: Codable & Sendable>: Codable, Sendable {
    /// The items, in the order of the list.
    public var items: [Item]
    /// Give it as `cursor` to get the page behind this one; `nil` on the last.
    public var next: String?

    /// A page.
    public init(items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }

    private enum Key: String, CodingKey {
        case items, next
    }

    /// Reads an object with `items` and `next`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        items = try container.decode([Item].self, forKey: .items)
        next = try container.decodeIfPresent(String.self, forKey: .next)
    }

    /// Writes `next` as null on the last page, so that its absence is never a question.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(items, forKey: .items)
        try container.encode(next, forKey: .next)
    }
}

/// A language the service speaks.
public enum Language: String, Codable, Sendable, CaseIterable {
    /// Korean.
    case ko
    /// English.
    case en
}
