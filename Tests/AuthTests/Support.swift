// The auth service in this process, with cheap hashes: what is tested is the service, not scrypt.
import AuthAPI
import AuthService
import Endpoints
import Security
import ServiceRuntime
import TestSupport
import Vocabulary

let start = Instant(microseconds: 1_800_000_000_000_000)

func withAuth<Value>(
    replicas: Int = 1, clock: WallClock = .system,
    _ body: (TestService) async throws -> Value
) async throws -> Value {
    let key = try SigningKey.generate()
    return try await TestService.with(
        AuthService.description, replicas: replicas, clock: clock,
        make: { resources, _ in
            AuthService(
                resources, configuration: AuthConfiguration(signingKey: key),
                hasher: PasswordHasher(cost: PasswordCost(logN: 4))
            ).parts()
        }, body)
}

extension TestService {
    /// Somebody who has just signed up.
    func newSession(_ email: String = "kim@example.com", replica: Int = 0) async throws
        -> AuthSession
    {
        try await client(token: nil, replica: replica).send(
            SignUp(email: email, password: "correct horse", nickname: "김"))
    }

    func refresh(_ token: String, replica: Int = 0) async throws -> AuthSession {
        try await client(token: nil, replica: replica).send(RefreshSession(refreshToken: token))
    }

    func me(_ session: AuthSession, replica: Int = 0) async throws -> User {
        try await client(token: session.accessToken, replica: replica).send(GetMe())
    }
}
