// JSON Web Tokens, RFC 7519 over RFC 7515 in compact form, with two algorithms and nothing optional: what is not understood
// is refused.
import JSON
package import Vocabulary

/// The claims of our tokens.
package struct TokenClaims: Codable, Sendable, Equatable {
    package var iss: String
    package var sub: String
    package var aud: String
    /// Seconds since 1970.
    package var exp: Int64
    package var iat: Int64
    /// Not valid before, if given; ours are valid at once.
    package var nbf: Int64?
    package var jti: String?
    /// The session of a user's token.
    package var sid: Int64?
    /// `user` or `admin`; absent in service tokens.
    package var role: String?

    package init(
        iss: String, sub: String, aud: String, exp: Int64, iat: Int64, nbf: Int64? = nil,
        jti: String? = nil, sid: Int64? = nil, role: String? = nil
    ) {
        self.iss = iss
        self.sub = sub
        self.aud = aud
        self.exp = exp
        self.iat = iat
        self.nbf = nbf
        self.jti = jti
        self.sid = sid
        self.role = role
    }
}

/// Why a token is refused.
package enum TokenFault: Error, Sendable, Equatable {
    case malformed
    case unsupportedAlgorithm
    /// No key has this name; it may have been published since the keys were fetched.
    case unknownKey(String)
    case badSignature
    case expired
    case notYetValid
    case wrongIssuer
    case wrongAudience
}

private struct TokenHeader: Codable {
    var alg: String
    var kid: String?
    var typ: String?
    var crit: [String]?
}

/// Signs and verifies tokens.
package enum JWT {
    /// Bytes of a token; ours have about 350.
    package static let maximumBytes = 8192
    /// Clocks of two machines may differ by this.
    private static let leewaySeconds: Int64 = 30

    /// - Throws: `KeyError` when OpenSSL can't sign.
    package static func sign(_ claims: some Encodable, with key: SigningKey) throws -> String {
        let header = TokenHeader(
            alg: key.algorithm.rawValue, kid: key.id, typ: "JWT", crit: nil)
        let head = Base64URL.encode(try JSONCoder.standard.encode(header))
        let message = head + "." + Base64URL.encode(try JSONCoder.standard.encode(claims))
        guard let signature = key.sign(Array(message.utf8)) else {
            throw KeyError(description: "OpenSSL did not sign")
        }
        return message + "." + Base64URL.encode(signature)
    }

    /// Checks form, algorithm, key, signature, issuer, audience and time, in that order.
    package static func verify(
        _ token: [UInt8], keys: VerificationKeys, issuer: String, audience: String, now: Instant
    ) throws(TokenFault) -> TokenClaims {
        let payload = try payload(of: token, keys: keys)
        guard let claims = try? JSONCoder.standard.decode(TokenClaims.self, from: payload) else {
            throw .malformed
        }
        guard claims.iss == issuer else { throw .wrongIssuer }
        guard claims.aud == audience else { throw .wrongAudience }
        let seconds = now.secondsSince1970
        guard max(claims.iat, claims.nbf ?? claims.iat) <= seconds + leewaySeconds else {
            throw .notYetValid
        }
        guard seconds < claims.exp else { throw .expired }
        return claims
    }

    /// What was signed, as in RFC 7515, section 5.2: form, algorithm, key and signature are right.
    package static func payload(
        of token: [UInt8], keys: VerificationKeys
    ) throws(TokenFault) -> [UInt8] {
        guard token.count <= maximumBytes else { throw .malformed }
        let parts = token.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Base64URL.decode(parts[0]),
            let payload = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2]),
            let header = try? JSONCoder.standard.decode(TokenHeader.self, from: head)
        else { throw .malformed }
        guard let algorithm = SignatureAlgorithm(rawValue: header.alg) else {
            throw .unsupportedAlgorithm
        }
        guard header.crit == nil, let kid = header.kid else { throw .malformed }
        guard let key = keys[kid] else { throw .unknownKey(kid) }
        // The key decides the algorithm, never the token.
        guard key.algorithm == algorithm else { throw .unsupportedAlgorithm }
        let message = Array(token[..<parts[1].endIndex])
        guard key.verify(signature, of: message) else { throw .badSignature }
        return payload
    }
}
