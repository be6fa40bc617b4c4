// Tokens: what is accepted, and the ways in which a forged one has been accepted elsewhere.

import JSON
import Security
import Testing
import Vocabulary

@Suite struct TokenTests {
    private let start = Instant(microseconds: 1_796_119_200_000_000)
    private let key: SigningKey
    private let p256: SigningKey
    private let keys: VerificationKeys

    init() throws {
        key = try SigningKey(pem: PEM.ed25519)
        p256 = try SigningKey(pem: PEM.p256)
        keys = VerificationKeys([key.publicKey, p256.publicKey])
    }

    private func claims(
        issuer: String = "madang", audience: String = "madang", lives: Int64 = 900, age: Int64 = 0
    ) -> TokenClaims {
        let now = start.secondsSince1970
        return TokenClaims(
            iss: issuer, sub: "7", aud: audience, exp: now + lives, iat: now - age, jti: "j",
            sid: 3, role: "user")
    }

    private func verify(_ token: String, at now: Instant? = nil) throws(TokenFault) -> TokenClaims {
        try JWT.verify(
            utf8(token), keys: keys, issuer: "madang", audience: "madang", now: now ?? start)
    }

    private func fault(_ token: String, at now: Instant? = nil) -> TokenFault? {
        do throws(TokenFault) {
            _ = try verify(token, at: now)
            return nil
        } catch {
            return error
        }
    }

    /// A token with a header and a payload of our choice, signed as it should be.
    private func forged(
        header: String, payload: String? = nil, with key: SigningKey? = nil
    ) throws -> String {
        let payload = payload ?? #"{"iss":"madang","sub":"7","aud":"madang","exp":99,"iat":1}"#
        let message = Base64URL.encode(utf8(header)) + "." + Base64URL.encode(utf8(payload))
        let signature = try #require((key ?? self.key).sign(utf8(message)))
        return message + "." + Base64URL.encode(signature)
    }

    @Test(arguments: [SignatureAlgorithm.ed25519, .es256])
    func thereAndBack(algorithm: SignatureAlgorithm) throws {
        let signer = algorithm == .ed25519 ? key : p256
        let token = try JWT.sign(claims(), with: signer)
        #expect(try verify(token) == claims())
        #expect(token.utf8.count < 500)
        let header = try #require(Base64URL.decode(token.prefix { $0 != "." }.utf8))
        let value = try JSONValue(parsing: header)
        #expect(value["alg"]?.string == algorithm.rawValue)
        #expect(value["kid"]?.string == signer.id)
        #expect(value["typ"]?.string == "JWT")
    }

    // MARK: Time, issuer, audience

    @Test func time() throws {
        let token = try JWT.sign(claims(lives: 60), with: key)
        #expect(fault(token, at: start.adding(seconds: 59)) == nil)
        #expect(fault(token, at: start.adding(seconds: 60)) == .expired)
        #expect(fault(token, at: start.adding(seconds: 100_000_000)) == .expired)
        // A verifier whose clock is behind by less than 30 s still takes it.
        #expect(fault(token, at: start.adding(seconds: -30)) == nil)
        #expect(fault(token, at: start.adding(seconds: -31)) == .notYetValid)
        var later = claims()
        later.nbf = start.secondsSince1970 + 300
        let waiting = try JWT.sign(later, with: key)
        #expect(fault(waiting) == .notYetValid)
        #expect(fault(waiting, at: start.adding(seconds: 300)) == nil)
        let timeless = claims(lives: .max - start.secondsSince1970, age: start.secondsSince1970)
        #expect(fault(try JWT.sign(timeless, with: key)) == nil)
    }

    @Test func issuerAndAudience() throws {
        #expect(fault(try JWT.sign(claims(issuer: "evil"), with: key)) == .wrongIssuer)
        #expect(fault(try JWT.sign(claims(issuer: "Madang"), with: key)) == .wrongIssuer)
        #expect(fault(try JWT.sign(claims(issuer: ""), with: key)) == .wrongIssuer)
        #expect(fault(try JWT.sign(claims(audience: "internal"), with: key)) == .wrongAudience)
    }

    // MARK: Keys

    @Test func keyOfSomebodyElse() throws {
        let stranger = try SigningKey.generate()
        #expect(fault(try JWT.sign(claims(), with: stranger)) == .unknownKey(stranger.id))
        let header = #"{"alg":"EdDSA","kid":"\#(key.id)"}"#
        #expect(fault(try forged(header: header, with: stranger)) == .badSignature)
    }

    @Test(arguments: [
        "", "../../etc/passwd", "/dev/null", "' or 1=1 --", "\\u0000", "kid-ec-sign", "a b", "🔑",
    ])
    func strangeKeyNames(kid: String) throws {
        let token = try forged(header: #"{"alg":"EdDSA","kid":"\#(kid)"}"#)
        guard case .unknownKey = fault(token) else {
            Issue.record("\(String(describing: fault(token)))")
            return
        }
    }

    @Test func withoutKeyName() throws {
        #expect(fault(try forged(header: #"{"alg":"EdDSA"}"#)) == .malformed)
        #expect(fault(try forged(header: #"{"alg":"EdDSA","kid":null}"#)) == .malformed)
        #expect(fault(try forged(header: #"{"alg":"EdDSA","kid":7}"#)) == .malformed)
    }

    /// A key in the header would let the token vouch for itself.
    @Test func embeddedKey() throws {
        let evil = try SigningKey.generate()
        let jwk = String(
            decoding: try JSONCoder.standard.encode(JWK(evil.publicKey)), as: UTF8.self)
        let own = #"{"alg":"EdDSA","kid":"\#(evil.id)","jwk":\#(jwk)}"#
        #expect(fault(try forged(header: own, with: evil)) == .unknownKey(evil.id))
        let ours = #"{"alg":"EdDSA","kid":"\#(key.id)","jwk":\#(jwk),"jku":"http://127.0.0.1/"}"#
        #expect(fault(try forged(header: ours, with: evil)) == .badSignature)
    }

    // MARK: Algorithms

    @Test(arguments: [
        "none", "None", "NONE", "nOnE", "", "HS256", "HS384", "HS512", "RS256", "PS256", "ES384",
        "ES256K", "ES512", "Ed448", "eddsa", "EDDSA", "EdDSA ", "es256", "dir", "A128KW",
    ])
    func otherAlgorithms(algorithm: String) throws {
        let header = #"{"alg":"\#(algorithm)","kid":"\#(key.id)"}"#
        #expect(fault(try forged(header: header)) == .unsupportedAlgorithm)
        let unsigned = try forged(header: header).prefix { $0 != "." }
        #expect(fault(unsigned + ".e30.") == .unsupportedAlgorithm)
    }

    /// The public key as the secret of an HMAC, in each form in which it is published.
    @Test func publicKeyAsSecret() throws {
        let message =
            Base64URL.encode(utf8(#"{"alg":"HS256","kid":"\#(key.id)"}"#)) + "."
            + Base64URL.encode(utf8("{}"))
        for secret in [key.publicKey.bytes, utf8(Base64URL.encode(key.publicKey.bytes))] {
            let signature = hmacSHA256(key: secret, utf8(message))
            let token = message + "." + Base64URL.encode(signature)
            #expect(fault(token) == .unsupportedAlgorithm)
        }
    }

    /// The algorithm must be that of the key, even when the signature would be right.
    @Test func algorithmOfAnotherKey() throws {
        let asES256 = #"{"alg":"ES256","kid":"\#(key.id)"}"#
        #expect(fault(try forged(header: asES256)) == .unsupportedAlgorithm)
        let asEdDSA = #"{"alg":"EdDSA","kid":"\#(p256.id)"}"#
        #expect(fault(try forged(header: asEdDSA, with: p256)) == .unsupportedAlgorithm)
    }

    /// DER in place of r and s.
    @Test func signatureInAnotherForm() throws {
        let token = try JWT.sign(claims(), with: p256)
        let message = token[..<(token.lastIndex(of: ".") ?? token.endIndex)]
        let der: [UInt8] = [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01]
        #expect(fault(message + "." + Base64URL.encode(der)) == .badSignature)
        let zero = [UInt8](repeating: 0, count: 64)
        #expect(fault(message + "." + Base64URL.encode(zero)) == .badSignature)
        #expect(fault(message + ".") == .badSignature)
    }

    // MARK: Form

    @Test func critical() throws {
        let crit = #"{"alg":"EdDSA","kid":"\#(key.id)","crit":["exp"],"exp":1}"#
        #expect(fault(try forged(header: crit)) == .malformed)
        let empty = #"{"alg":"EdDSA","kid":"\#(key.id)","crit":[]}"#
        #expect(fault(try forged(header: empty)) == .malformed)
        let detached = #"{"alg":"EdDSA","kid":"\#(key.id)","crit":["b64"],"b64":false}"#
        #expect(fault(try forged(header: detached)) == .malformed)
    }

    @Test func keysTwice() throws {
        let header = #"{"alg":"EdDSA","alg":"EdDSA","kid":"\#(key.id)"}"#
        #expect(fault(try forged(header: header)) == .malformed)
        let good = #"{"alg":"EdDSA","kid":"\#(key.id)"}"#
        let payload =
            #"{"iss":"madang","sub":"7","sub":"8","aud":"madang","exp":9999999999,"iat":1}"#
        #expect(fault(try forged(header: good, payload: payload)) == .malformed)
    }

    @Test(arguments: [
        "", "[]", "null", "7", "\"text\"", "{}", "{", "{\"iss\":\"madang\"}",
        #"{"iss":"madang","sub":"7","aud":"madang","iat":1}"#,
        #"{"iss":"madang","sub":"7","aud":"madang","exp":"9999999999","iat":1}"#,
        #"{"iss":"madang","sub":"7","aud":"madang","exp":9999999999.5,"iat":1}"#,
        #"{"iss":"madang","sub":"7","aud":"madang","exp":1e30,"iat":1}"#,
        #"{"iss":"madang","sub":7,"aud":"madang","exp":9999999999,"iat":1}"#,
        #"{"iss":"madang","sub":"7","aud":["madang"],"exp":9999999999,"iat":1}"#,
    ])
    func otherPayloads(payload: String) throws {
        let header = #"{"alg":"EdDSA","kid":"\#(key.id)"}"#
        #expect(fault(try forged(header: header, payload: payload)) == .malformed)
    }

    @Test func changedAnywhere() throws {
        let token = try JWT.sign(claims(), with: key)
        for place in token.utf8.indices {
            var bytes = utf8(token)
            let index = token.utf8.distance(from: token.utf8.startIndex, to: place)
            for change: UInt8 in [1, 2, 0x20, 0x80] {
                bytes[index] = utf8(token)[index] ^ change
                #expect(throws: TokenFault.self) {
                    try JWT.verify(
                        bytes, keys: keys, issuer: "madang", audience: "madang", now: start)
                }
            }
        }
    }

    @Test func otherForms() throws {
        let token = try JWT.sign(claims(), with: key)
        let parts = token.split(separator: ".").map(String.init)
        let malformed = [
            "", ".", "..", "...", "....", parts[0], parts[0] + "." + parts[1], token + ".",
            token + "." + parts[2], "." + token, token + "=", token + "==", token + "\n",
            " " + token, token + "\u{0}", token + "A", token + "AA", "Bearer " + token,
            parts[0] + "=." + parts[1] + "." + parts[2],
            parts[0] + "." + parts[1] + "." + parts[2].replacing("_", with: "/") + "+",
            parts[0] + ".." + parts[2], "." + parts[1] + "." + parts[2],
            #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","signature":"\#(parts[2])"}"#,
            "e30." + parts[1] + "." + parts[2],
        ]
        for text in malformed {
            let found = fault(text)
            #expect(found == .malformed || found == .badSignature, "\(text)")
        }
    }

    @Test func size() throws {
        let header = #"{"alg":"EdDSA","kid":"\#(key.id)"}"#
        func payload(_ padding: Int) -> String {
            #"{"iss":"madang","sub":"7","aud":"madang","exp":9999999999,"iat":1,"x":""#
                + String(repeating: "x", count: padding) + #""}"#
        }
        let large = try forged(header: header, payload: payload(5900))
        #expect(large.utf8.count <= JWT.maximumBytes && fault(large) == nil)
        let tooLarge = try forged(header: header, payload: payload(6100))
        #expect(tooLarge.utf8.count > JWT.maximumBytes && fault(tooLarge) == .malformed)
        #expect(fault(String(repeating: ".", count: 1_000_000)) == .malformed)
        let nested = String(repeating: "[", count: 3000)
        #expect(fault(try forged(header: nested)) == .malformed)
    }
}
