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
        try environment.validate()
        do throws(KeyError) {
            signingKey = try SigningKey(pem: pem)
        } catch {
            environment.reject("SIGNING_KEY", "is \(error)")
            try environment.validate()
            throw ConfigurationError(faults: [])
        }
    }

    /// For tests: a key of its own and the default lifetimes.
    package init(signingKey: SigningKey) {
        self.signingKey = signingKey
        otherKeys = []
        accessTokenSeconds = 900
        refreshTokenSeconds = 2_592_000
        hashConcurrency = 1
    }
}
