// JSON without a type of its own: for documents that are built or walked rather than decoded, such
// as OpenAPI descriptions and answers of upstreams. Objects keep their order and numbers their
// digits.

/// Any JSON value.
public enum JSONValue: Sendable, Equatable {
    /// null.
    case null
    /// true or false.
    case bool(Bool)
    /// A number, as its text.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object; its members keep their order.
    case object(JSONObject)

    /// Parses a document.
    ///
    /// - Throws: `JSONFailure`.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws {
        self = try JSONCoder(limits: limits).decode(JSONValue.self, from: bytes)
    }

    /// Parses a document in memory that the caller keeps until this returns.
    ///
    /// - Throws: `JSONFailure`.
    public init(parsing bytes: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits()) throws {
        self = try JSONCoder(limits: limits).decode(JSONValue.self, from: bytes)
    }

    /// The value of a key; `nil` if this is not an object or has no such key.
    ///
    /// Setting makes an object of anything else; setting `nil` removes the key.
    public subscript(key: String) -> JSONValue? {
        get { object?[key] }
        set {
            var members = object ?? JSONObject()
            members[key] = newValue
            self = .object(members)
        }
    }

    /// The element at a place; `nil` if this is not an array or has no such place.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else {
            return nil
        }
        return elements[index]
    }

    /// The truth value; `nil` if this is something else.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number; `nil` if this is something else.
    public var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The integer; `nil` if this is something else, a fraction, or does not fit.
    public var int: Int? { number?.int }

    /// The nearest `Double`; `nil` if this is not a number or is too large for one.
    public var double: Double? { number?.double }

    /// The string; `nil` if this is something else.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements; `nil` if this is not an array.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members; `nil` if this is not an object.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByStringInterpolation
{
    /// null.
    public init(nilLiteral: ()) { self = .null }
    /// true or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An integer.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    /// A fraction, in the fewest digits that read back the same.
    public init(floatLiteral value: Double) {
        self = .number(JSONNumber(value) ?? JSONNumber(0))
    }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object in the order of the literal, which must not hold a key twice.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(JSONObject(members))
    }
}

extension JSONValue: Codable {
    /// Reads any value; with other decoders than this module's, numbers may lose digits.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? TapeDecoder {
            self = decoder.tape.value(decoder.index)
            return
        }
        if var list = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !list.isAtEnd { elements.append(try list.decode(JSONValue.self)) }
            self = .array(elements)
        } else if let members = try? decoder.container(keyedBy: PathKey.self) {
            var object = JSONObject()
            for key in members.allKeys {
                object.append(key.stringValue, try members.decode(JSONValue.self, forKey: key))
            }
            self = .object(object)
        } else {
            self = try Self(scalar: decoder.singleValueContainer())
        }
    }

    private init(scalar: any SingleValueDecodingContainer) throws {
        if scalar.decodeNil() {
            self = .null
        } else if let value = try? scalar.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? scalar.decode(String.self) {
            self = .string(value)
        } else if let value = try? scalar.decode(Int64.self) {
            self = .number(JSONNumber(value))
        } else if let value = try? scalar.decode(UInt64.self) {
            self = .number(JSONNumber(value))
        } else if let number = JSONNumber(try scalar.decode(Double.self)) {
            self = .number(number)
        } else {
            throw DecodingError.dataCorruptedError(
                in: scalar, debugDescription: "the number is not finite")
        }
    }

    /// Writes the value; with other encoders than this module's, numbers may lose digits.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? WriterEncoder { return try encoder.encode(self) }
        switch self {
        case .array(let elements):
            var list = encoder.unkeyedContainer()
            for element in elements { try list.encode(element) }
        case .object(let object):
            var members = encoder.container(keyedBy: PathKey.self)
            for (key, value) in object {
                try members.encode(value, forKey: PathKey(stringValue: key))
            }
        case .null:
            var scalar = encoder.singleValueContainer()
            try scalar.encodeNil()
        case .bool(let value):
            var scalar = encoder.singleValueContainer()
            try scalar.encode(value)
        case .string(let value):
            var scalar = encoder.singleValueContainer()
            try scalar.encode(value)
        case .number(let number):
            var scalar = encoder.singleValueContainer()
            if let value = Int64(number.text) {
                try scalar.encode(value)
            } else if let value = UInt64(number.text) {
                try scalar.encode(value)
            } else {
                try scalar.encode(number.double ?? .infinity)
            }
        }
    }
}

extension Tape {
    /// The value at a token with all that is in it. Its recursion is bounded by the depth limit.
    func value(_ index: Int) -> JSONValue {
        let token = tokens[index]
        let end = Int(token.end)
        switch token.kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .integer, .real:
            return .number(JSONNumber(checked: String(decoding: bytes(token), as: UTF8.self)))
        case .string, .escaped: return .string(text(token))
        case .array:
            var elements: [JSONValue] = []
            elements.reserveCapacity(Int(token.length))
            var child = index + 1
            while child < end {
                elements.append(value(child))
                child = Int(tokens[child].end)
            }
            return .array(elements)
        case .object:
            var members = JSONObject()
            var key = index + 1
            while key < end {
                members.append(text(tokens[key]), value(key + 1))
                key = Int(tokens[key + 1].end)
            }
            return .object(members)
        }
    }
}
