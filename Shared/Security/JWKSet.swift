// Published keys, RFC 7517.

/// One public key as JSON.
package struct JWK: Codable, Sendable, Equatable {
    package var kty: String
    package var crv: String?
    package var x: String?
    package var y: String?
    package var kid: String?
    package var alg: String?
    package var use: String?

    package init(_ key: PublicKey) {
        kid = key.id
        alg = key.algorithm.rawValue
        use = "sig"
        switch key.algorithm {
        case .ed25519:
            kty = "OKP"
            crv = "Ed25519"
            x = Base64URL.encode(key.bytes)
        case .es256:
            kty = "EC"
            crv = "P-256"
            x = Base64URL.encode(key.bytes[..<32])
            y = Base64URL.encode(key.bytes[32...])
        }
    }

    /// The key, when it is one that verifies our tokens; `nil` for other kinds and for keys that are not valid.
    package var publicKey: PublicKey? {
        if let use, use != "sig" { return nil }
        guard let x = x.flatMap({ Base64URL.decode($0) }) else { return nil }
        switch (kty, crv) {
        case ("OKP", "Ed25519"):
            if let alg, alg != SignatureAlgorithm.ed25519.rawValue { return nil }
            return try? PublicKey(ed25519: x)
        case ("EC", "P-256"):
            if let alg, alg != SignatureAlgorithm.es256.rawValue { return nil }
            guard let y = y.flatMap({ Base64URL.decode($0) }) else { return nil }
            return try? PublicKey(x: x, y: y)
        default: return nil
        }
    }
}

/// A JWK Set.
package struct JWKSet: Codable, Sendable, Equatable {
    package var keys: [JWK]

    package init(_ keys: [PublicKey] = []) {
        self.keys = keys.map(JWK.init)
    }
}

/// Keys ready to verify, by `kid`.
package struct VerificationKeys: Sendable {
    private var keys: [String: PublicKey] = [:]

    package init(_ keys: [PublicKey] = []) {
        for key in keys { self.keys[key.id] = key }
    }

    /// Takes what it can use from a set; a key without `kid` goes by its thumbprint.
    package init(_ set: JWKSet) {
        for item in set.keys {
            guard let key = item.publicKey else { continue }
            keys[item.kid ?? key.id] = key
        }
    }

    package subscript(id: String) -> PublicKey? { keys[id] }

    package var isEmpty: Bool { keys.isEmpty }
}
