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
    package var keyOperations: [String]?

    private enum CodingKeys: String, CodingKey {
        case kty, crv, x, y, kid, alg, use
        case keyOperations = "key_ops"
    }

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
        if let keyOperations, !keyOperations.contains("verify") { return nil }
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

    /// Reads the keys that have the form of one. RFC 7517, section 5, wants the others ignored: a kind of key that is
    /// published first by a newer release must not make the rest unreadable.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        keys = try container.decode([Readable].self, forKey: .keys).compactMap(\.key)
    }

    private enum CodingKeys: String, CodingKey {
        case keys
    }

    private struct Readable: Decodable {
        let key: JWK?

        init(from decoder: any Decoder) throws { key = try? JWK(from: decoder) }
    }
}

/// Keys ready to verify, by `kid`.
package struct VerificationKeys: Sendable {
    private var keys: [String: PublicKey] = [:]

    package init(_ keys: [PublicKey] = []) {
        for key in keys { self.keys[key.id] = key }
    }

    /// Takes what it can use from a set; a key without `kid` goes by its thumbprint. A `kid` of two keys names neither.
    package init(_ set: JWKSet) {
        var ambiguous: Set<String> = []
        for item in set.keys {
            guard let key = item.publicKey else { continue }
            let id = item.kid ?? key.id
            if let other = keys[id], other != key { ambiguous.insert(id) }
            keys[id] = key
        }
        for id in ambiguous { keys[id] = nil }
    }

    package subscript(id: String) -> PublicKey? { keys[id] }

    package var isEmpty: Bool { keys.isEmpty }
}
