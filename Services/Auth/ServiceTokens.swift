// Tokens that services show each other.
import AuthAPI
import Endpoints
import Security
import ServiceRuntime
import Vocabulary

extension AuthService {
    /// Seconds a service's token lives.
    private static let serviceTokenSeconds = 600

    func issueServiceToken(
        _ request: IssueServiceToken, _ context: Context
    ) async throws -> ServiceToken {
        let service = ServiceName(rawValue: request.service)
        // A name without a secret is compared with something, in the same time.
        let expected = service.flatMap { configuration.clientSecrets[$0] }
        let isRight = equalInConstantTime(
            sha256(request.secret.utf8), expected ?? [UInt8](repeating: 0, count: 32))
        guard isRight, expected != nil, let service else {
            context.log.warning("a service token was refused")
            throw Problem(.wrongCredentials, "Unknown service or wrong secret.")
        }
        return try serviceToken(of: service)
    }

    /// A token of the service's.
    func serviceToken(of service: ServiceName) throws -> ServiceToken {
        let now = clock.now()
        let expires = now.adding(seconds: Self.serviceTokenSeconds)
        let claims = TokenClaims(
            iss: TokenNames.issuer, sub: service.rawValue, aud: TokenNames.services,
            exp: expires.secondsSince1970, iat: now.secondsSince1970,
            jti: random.token(bytes: 9), sid: nil, role: nil)
        return ServiceToken(
            accessToken: try JWT.sign(claims, with: configuration.signingKey),
            expiresAt: Instant(microseconds: expires.secondsSince1970 * 1_000_000))
    }
}
