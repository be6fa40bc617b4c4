// A method and a path template, taken apart once so that router, client and OpenAPI read the same
// segments.

/// The method and path template of an endpoint, such as `.get("/v1/parties/{party}/members")`.
public struct Route: Sendable, Hashable, CustomStringConvertible {
    /// The methods an endpoint may use (RFC 9110, RFC 5789).
    public enum Method: String, Sendable, Hashable, CaseIterable {
        /// Reads. The server answers HEAD from it as well.
        case get = "GET"
        /// Reads the head of an answer only.
        case head = "HEAD"
        /// Creates or acts; takes an `Idempotency-Key`.
        case post = "POST"
        /// Replaces.
        case put = "PUT"
        /// Changes some fields.
        case patch = "PATCH"
        /// Removes.
        case delete = "DELETE"

        /// Whether fields outside the path travel in a JSON body rather than in the query.
        public var hasBody: Bool {
            switch self {
            case .post, .put, .patch: true
            case .get, .head, .delete: false
            }
        }

        /// Whether sending a request twice is the same as once (RFC 9110, 9.2.2).
        public var isIdempotent: Bool {
            switch self {
            case .get, .head, .put, .delete: true
            case .post, .patch: false
            }
        }
    }

    /// One part of a path between slashes.
    public enum Segment: Sendable, Hashable {
        /// Matches itself.
        case literal(String)
        /// Matches any value that is not empty and gives it to the field of this name.
        case parameter(String)
    }

    /// The method.
    public let method: Method
    /// The template as written.
    public let path: String
    /// The template's parts, in order.
    public let segments: [Segment]
    /// The names of the parameters, in the order of the path.
    public let parameterNames: [String]

    /// Takes a template apart. Traps when it is malformed: it must start with a slash, have no
    /// empty segment, use only unreserved characters (RFC 3986) and name each parameter once.
    public init(_ method: Method, _ path: String) {
        precondition(path.utf8.first == UInt8(ascii: "/"), "route \(path): must start with /")
        var segments: [Segment] = []
        var names: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            precondition(!part.isEmpty, "route \(path): empty segment")
            guard part.first == "{" else {
                precondition(part.utf8.allSatisfy(Percent.isUnreserved), "route \(path): \(part)")
                segments.append(.literal(String(part)))
                continue
            }
            precondition(part.last == "}", "route \(path): \(part) must end with }")
            let name = String(part.dropFirst().dropLast())
            precondition(Self.isName(name), "route \(path): \(name) cannot name a field")
            precondition(!names.contains(name), "route \(path): \(name) appears twice")
            segments.append(.parameter(name))
            names.append(name)
        }
        precondition(
            names.count <= PathParameters.maximumCount,
            "route \(path): more than \(PathParameters.maximumCount) parameters")
        self.method = method
        self.path = path
        self.segments = segments
        self.parameterNames = names
    }

    /// A route that reads.
    public static func get(_ path: String) -> Route { Route(.get, path) }
    /// A route that creates or acts.
    public static func post(_ path: String) -> Route { Route(.post, path) }
    /// A route that replaces.
    public static func put(_ path: String) -> Route { Route(.put, path) }
    /// A route that changes some fields.
    public static func patch(_ path: String) -> Route { Route(.patch, path) }
    /// A route that removes.
    public static func delete(_ path: String) -> Route { Route(.delete, path) }

    /// Such as "GET /v1/parties/{party}".
    public var description: String { "\(method.rawValue) \(path)" }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else {
            return false
        }
        let punctuation = "-.~".utf8
        return name.utf8.allSatisfy { Percent.isUnreserved($0) && !punctuation.contains($0) }
    }
}

/// Where the values of a route's parameters lie in a request's path: ranges over the received
/// bytes, still percent-encoded, in the order of ``Route/parameterNames``.
///
/// Holds a pointer and allocates nothing; valid only as long as the bytes it was made from.
public struct PathParameters {
    /// The most parameters one route may have.
    public static let maximumCount = 4

    private let path: UnsafeRawBufferPointer
    private var bounds = SIMD8<UInt32>()
    /// How many values there are.
    public private(set) var count = 0

    /// No values yet, to be found in `path`.
    public init(path: UnsafeRawBufferPointer) {
        self.path = path
    }

    /// No values at all.
    public static var none: PathParameters {
        PathParameters(path: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// Adds the next value. Traps beyond ``maximumCount`` values or outside of the path.
    public mutating func append(_ range: Range<Int>) {
        precondition(count < Self.maximumCount && range.lowerBound >= 0)
        precondition(range.upperBound <= path.count)
        bounds[2 * count] = UInt32(range.lowerBound)
        bounds[2 * count + 1] = UInt32(range.upperBound)
        count += 1
    }

    /// Removes the values from `count` on, for a router that tries another branch.
    public mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count)
        self.count = count
    }

    /// The value at `index`, still percent-encoded.
    public subscript(index: Int) -> UnsafeRawBufferPointer {
        precondition(index < count)
        return UnsafeRawBufferPointer(
            rebasing: path[Int(bounds[2 * index])..<Int(bounds[2 * index + 1])])
    }
}
