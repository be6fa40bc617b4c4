// The one error that crosses the wire (RFC 9457). Anything else a handler throws is logged whole
// and answered as `internal`, so that no text meant for us reaches a caller.

/// An error answered to a caller, and thrown again by the client that receives it.
public struct Problem: Error, Sendable, Hashable {
    /// The media type of a problem's JSON.
    public static let mediaType = "application/problem+json"

    /// What went wrong, for a program to branch on.
    public var code: Code
    /// What went wrong, for a person: the caller's developer or user.
    public var detail: String
    /// The path of the field at fault, such as "members[2].name"; `nil` when it is not one field.
    public var field: String?
    /// Seconds after which to try again, sent as `Retry-After`.
    public var retryAfter: Int?
    /// The request this answers, for support; filled in by the router.
    public var requestId: String?
    /// What only the log may know. Never sent.
    public var log: String?

    /// The HTTP status.
    public var status: Int { code.status }

    /// A problem; `detail` defaults to the code's title.
    public init(
        _ code: Code, _ detail: String? = nil, field: String? = nil, retryAfter: Int? = nil,
        log: String? = nil
    ) {
        self.code = code
        self.detail = detail ?? code.title
        self.field = field
        self.retryAfter = retryAfter
        self.log = log
    }
}

extension Problem: CustomStringConvertible {
    /// One line for a log or a test: code, field, detail, and what only the log may know.
    public var description: String {
        var line = "\(status) \(code.rawValue)"
        if let field { line += " (\(field))" }
        line += ": \(detail)"
        if let log { line += " [\(log)]" }
        return line
    }
}

extension Problem: Codable {
    private enum Key: String, CodingKey {
        case type, title, status, detail, code, field, retryAfter, requestId
    }

    /// Writes the members of RFC 9457 and ours; `log` stays out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(code.type, forKey: .type)
        try container.encode(code.title, forKey: .title)
        try container.encode(code.status, forKey: .status)
        try container.encode(detail, forKey: .detail)
        try container.encode(code.rawValue, forKey: .code)
        try container.encodeIfPresent(field, forKey: .field)
        try container.encodeIfPresent(retryAfter, forKey: .retryAfter)
        try container.encodeIfPresent(requestId, forKey: .requestId)
    }

    /// Reads a problem; an unknown code is kept with the status and title that came with it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let title = try container.decodeIfPresent(String.self, forKey: .title) ?? ""
        code = Code(
            try container.decode(String.self, forKey: .code),
            status: try container.decode(Int.self, forKey: .status), title: title)
        detail = try container.decodeIfPresent(String.self, forKey: .detail) ?? title
        field = try container.decodeIfPresent(String.self, forKey: .field)
        retryAfter = try container.decodeIfPresent(Int.self, forKey: .retryAfter)
        requestId = try container.decodeIfPresent(String.self, forKey: .requestId)
        log = nil
    }
}

extension Problem {
    /// What kind of problem: a word for programs, a status and a title for people. Two codes are
    /// equal when their words are.
    ///
    /// A service adds its own beside its endpoints:
    /// `extension Problem.Code { public static let partyFull = Problem.Code("party_full", …) }`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The word, in snake_case.
        public let rawValue: String
        /// The HTTP status it is answered with.
        public let status: Int
        /// The same short sentence for each problem of this code.
        public let title: String

        /// A code.
        public init(_ rawValue: String, status: Int, title: String) {
            self.rawValue = rawValue
            self.status = status
            self.title = title
        }

        /// The `type` member of RFC 9457, a URN that ends in the word.
        public var type: String { "urn:madang:problem:\(rawValue)" }

        /// The word.
        public var description: String { rawValue }

        /// Whether the words are equal.
        public static func == (left: Code, right: Code) -> Bool { left.rawValue == right.rawValue }

        /// Hashes the word.
        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    }
}
