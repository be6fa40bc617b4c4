// What a value looks like on the wire, as far as JSON Schema can say it. Most types need not state
// it: the OpenAPI generator watches them decode. Types whose initialiser checks what it is given
// describe themselves here, since no dummy value would pass.

/// A type that says what its JSON looks like instead of being watched while it decodes.
public protocol SchemaDescribed: Codable {
    /// The schema of every value.
    static var schema: FieldSchema { get }
    /// A valid value, for the generator to go on with; `nil` fails it where a value is needed.
    static var example: Self? { get }
}

/// A JSON Schema (draft 2020-12) of the kind our types need.
public struct FieldSchema: Sendable, Hashable {
    /// The kinds of value.
    public indirect enum Shape: Sendable, Hashable {
        /// Anything at all.
        case any
        /// Text.
        case string
        /// A whole number.
        case integer
        /// A number.
        case number
        /// True or false.
        case boolean
        /// A list of like elements.
        case array(FieldSchema)
        /// An object with any keys and like values.
        case dictionary(FieldSchema)
        /// An object with known keys, in this order.
        case object([Property])
        /// A schema among the document's components, by name; other keywords narrow it.
        case reference(String)
    }

    /// One key of an object.
    public struct Property: Sendable, Hashable {
        /// The key.
        public var name: String
        /// The value.
        public var schema: FieldSchema
        /// Whether the key must be there.
        public var isRequired: Bool

        /// A key that must be there unless said otherwise.
        public init(_ name: String, _ schema: FieldSchema, isRequired: Bool = true) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }
    }

    /// A bound of a number, written without a fraction where there is none.
    public enum Bound: Sendable, Hashable {
        /// A whole number.
        case integer(Int64)
        /// Any finite number.
        case number(Double)
    }

    /// The kind of value.
    public var shape: Shape
    /// Whether null stands in for a value.
    public var isNullable = false
    /// The `format` keyword, such as "date-time".
    public var format: String?
    /// A regular expression (ECMA-262) the text matches.
    public var pattern: String?
    /// The only texts there are, in order.
    public var values: [String] = []
    /// The least number.
    public var minimum: Bound?
    /// The greatest number.
    public var maximum: Bound?
    /// The least and greatest length of text, or number of elements.
    public var size: ClosedRange<Int>?
    /// For people: unit, meaning.
    public var description: String?
    /// A valid value, as its text.
    public var example: String?
    /// For a ``Shape/reference(_:)``: keys of that object which are narrower here.
    public var narrowed: [Property] = []

    /// A schema of this kind.
    public init(
        _ shape: Shape, format: String? = nil, pattern: String? = nil, values: [String] = [],
        minimum: Bound? = nil, maximum: Bound? = nil, description: String? = nil,
        example: String? = nil
    ) {
        self.shape = shape
        self.format = format
        self.pattern = pattern
        self.values = values
        self.minimum = minimum
        self.maximum = maximum
        self.description = description
        self.example = example
    }
}
