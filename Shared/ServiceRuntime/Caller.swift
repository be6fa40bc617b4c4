// Who sent a request, as far as its token says.
package import Endpoints

/// The sender of a request.
package enum Caller: Sendable, Equatable {
    /// No token was needed, or none came.
    case anonymous
    case user(UserCaller)
    /// Another service of Madang, by name.
    case service(String)

    /// The signed-in person.
    /// - Throws: `forbidden` for a service or nobody; not reached behind `Access.user`.
    package var user: UserCaller {
        get throws(Problem) {
            if case .user(let user) = self { return user }
            throw Problem(.forbidden, "Only a signed-in user may do this.")
        }
    }

    /// A word that separates what callers keep: rate limits and idempotency keys.
    package var scope: String {
        switch self {
        case .anonymous: "anonymous"
        case .user(let user): "user \(user.id)"
        case .service(let name): "service \(name)"
        }
    }
}

/// A person with a verified access token.
package struct UserCaller: Sendable, Equatable {
    package var id: Int64
    /// The session the token belongs to.
    package var session: Int64
    package var isAdmin: Bool

    package init(id: Int64, session: Int64, isAdmin: Bool = false) {
        self.id = id
        self.session = session
        self.isAdmin = isAdmin
    }
}

/// Turns access tokens into callers.
package protocol Authenticator: Sendable {
    /// The caller of a token that this loop has verified before and that has not expired. Must not wait.
    func known(_ token: UnsafeRawBufferPointer) -> Caller?

    /// Verifies a token.
    /// - Throws: `access_token_expired`, `access_token_invalid`, `unavailable` when the keys can't be had.
    func verify(_ token: [UInt8]) async throws(Problem) -> Caller
}
