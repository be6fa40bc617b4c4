// Signatures and keys, by wycheproof's vectors and our own keys.

import JSON
import Security
import Testing

@Suite struct SignatureTests {
    @Test(.enabled(if: Wycheproof.has("ed25519_test.json"), "../shared/data is missing"))
    func ed25519() throws {
        var count = 0
        let groups = try #require(Wycheproof.vectors("ed25519_test.json")?["testGroups"]?.array)
        for group in groups {
            let key = try PublicKey(
                ed25519: try #require(group["publicKey"]?["pk"]?.hexadecimal))
            for test in try #require(group["tests"]?.array) {
                let accepted = key.verify(
                    try #require(test["sig"]?.hexadecimal),
                    of: try #require(test["msg"]?.hexadecimal))
                #expect(
                    accepted == (test["result"]?.string == "valid"),
                    "tcId \(test["tcId"]?.int ?? 0): \(test["comment"]?.string ?? "")")
                count += 1
            }
        }
        #expect(count == 151)
    }

    @Test(
        .enabled(
            if: Wycheproof.has("ecdsa_secp256r1_sha256_p1363_test.json"),
            "../shared/data is missing"))
    func es256() throws {
        var count = 0
        let vectors = try #require(Wycheproof.vectors("ecdsa_secp256r1_sha256_p1363_test.json"))
        for group in try #require(vectors["testGroups"]?.array) {
            let point = try #require(group["publicKey"]?["uncompressed"]?.hexadecimal)
            let key = try PublicKey(x: Array(point[1..<33]), y: Array(point[33...]))
            for test in try #require(group["tests"]?.array) {
                let accepted = key.verify(
                    try #require(test["sig"]?.hexadecimal),
                    of: try #require(test["msg"]?.hexadecimal))
                #expect(
                    accepted == (test["result"]?.string == "valid"),
                    "tcId \(test["tcId"]?.int ?? 0): \(test["comment"]?.string ?? "")")
                count += 1
            }
        }
        #expect(count == 262)
    }

    @Test(arguments: [SignatureAlgorithm.ed25519, .es256])
    func signedAndVerified(algorithm: SignatureAlgorithm) throws {
        let key = try SigningKey.generate(algorithm)
        let other = try SigningKey.generate(algorithm)
        // Often, since one in 256 ECDSA signatures begins with a zero byte.
        for number in 0..<600 {
            let message = utf8("message \(number)")
            let token = try JWT.sign(["n": number], with: key)
            let keys = VerificationKeys([key.publicKey])
            let payload = try JWT.payload(of: utf8(token), keys: keys)
            #expect(payload == utf8(#"{"n":\#(number)}"#))
            let signature = try #require(
                token.split(separator: ".").last.flatMap { Base64URL.decode($0.utf8) })
            #expect(signature.count == 64)
            #expect(!key.publicKey.verify(signature, of: message))
            let signed = utf8(String(token[..<(token.lastIndex(of: ".") ?? token.endIndex)]))
            #expect(key.publicKey.verify(signature, of: signed))
            #expect(!other.publicKey.verify(signature, of: signed))
            #expect(!key.publicKey.verify(signature + [0], of: signed))
            #expect(!key.publicKey.verify(Array(signature.dropLast()), of: signed))
        }
    }

    /// RFC 8037, appendix A: its key, thumbprint and signature.
    @Test func rfc8037() throws {
        let x = try #require(Base64URL.decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"))
        let key = try PublicKey(ed25519: x)
        #expect(key.id == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        let message = utf8("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc")
        let signature = try #require(
            Base64URL.decode(
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt"
                    + "9g7sVvpAr_MuM0KAg"))
        #expect(key.verify(signature, of: message))
    }

    /// RFC 7515, appendix A.3: an ES256 signature.
    @Test func rfc7515() throws {
        let key = try PublicKey(
            x: try #require(Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")),
            y: try #require(Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")))
        let message =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leG"
            + "FtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let signature = try #require(
            Base64URL.decode(
                "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3"
                    + "-Kg6NU1Q"))
        #expect(key.verify(signature, of: utf8(message)))
    }
}

@Suite struct KeyTests {
    @Test func pem() throws {
        #expect(try SigningKey(pem: PEM.ed25519).algorithm == .ed25519)
        #expect(try SigningKey(pem: PEM.p256).algorithm == .es256)
        #expect(try SigningKey(pem: PEM.p256Traditional).algorithm == .es256)
        let key = try SigningKey(pem: PEM.ed25519)
        #expect(try SigningKey(pem: "a comment before\n" + PEM.ed25519).id == key.id)
        #expect(key.id.utf8.count == 43)
        #expect(try SigningKey.generate().id != SigningKey.generate().id)
    }

    @Test(arguments: [
        "", "hello", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
        PEM.ed25519.replacing("MC4CAQ", with: "MC4CAg"), PEM.x25519, PEM.p384, PEM.secp256k1,
        PEM.encrypted, PEM.publicKey,
    ])
    func refusedPEM(text: String) {
        #expect(throws: KeyError.self) { try SigningKey(pem: text) }
    }

    @Test func pointsNotOnTheCurve() throws {
        let key = try SigningKey(pem: PEM.p256).publicKey
        let x = Array(key.bytes[..<32])
        var y = Array(key.bytes[32...])
        #expect(try PublicKey(x: x, y: y) == key)
        y[31] ^= 1
        #expect(throws: KeyError.self) { try PublicKey(x: x, y: y) }
        #expect(throws: KeyError.self) { try PublicKey(x: x, y: [0] + y) }
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(throws: KeyError.self) { try PublicKey(x: zero, y: zero) }
        let most = [UInt8](repeating: 255, count: 32)
        #expect(throws: KeyError.self) { try PublicKey(x: most, y: most) }
        #expect(throws: KeyError.self) { try PublicKey(x: [], y: []) }
    }

    @Test func ed25519Bytes() throws {
        #expect(throws: KeyError.self) { try PublicKey(ed25519: [UInt8](repeating: 1, count: 31)) }
        #expect(throws: KeyError.self) { try PublicKey(ed25519: [UInt8](repeating: 1, count: 33)) }
        // y = 2 belongs to no point.
        let key = try PublicKey(ed25519: [2] + [UInt8](repeating: 0, count: 31))
        #expect(!key.verify([UInt8](repeating: 0, count: 64), of: utf8("message")))
    }
}

/// Keys made for these tests by `openssl genpkey`; they protect nothing.
enum PEM {
    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIIdgR9qmoox8jIs5oh8fajQp+Q2iubaAl5FEqXa/pl43
        -----END PRIVATE KEY-----

        """
    static let x25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VuBCIEIGAQcQp00IrbLIxT4vSNE/wz2891LJxJyPluxuCvGolM
        -----END PRIVATE KEY-----

        """
    static let p256 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgfhHgBbVsr+4KH+zb
        uf+VzQul62ec34YN8N6Ta/5LOimhRANCAASp4CyFbJRIqC4au3Mu7MDs2koNBUfp
        xlqofinc1ASRHB/75PPElSjJyU7RenZsQSHuOSowg5wbUIdC617mFCag
        -----END PRIVATE KEY-----

        """
    static let p256Traditional = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIFvqNYNM7Q2esIBpcvj1ioUnoFmDS5/tBFcwJ2W57NAmoAoGCCqGSM49
        AwEHoUQDQgAE52NxCLr0ZuX9qiNRrb6iAzQm2XeNIPdDqs+CH0Mmx9oZ6MaFDGFp
        jd6YY9Vqj7WGakd1OWw0TR1goSrhFeCjcw==
        -----END EC PRIVATE KEY-----

        """
    static let p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAKLGVT4iI78umvsIZG
        NBpRQagdwVTLw5H7T4jaWuNRi9hAfuOabcb7B8jRSrzCimahZANiAAR0dW+x7cxZ
        8n6Ts3H1n3UZg6QPIvC/7H3k38g5iflrc/Om49GpQZOfIeHdS8lNpl467fMC/XBV
        TISHUxD40jxp5y+rbWYpSJGe1KODpA8QsNgUktR+W25QPoaHc1aCfwk=
        -----END PRIVATE KEY-----

        """
    static let secp256k1 = """
        -----BEGIN PRIVATE KEY-----
        MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgnqxN2oS7cw2PNcCWwH3L
        OJ7jNyr/1QRAGDpGhWOS4aOhRANCAASixO4rTi5yPsVpeEUZ137fr0HKaBDKUf9w
        MJOf8/v7fHPaYB5H4gi/h7DD+/3SX4riNeqq0yh6kRqJR7EqF6TM
        -----END PRIVATE KEY-----

        """
    /// Its password is `secret`.
    static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhTMGDQd1qXuQICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEO+X+uu8wtotTAD1iZWBnR0EQMXt
        NEES4sD9W9fVed6gd2ZPGQ1PNJRunDXEXev9Ltah7jW7kkraNZ/nBMTvLfOlr2u3
        k4XmRMN5JCvD0z5iRdk=
        -----END ENCRYPTED PRIVATE KEY-----

        """
    static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAfU0Of2FTpptiQrUiq77mhf2kQg+INLEIw72uNp71Sfo=
        -----END PUBLIC KEY-----

        """
}
