// Who people are: accounts, sessions, the keys that verify their tokens.
import AuthAPI
import Endpoints
import Postgres
package import Security
package import ServiceRuntime
import Vocabulary

/// The auth service.
package struct AuthService: Sendable {
    package static let description = ServiceDescription(
        name: "auth", summary: "Accounts, sessions and the keys that verify access tokens.",
        version: "0.1.0", port: 8081, endpoints: AuthAPI.endpoints,
        migrations: [
            Migration("m0001_create_accounts", PackageResources.m0001_create_accounts_sql)
        ])

    let database: Database
    let clock: WallClock
    let random: RandomSource
    let log: Log
    let hasher: PasswordHasher
    let configuration: AuthConfiguration
    private let loops: Int

    /// - Parameter hasher: tests pass a cheap one.
    package init(
        _ resources: ServiceResources, configuration: AuthConfiguration,
        hasher: PasswordHasher? = nil
    ) {
        database = resources.database
        clock = resources.clock
        random = resources.random
        log = resources.log
        loops = resources.loops.count
        self.configuration = configuration
        self.hasher =
            hasher
            ?? PasswordHasher(concurrency: configuration.hashConcurrency, random: resources.random)
    }

    package func parts() -> ServiceParts {
        let keys = OwnKeys(VerificationKeys(publishedKeys))
        let hasher = self.hasher
        return ServiceParts(
            router: router(),
            authenticator: TokenAuthenticator(keys: keys, loops: loops, clock: clock),
            metrics: {
                [
                    MetricSample(
                        "madang_password_hashes_waiting", .gauge, Double(hasher.waiting),
                        help: "Log-ins and sign-ups waiting for a hashing thread.")
                ]
            })
    }

    var publishedKeys: [PublicKey] {
        [configuration.signingKey.publicKey] + configuration.otherKeys
    }

    private func router() -> Router {
        let router = Router()
        router.on(SignUp.self, signUp)
        router.on(LogIn.self, logIn)
        router.on(RefreshSession.self, refreshSession)
        router.on(LogOut.self, logOut)
        router.on(GetMe.self, getMe)
        router.on(GetKeys.self, getKeys)
        router.on(IssueServiceToken.self, issueServiceToken)
        router.on(ListUserProfiles.self, listUserProfiles)
        return router.sealed(AuthAPI.endpoints)
    }

    private func getKeys(_: GetKeys, _: Context) async throws -> KeySet {
        KeySet(
            keys: publishedKeys.map { key in
                let jwk = JWK(key)
                return Key(
                    kty: jwk.kty, crv: jwk.crv ?? "", x: jwk.x ?? "", y: jwk.y,
                    kid: key.id, alg: key.algorithm.rawValue, use: "sig")
            })
    }
}

/// Auth verifies tokens with the keys it has.
private struct OwnKeys: KeySource {
    let keys: VerificationKeys

    init(_ keys: VerificationKeys) { self.keys = keys }

    func keys(including unknown: String?) async throws(Problem) -> VerificationKeys { keys }
}
