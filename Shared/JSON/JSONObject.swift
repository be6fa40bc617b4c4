// The members of a JSON object in their order. Keys are searched one by one: the documents that are
// handled as dynamic values have few members an object, and their order is what a reader sees.

/// The members of an object, in order, each key once.
///
/// Two objects are equal if they have equal values for equal keys, in whatever order.
public struct JSONObject: Sendable, Equatable, Sequence, ExpressibleByDictionaryLiteral {
    /// The members in order.
    public private(set) var members: [(key: String, value: JSONValue)]

    /// An empty object.
    public init() {
        members = []
    }

    /// An object of members in order; of a key that comes twice the first place and the last value
    /// are kept.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        self.init()
        for (key, value) in members { self[key] = value }
    }

    /// An object in the order of the literal.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self.init(members)
    }

    /// The number of members.
    public var count: Int { members.count }

    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The keys in order.
    public var keys: [String] { members.map(\.key) }

    /// The value of a key. Setting keeps the key's place or adds it at the end; setting `nil`
    /// removes it.
    public subscript(key: String) -> JSONValue? {
        get { members.first { $0.key == key }?.value }
        set {
            let place = members.firstIndex { $0.key == key }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append((key, value))
            case (nil, nil): break
            }
        }
    }

    /// Goes through the members in order.
    public func makeIterator() -> IndexingIterator<[(key: String, value: JSONValue)]> {
        members.makeIterator()
    }

    /// Whether both have equal values for equal keys.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one.members, other.members).allSatisfy { left, right in
            left.key == right.key
                ? left.value == right.value : other[left.key] == left.value
        }
    }

    /// Adds a member whose key is known to be new.
    mutating func append(_ key: String, _ value: JSONValue) {
        members.append((key, value))
    }
}
