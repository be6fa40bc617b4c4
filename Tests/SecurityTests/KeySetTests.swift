// Published keys, and wycheproof's vectors of JOSE.

import JSON
import Security
import Testing

@Suite struct KeySetTests {
    private func set(_ text: String) throws -> JWKSet {
        try JSONCoder.standard.decode(JWKSet.self, from: utf8(text))
    }

    @Test func thereAndBack() throws {
        let keys = [try SigningKey(pem: PEM.ed25519), try SigningKey(pem: PEM.p256)]
        let bytes = try JSONCoder.standard.encode(JWKSet(keys.map(\.publicKey)))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!text.contains(#""d""#) && !text.contains("null"))
        let read = VerificationKeys(try set(text))
        for key in keys { #expect(read[key.id] == key.publicKey) }
        #expect(read["other"] == nil)
    }

    /// RFC 7638's own way to make a name: from the members in order, without white space.
    @Test func namesAreThumbprints() throws {
        let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
        let nameless = try set(#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"\#(x)"}]}"#)
        #expect(
            VerificationKeys(nameless)["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"] != nil)
    }

    @Test func strangersAreSkipped() throws {
        let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
        let strangers = [
            #"{"kty":"RSA","n":"AQAB","e":"AQAB","kid":"a"}"#, #"{"kty":"oct","k":"AA","kid":"b"}"#,
            #"{"kty":"AKP","alg":"ML-DSA-44","pub":"AA","kid":"c"}"#, "{}", "null", "7", #""key""#,
            #"{"kid":"d"}"#, #"{"kty":7,"kid":"e"}"#,
            #"{"kty":"OKP","crv":"X25519","x":"\#(x)","kid":"f"}"#,
            #"{"kty":"OKP","crv":"Ed25519","x":"AAAA","kid":"g"}"#,
            #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)=","kid":"h"}"#,
            #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)","alg":"ES256","kid":"i"}"#,
            #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)","use":"enc","kid":"j"}"#,
            #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)","key_ops":["sign"],"kid":"k"}"#,
            #"{"kty":"EC","crv":"P-256","x":"\#(x)","kid":"l"}"#,
            #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(x)","kid":"m"}"#,
        ]
        let good = #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)","kid":"good","key_ops":["verify"]}"#
        let text = #"{"keys":[\#((strangers + [good]).joined(separator: ","))],"more":1}"#
        let keys = VerificationKeys(try set(text))
        #expect(keys["good"] != nil)
        for name in "abcdefghijklm" { #expect(keys[String(name)] == nil, "\(name)") }
        #expect(VerificationKeys(try set(#"{"keys":[]}"#)).isEmpty)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"keys":null}"#, #"{"keys":{}}"#, #"{"keys":[],"keys":[]}"#,
    ])
    func notASet(text: String) {
        #expect(throws: JSONFailure.self) { try set(text) }
    }

    @Test func oneNameForTwoKeys() throws {
        var first = JWK(try SigningKey(pem: PEM.ed25519).publicKey)
        var second = JWK(try SigningKey.generate().publicKey)
        first.kid = "same"
        second.kid = "same"
        let third = JWK(try SigningKey.generate().publicKey)
        var both = JWKSet()
        both.keys = [first, third, second]
        let keys = VerificationKeys(both)
        #expect(keys["same"] == nil)
        #expect(third.kid.flatMap { keys[$0] } != nil)
        both.keys = [first, first]
        #expect(VerificationKeys(both)["same"] != nil)
    }

    /// Every vector, with the reason why a valid one is refused: tokens have one of two algorithms here.
    @Test(
        .enabled(
            if: Wycheproof.has("json_web_signature_test.json")
                && Wycheproof.has("json_web_key_test.json"), "../shared/data is missing"),
        arguments: [
            ("json_web_signature_test.json", 401, 2), ("json_web_key_test.json", 26, 0),
        ])
    func wycheproof(file: String, count: Int, valid: Int) throws {
        let groups = try #require(Wycheproof.vectors(file)?["testGroups"]?.array)
        var seen = 0
        var accepted = 0
        for group in groups {
            let published = try #require(group["public"] ?? group["private"])
            let keySet = try set(
                published["keys"] == nil
                    ? #"{"keys":[\#(try text(published))]}"# : try text(published))
            let keys = VerificationKeys(keySet)
            for test in try #require(group["tests"]?.array) {
                seen += 1
                let token = try test["jws"]?.string ?? text(try #require(test["jws"]))
                let isAccepted = (try? JWT.payload(of: utf8(token), keys: keys)) != nil
                if isAccepted { accepted += 1 }
                let isValid = test["result"]?.string == "valid"
                // HS*, RS* and PS*, and P-521, are not ours: refused however right they are.
                let isOurs = keySet.keys.contains { $0.kty == "EC" && $0.crv == "P-256" }
                #expect(
                    isAccepted == (isValid && isOurs),
                    "\(file) tcId \(test["tcId"]?.int ?? 0): \(test["comment"]?.string ?? "")")
            }
        }
        #expect(seen == count)
        #expect(accepted == valid)
    }

    private func text(_ value: JSONValue) throws -> String {
        String(decoding: try JSONCoder.standard.encode(value), as: UTF8.self)
    }
}
