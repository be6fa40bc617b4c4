// What auth is configured by beside what all services share.
package import Security
package import ServiceRuntime

/// Keys and lifetimes.
package struct AuthConfiguration: Sendable {
    /// Signs access tokens.
    package var signingKey: SigningKey
    /// Published beside the signing key: one that signed before, one that will sign next.
    package var otherKeys: [PublicKey]
    /// Seconds an access token lives.
    package var accessTokenSeconds: Int
    /// Seconds a session lives after its last refresh.
    package var refreshTokenSeconds: Int
    /// Password hashes at a time, each with 128 MB.
    package var hashConcurrency: Int
    /// SHA-256 of what each service proves itself with; a service without a secret gets no token.
    package var clientSecrets: [ServiceName: [UInt8]]

    /// Reads the variables.
    /// - Throws: `ConfigurationError` when the signing key is missing or unreadable.
    package init(_ environment: inout Environment) throws {
        let pem = environment.requiredSecret(
            "SIGNING_KEY",
            "an Ed25519 or P-256 private key in PEM, as `openssl genpkey "
                + "-algorithm ed25519` makes one")
        var keys: [PublicKey] = []
        for name in ["PREVIOUS_SIGNING_KEY", "NEXT_SIGNING_KEY"] {
            guard let other = environment.secret(name) else { continue }
            do throws(KeyError) {
                keys.append(try SigningKey(pem: other).publicKey)
            } catch {
                environment.reject(name, "is \(error)")
            }
        }
        otherKeys = keys
        accessTokenSeconds = environment.integer("ACCESS_TOKEN_SECONDS", default: 900, 10...86_400)
        refreshTokenSeconds = environment.integer(
            "REFRESH_TOKEN_SECONDS", default: 2_592_000, 60...31_536_000)
        hashConcurrency = environment.integer(
            "PASSWORD_HASH_CONCURRENCY", default: max(1, availableCPUs() / 2), 1...64)
        clientSecrets = Self.clientSecrets(&environment)
        try environment.validate()
        do throws(KeyError) {
            signingKey = try SigningKey(pem: pem)
        } catch {
            environment.reject("SIGNING_KEY", "is \(error)")
            try environment.validate()
            throw ConfigurationError(faults: [])
        }
    }

    /// Reads `PARTIES_CLIENT_SECRET` and its like.
    private static func clientSecrets(
        _ environment: inout Environment
    ) -> [ServiceName: [UInt8]] {
        var secrets: [ServiceName: [UInt8]] = [:]
        for service in ServiceName.allCases where service != .auth {
            let name = service.rawValue.uppercased() + "_CLIENT_SECRET"
            guard let secret = environment.secret(name) else { continue }
            if secret.utf8.count < 16 {
                environment.reject(name, "must have at least 16 characters")
            }
            secrets[service] = sha256(secret.utf8)
        }
        return secrets
    }

    /// For tests: a key of its own and the default lifetimes.
    package init(signingKey: SigningKey, clientSecrets: [ServiceName: String] = [:]) {
        self.signingKey = signingKey
        self.clientSecrets = clientSecrets.mapValues { sha256($0.utf8) }
        otherKeys = []
        accessTokenSeconds = 900
        refreshTokenSeconds = 2_592_000
        hashConcurrency = 1
    }
}
