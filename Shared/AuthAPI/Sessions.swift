// Sessions and their tokens.
public import Endpoints
public import Vocabulary

/// A signed-in device.
public struct AuthSession: Codable, Sendable, Hashable {
    /// Sent as `Authorization: Bearer`. Lives 15 minutes unless configured otherwise.
    public var accessToken: String
    /// Exchanged for the next pair of tokens, once.
    public var refreshToken: String
    /// When the access token ends.
    public var expiresAt: Instant
    /// Whose session it is.
    public var user: User

    /// A session.
    public init(accessToken: String, refreshToken: String, expiresAt: Instant, user: User) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
        self.user = user
    }
}

/// Starts a session with address and password.
public struct LogIn: Endpoint {
    /// `POST /v1/auth/sessions`
    public static let route = Route.post("/v1/auth/sessions")
    /// Anybody.
    public static let access = Access.public
    /// 401, the same for an unknown address and a wrong password.
    public static let problems: [Problem.Code] = [.wrongCredentials]
    /// 201.
    public static let status = 201
    /// Slows guessing down.
    public static let rateLimit: RateLimit? = RateLimit(
        "log-in", requests: 60, seconds: 60, per: .address)
    /// The new session.
    public typealias Response = AuthSession

    /// In any case.
    public var email: String
    /// The password.
    public var password: String

    /// A request.
    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}

/// Exchanges a refresh token for new tokens.
///
/// Sent again within ten seconds, or before the new refresh token was ever used, the old one gives the same successor, so a
/// lost answer or two tabs do no harm. Used later, it closes its session.
public struct RefreshSession: Endpoint {
    /// `POST /v1/auth/tokens`
    public static let route = Route.post("/v1/auth/tokens")
    /// Anybody who has a refresh token.
    public static let access = Access.public
    /// 401 when the session has ended or the token was used before.
    public static let problems: [Problem.Code] = [.sessionEnded, .refreshTokenReused]
    /// The session with new tokens.
    public typealias Response = AuthSession

    /// The token that came with the session.
    public var refreshToken: String

    /// A request.
    public init(refreshToken: String) {
        self.refreshToken = refreshToken
    }
}

/// Ends the caller's session.
public struct LogOut: Endpoint {
    /// `DELETE /v1/auth/sessions/current`
    public static let route = Route.delete("/v1/auth/sessions/current")
    /// A user.
    public static let access = Access.user
    /// Nothing.
    public typealias Response = NoContent

    /// A request.
    public init() {}
}
