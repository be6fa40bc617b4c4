// Refresh tokens. Each is made out of the one before with a key of the session: HMAC(chain key, token). So the same parent
// always gives the same successor, whichever replica answers and however often it is asked, and the database needs to keep
// only hashes. The rejected alternative, a random successor kept in clear for the grace period, would have put usable
// tokens into every backup.
import AuthAPI
import Endpoints
import JSON
import Postgres
import Security
import ServiceRuntime
import Vocabulary

/// The secrets of a new session.
struct OpenedSession: Sendable {
    let chainKey: [UInt8]
    let token: String

    init(_ random: RandomSource) {
        chainKey = random.bytes(32)
        token = random.token(bytes: 32)
    }
}

/// What happens to a refresh token that is shown.
enum Rotation: Equatable {
    /// It is the newest: its successor becomes the newest.
    case advance
    /// Its successor is the newest and was given out just now or never used: the same successor is given again.
    case `repeat`
    /// It is older than that: somebody kept it.
    case reused
    case ended
}

/// Decides without I/O.
/// - Parameters:
///   - newest: the highest generation of the session.
///   - graceSeconds: how long after its use a token still gives its successor, even when that was used.
func rotation(
    generation: Int64, usedAt: Instant?, newest: Int64, endedAt: Instant?, expiresAt: Instant,
    now: Instant, graceSeconds: Int
) -> Rotation {
    if endedAt != nil || expiresAt <= now { return .ended }
    if generation == newest { return .advance }
    if generation == newest - 1 { return .repeat }
    if let usedAt, now < usedAt.adding(seconds: graceSeconds) { return .repeat }
    return .reused
}

extension AuthService {
    /// Seconds in which a used refresh token still gives its successor: longer than any retry of a client.
    static let graceSeconds = 10

    func refreshSession(_ request: RefreshSession, _ context: Context) async throws -> AuthSession {
        let now = clock.now()
        let hash = sha256(request.refreshToken.utf8)
        let expires = now.adding(seconds: configuration.refreshTokenSeconds)
        let deadline = context.deadline
        guard let row = try await database.row(Self.token(hash), deadline: deadline) else {
            throw Problem(.sessionEnded)
        }
        let successor = Base64URL.encode(
            hmacSHA256(key: row.chainKey, Array(request.refreshToken.utf8)))
        switch rotation(
            generation: row.generation, usedAt: row.usedAt, newest: row.newest,
            endedAt: row.endedAt, expiresAt: row.expiresAt, now: now,
            graceSeconds: Self.graceSeconds)
        {
        case .advance:
            try await database.run(
                Self.advance(row.session, hash, successor, row.generation + 1, now, expires),
                deadline: deadline)
        case .repeat: break
        case .reused:
            try await database.run(
                Self.endSession(row.session, "reuse", now), deadline: deadline)
            context.log.warning(
                "a refresh token was used again; its session is closed",
                [("session", .number(JSONNumber(row.session)))])
            throw Problem(.refreshTokenReused)
        case .ended: throw Problem(.sessionEnded)
        }
        return try session(
            row.session, row.account.user, row.account.role, refreshToken: successor, now)
    }

    func logOut(_: LogOut, _ context: Context) async throws -> NoContent {
        let session = try context.user.session
        try await database.run(
            Self.endSession(session, "log-out", clock.now()), deadline: context.deadline)
        return NoContent()
    }

    /// The answer that carries a session's tokens.
    func session(
        _ id: Int64, _ user: User, _ role: String, refreshToken: String, _ now: Instant
    ) throws -> AuthSession {
        let expires = now.adding(seconds: configuration.accessTokenSeconds)
        let claims = TokenClaims(
            iss: TokenNames.issuer, sub: user.id.description, aud: TokenNames.users,
            exp: expires.secondsSince1970, iat: now.secondsSince1970,
            jti: random.token(bytes: 9), sid: id, role: role)
        let token = try JWT.sign(claims, with: configuration.signingKey)
        // The claim has whole seconds; what the client is told must not be later.
        let promised = Instant(microseconds: expires.secondsSince1970 * 1_000_000)
        return AuthSession(
            accessToken: token, refreshToken: refreshToken, expiresAt: promised, user: user)
    }
}
