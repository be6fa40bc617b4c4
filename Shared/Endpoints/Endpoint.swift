// An endpoint is a type: its stored properties are the request, its statics say where it is served,
// who may call it and what it may answer. The server routes by it, the client sends by it and the
// OpenAPI document is made from it, so the three cannot disagree.

/// One operation of a service: the request, with its route, access rule and response type.
///
/// Stored properties named in the route's template are read from the path. The others form the
/// query of a GET, DELETE or HEAD, and the JSON object in the body of a POST, PUT or PATCH.
///
/// Each service lists its endpoints once, as
/// `public enum PartiesAPI { public static let endpoints: [any Endpoint.Type] = [...] }`; the
/// router refuses to start unless each of them has a handler, and the OpenAPI document follows the
/// list's order.
public protocol Endpoint: Codable, Sendable {
    /// What a success carries; ``NoContent`` for an empty 204.
    associatedtype Response: Codable & Sendable

    /// Method and path template.
    static var route: Route { get }
    /// Who may call it. There is no default: each endpoint says so.
    static var access: Access { get }
    /// The problems a handler may answer beside those that are always possible. Default: none.
    static var problems: [Problem.Code] { get }
    /// The status of a success. Default: 204 for ``NoContent``, else 200.
    static var status: Int { get }
    /// Bounds of fields, checked before the handler runs and printed into OpenAPI. Default: none.
    static var rules: [FieldRule] { get }
    /// How long an answer may be kept by a cache. Default: not at all.
    static var caching: Caching { get }
    /// The request budget of a caller; `nil` means the service's own default.
    static var rateLimit: RateLimit? { get }
    /// One line for people. Default: the type's name split into words.
    static var summary: String { get }
}

extension Endpoint {
    /// None beside those that are always possible.
    public static var problems: [Problem.Code] { [] }
    /// 204 for ``NoContent``, else 200.
    public static var status: Int { Response.self == NoContent.self ? 204 : 200 }
    /// No bounds.
    public static var rules: [FieldRule] { [] }
    /// Not cached.
    public static var caching: Caching { .none }
    /// The service's default.
    public static var rateLimit: RateLimit? { nil }
    /// The type's name split into words: `GetParty` gives "Get party".
    public static var summary: String { TypeName.words(name) }
    /// The type's name without its module, such as `GetParty`: in metrics, logs and OpenAPI.
    public static var name: String { String(describing: Self.self) }
}

/// The response of an endpoint that has nothing to say: status 204 and no body.
public struct NoContent: Codable, Sendable, Hashable {
    /// The one value.
    public init() {}
}

/// Who may call an endpoint.
public enum Access: String, Sendable, Hashable, CaseIterable {
    /// Anybody, without a token.
    case `public`
    /// A person with a valid access token.
    case user
    /// A person whose token carries the administrator role.
    case admin
    /// Another service, with a service token; only for paths under `/internal/`.
    case service
}

/// How long an answer may be kept by a cache. Cacheable answers carry an `ETag`, and a request that
/// repeats it in `If-None-Match` is answered 304.
public enum Caching: Sendable, Hashable {
    /// `no-store`.
    case none
    /// Kept by the caller alone, for this many seconds.
    case `private`(seconds: Int)
    /// Kept by anybody on the way, for this many seconds.
    case `public`(seconds: Int)

    /// The value of `Cache-Control` (RFC 9111).
    public var headerValue: String {
        switch self {
        case .none: "no-store"
        case .private(let seconds): "private, max-age=\(seconds)"
        case .public(let seconds): "public, max-age=\(seconds)"
        }
    }
}

/// How many requests one caller may send in a window of time.
public struct RateLimit: Sendable, Hashable {
    /// Whose requests are counted together.
    public enum Scope: String, Sendable, Hashable {
        /// Those of one signed-in user, or of one address when there is no user.
        case user
        /// Those of one network address.
        case address
    }

    /// Names the counter; endpoints with the same name share one.
    public let name: String
    /// The most requests in one window, above 0.
    public let requests: Int
    /// The length of the window, above 0.
    public let seconds: Int
    /// Whose requests are counted together.
    public let scope: Scope

    /// A budget of `requests` in each `seconds` for one user or address.
    public init(_ name: String, requests: Int, seconds: Int, per scope: Scope) {
        precondition(requests > 0 && seconds > 0, "rate limit \(name): bounds must be above 0")
        self.name = name
        self.requests = requests
        self.seconds = seconds
        self.scope = scope
    }
}

/// Splits type names into words.
enum TypeName {
    /// "GetParty" gives "Get party"; "GetJWKS" gives "Get JWKS".
    static func words(_ name: String) -> String {
        var words: [String] = []
        var previousWasUpper = true
        for character in name {
            if character.isUppercase && !previousWasUpper || words.isEmpty {
                words.append("")
            }
            previousWasUpper = character.isUppercase
            words[words.count - 1].append(character)
        }
        for index in words.indices.dropFirst() {
            let isAcronym = words[index].count > 1 && words[index].allSatisfy(\.isUppercase)
            if !isAcronym { words[index] = words[index].lowercased() }
        }
        return words.joined(separator: " ")
    }
}
