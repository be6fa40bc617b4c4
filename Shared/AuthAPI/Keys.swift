// The keys that verify access tokens.
public import Endpoints

/// A JSON Web Key, RFC 7517, with the members our keys have.
public struct Key: Codable, Sendable, Hashable {
    /// `OKP` for Ed25519, `EC` for P-256.
    public var kty: String
    /// The curve.
    public var crv: String
    /// The public key, or its x coordinate, in base64url.
    public var x: String
    /// The y coordinate in base64url; P-256 only.
    public var y: String?
    /// The name of the key in tokens.
    public var kid: String
    /// The algorithm it signs with.
    public var alg: String
    /// Always `sig`.
    public var use: String

    /// A key.
    public init(
        kty: String, crv: String, x: String, y: String?, kid: String, alg: String, use: String
    ) {
        self.kty = kty
        self.crv = crv
        self.x = x
        self.y = y
        self.kid = kid
        self.alg = alg
        self.use = use
    }
}

/// A JWK Set.
public struct KeySet: Codable, Sendable, Hashable {
    /// The keys, in no order.
    public var keys: [Key]

    /// A set.
    public init(keys: [Key]) {
        self.keys = keys
    }
}

/// Publishes the keys that verify access tokens.
public struct GetKeys: Endpoint {
    /// `GET /v1/auth/jwks`
    public static let route = Route.get("/v1/auth/jwks")
    /// Anybody.
    public static let access = Access.public
    /// Five minutes: a new key is published longer than that before it signs.
    public static let caching = Caching.public(seconds: 300)
    /// The set.
    public typealias Response = KeySet

    /// A request.
    public init() {}
}
