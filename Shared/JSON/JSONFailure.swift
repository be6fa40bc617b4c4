// Why a document could not be read or a value not be written, in words that can be shown to whoever
// sent it: the place is a path in their document, never a Swift type.

/// Why JSON could not be read or written.
public struct JSONFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong.
    public enum Kind: String, Sendable, CaseIterable {
        /// The text is not JSON (RFC 8259): `offset` says where it stops being so.
        case syntax
        /// More containers are nested than `JSONLimits.maxDepth`.
        case depth
        /// The document is longer than `JSONLimits.maxBytes`.
        case size
        /// An object holds a key twice; `path` ends in it.
        case duplicateKey
        /// A key that is needed is absent; `path` ends in it.
        case missingKey
        /// The value is of another type, or null, or an array ends too early.
        case typeMismatch
        /// The number does not fit the type that was asked for.
        case numberOutOfRange
        /// The value is of the right type and refused by what it should become, such as a date.
        case badValue
    }

    /// What went wrong.
    public var kind: Kind
    /// Where, such as `stops[2].name`; empty at the root and for `syntax`, `depth` and `size`.
    public var path: String
    /// The place in the document in bytes from its start, where known; `nil` when writing.
    public var offset: Int?
    /// What is wrong there, such as `expected an integer, found a string`.
    public var reason: String

    /// A failure.
    public init(_ kind: Kind, path: String = "", offset: Int? = nil, reason: String) {
        self.kind = kind
        self.path = path
        self.offset = offset
        self.reason = reason
    }

    /// The path, if any, and the reason, on one line.
    public var message: String {
        if !path.isEmpty { return "\(path): \(reason)" }
        if kind == .syntax, let offset { return "\(reason) at byte \(offset)" }
        return reason
    }

    /// The same as `message`.
    public var description: String { message }
}

extension JSONFailure {
    /// The failure an error stands for: `DecodingError` and `EncodingError`, which types throw in
    /// their own coding, become failures; other errors stay what they are.
    static func translated(_ error: any Error) -> any Error {
        switch error {
        case let error as DecodingError: return Self(error)
        case let error as EncodingError: return Self(error)
        default: return error
        }
    }

    init(_ error: DecodingError) {
        var kind = Kind.badValue
        let context: DecodingError.Context
        var last: (any CodingKey)?
        switch error {
        case .keyNotFound(let key, let found): (kind, context, last) = (.missingKey, found, key)
        case .typeMismatch(_, let found), .valueNotFound(_, let found):
            (kind, context) = (.typeMismatch, found)
        case .dataCorrupted(let found): context = found
        @unknown default:
            self.init(.badValue, reason: "\(error)")
            return
        }
        if let failure = context.underlyingError as? JSONFailure {
            self = failure
            return
        }
        var keys = context.codingPath
        if let last { keys.append(last) }
        self.init(
            kind, path: Self.path(keys),
            reason: kind == .missingKey ? "missing" : context.debugDescription)
    }

    init(_ error: EncodingError) {
        switch error {
        case .invalidValue(_, let context):
            self.init(
                .badValue, path: Self.path(context.codingPath), reason: context.debugDescription)
        @unknown default: self.init(.badValue, reason: "\(error)")
        }
    }

    static func path(_ keys: [any CodingKey]) -> String {
        var path = ""
        for key in keys {
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                if !path.isEmpty { path += "." }
                path += key.stringValue
            }
        }
        return path
    }
}

/// A step of a path: a key of an object or a place in an array.
struct PathKey: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }
}
