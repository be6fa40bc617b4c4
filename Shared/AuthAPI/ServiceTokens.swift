// What services prove to each other who they are with.
public import Endpoints
public import Vocabulary

/// A token one service shows another.
public struct ServiceToken: Codable, Sendable, Hashable {
    /// Sent as `Authorization: Bearer`; its audience is `internal`, so no endpoint for users takes it.
    public var accessToken: String
    /// When it ends, ten minutes after it was issued.
    public var expiresAt: Instant

    /// A token.
    public init(accessToken: String, expiresAt: Instant) {
        self.accessToken = accessToken
        self.expiresAt = expiresAt
    }
}

/// Gives a service its token for the secret that it shares with auth. Not reachable from outside.
public struct IssueServiceToken: Endpoint {
    /// `POST /internal/service-tokens`
    public static let route = Route.post("/internal/service-tokens")
    /// Anybody who knows the secret.
    public static let access = Access.public
    /// 401, the same for an unknown service and a wrong secret.
    public static let problems: [Problem.Code] = [.wrongCredentials]
    /// 201.
    public static let status = 201
    /// A replica asks every few minutes, and again after each start.
    public static let rateLimit: RateLimit? = RateLimit(
        "service-tokens", requests: 120, seconds: 60, per: .address)
    /// The token.
    public typealias Response = ServiceToken

    /// The service's name, such as "parties".
    public var service: String
    /// What auth was configured to expect of it.
    public var secret: String

    /// A request.
    public init(service: String, secret: String) {
        self.service = service
        self.secret = secret
    }
}
