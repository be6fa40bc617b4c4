// Accounts.
public import Endpoints
public import Vocabulary

/// A user, as that user sees it.
public struct User: Codable, Sendable, Hashable {
    /// The user.
    public var id: UserID
    /// What others see. 1 to 20 characters.
    public var nickname: String
    /// Where to write to; `nil` when the account has none.
    public var email: String?
    /// Address of the profile photo; `nil` when there is none.
    public var photo: String?

    /// A user.
    public init(id: UserID, nickname: String, email: String?, photo: String?) {
        self.id = id
        self.nickname = nickname
        self.email = email
        self.photo = photo
    }
}

/// Bounds of what an account is made of.
public enum AccountLimits {
    /// Characters of a nickname.
    public static let nickname = 1...20
    /// Characters of a password. Every byte counts; nothing is cut off.
    public static let password = 8...256
    /// Characters of an e-mail address, RFC 5321, section 4.5.3.1.
    public static let email = 3...254
}

/// Creates an account and logs it in.
public struct SignUp: Endpoint {
    /// `POST /v1/auth/users`
    public static let route = Route.post("/v1/auth/users")
    /// Anybody.
    public static let access = Access.public
    /// 409 when the address is taken, whatever its case.
    public static let problems: [Problem.Code] = [.emailTaken]
    /// 201.
    public static let status = 201
    /// Bounds of an account.
    public static let rules: [FieldRule] = [
        .text("nickname", AccountLimits.nickname), .email("email", AccountLimits.email),
        .secret("password", AccountLimits.password),
    ]
    /// A person signs up once; a hash costs a third of a second.
    public static let rateLimit: RateLimit? = RateLimit(
        "sign-up", requests: 60, seconds: 600, per: .address)
    /// The new session.
    public typealias Response = AuthSession

    /// Compared without regard to case.
    public var email: String
    /// 8 to 256 characters.
    public var password: String
    /// What others will see.
    public var nickname: String

    /// A request.
    public init(email: String, password: String, nickname: String) {
        self.email = email
        self.password = password
        self.nickname = nickname
    }
}

/// Tells who the caller is.
public struct GetMe: Endpoint {
    /// `GET /v1/auth/me`
    public static let route = Route.get("/v1/auth/me")
    /// A user.
    public static let access = Access.user
    /// 401 when the session has ended since the token was issued.
    public static let problems: [Problem.Code] = [.sessionEnded]
    /// The caller.
    public typealias Response = User

    /// A request.
    public init() {}
}
