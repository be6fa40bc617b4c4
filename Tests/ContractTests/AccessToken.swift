// Tokens as auth signs them, and such as nobody should take.

import Endpoints
import Security
import ServiceRuntime
import Vocabulary

/// Access and service tokens of one key, which every service in these tests knows.
enum AccessToken {
    static let key = Result { try SigningKey.generate(.ed25519) }
    /// What parties shows auth for a token.
    static let partiesSecret = "the secret of parties"
    private static let otherKey = Result { try SigningKey.generate(.ed25519) }

    /// Verifies them as a service does, with keys at hand.
    static func authenticator(_ resources: ServiceResources) throws -> any Authenticator {
        TokenAuthenticator(
            keys: Keys(keys: VerificationKeys([try key.get().publicKey])),
            loops: resources.loops.count, clock: resources.clock)
    }

    private struct Keys: KeySource {
        let keys: VerificationKeys

        func keys(including unknown: String?) async throws(Problem) -> VerificationKeys { keys }
    }

    /// A user's token; one second has passed since it ended when it is `expired`.
    static func user(
        _ id: Int64, session: Int64? = nil, role: String = "user", expired: Bool = false
    ) throws -> String {
        var claims = claims("\(id)", TokenNames.users, expired: expired)
        claims.sid = session ?? id
        claims.role = role
        return try JWT.sign(claims, with: try key.get())
    }

    /// The token that one service shows another.
    static func service(_ name: String, expired: Bool = false) throws -> String {
        try JWT.sign(
            claims(name, TokenNames.services, expired: expired), with: try key.get())
    }

    /// Tokens of user 7 that no service may take, by what is wrong with them.
    static func forged() throws -> [(fault: String, token: String)] {
        let key = try key.get()
        func sign(_ change: (inout TokenClaims) -> Void) throws -> String {
            var claims = claims("7", TokenNames.users)
            claims.sid = 7
            claims.role = "admin"
            change(&claims)
            return try JWT.sign(claims, with: key)
        }
        let user = try Self.user(7).split(separator: ".")
        let admin = try Self.user(7, role: "admin").split(separator: ".")
        let unsigned = Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        return [
            ("the claims of another token", "\(user[0]).\(admin[1]).\(user[2])"),
            ("no signature", "\(unsigned).\(admin[1])."),
            ("another key", try JWT.sign(claims("7", TokenNames.users), with: otherKey.get())),
            ("another issuer", try sign { $0.iss = "somebody" }),
            ("another audience", try sign { $0.aud = "elsewhere" }),
            ("a time to come", try sign { $0.iat += 3600 }),
            ("no session", try sign { $0.sid = nil }),
            ("no number for a user", try sign { $0.sub = "parties" }),
        ]
    }

    private static func claims(
        _ subject: String, _ audience: String, expired: Bool = false
    ) -> TokenClaims {
        let now = WallClock.system.now().secondsSince1970
        return TokenClaims(
            iss: TokenNames.issuer, sub: subject, aud: audience,
            exp: expired ? now - 1 : now + 600, iat: now - 60)
    }
}
