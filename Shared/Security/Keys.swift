// Signing keys: Ed25519 (RFC 8032) by default, P-256 where a client can't do Ed25519. OpenSSL does the mathematics.
import COpenSSL
import Glibc

/// How a token is signed; the name of RFC 7518 and RFC 8037. RFC 9864 prefers `Ed25519`, which few libraries know yet.
package enum SignatureAlgorithm: String, Codable, Sendable {
    case ed25519 = "EdDSA"
    case es256 = "ES256"
}

/// A key can't be read or used.
package struct KeyError: Error, CustomStringConvertible {
    package let description: String
}

/// An OpenSSL key, freed with its last holder. OpenSSL allows use from several threads as long as nobody changes it.
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }
}

/// A private key that signs tokens.
package struct SigningKey: Sendable {
    private let handle: KeyHandle
    /// The public part.
    package let publicKey: PublicKey

    /// The name of the key in tokens: its RFC 7638 thumbprint.
    package var id: String { publicKey.id }
    package var algorithm: SignatureAlgorithm { publicKey.algorithm }

    /// Reads PKCS#8 in PEM, as `openssl genpkey -algorithm ed25519` or `-algorithm EC -pkeyopt
    /// ec_paramgen_curve:P-256` writes it.
    /// - Throws: `KeyError` for anything else.
    package init(pem: String) throws(KeyError) {
        let bytes = Array(pem.utf8)
        let memory = BIO_new_mem_buf(bytes, Int32(bytes.count))
        defer { BIO_free(memory) }
        // An encrypted key must not make a server ask for a password on its terminal.
        let noPassword:
            @convention(c) (
                UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?
            ) -> Int32 = { _, _, _, _ in 0 }
        guard let key = PEM_read_bio_PrivateKey(memory, nil, noPassword, nil) else {
            ERR_clear_error()
            throw KeyError(description: "not an unencrypted private key in PEM")
        }
        try self.init(KeyHandle(key))
    }

    /// A new key.
    package static func generate(_ algorithm: SignatureAlgorithm = .ed25519) throws(KeyError)
        -> SigningKey
    {
        let key =
            switch algorithm {
            case .ed25519: madang_generate_ed25519()
            case .es256: madang_generate_p256()
            }
        guard let key else { throw KeyError(description: "OpenSSL made no key") }
        return try SigningKey(KeyHandle(key))
    }

    private init(_ handle: KeyHandle) throws(KeyError) {
        self.handle = handle
        switch Int32(EVP_PKEY_get_base_id(handle.pointer)) {
        case EVP_PKEY_ED25519:
            var raw = [UInt8](repeating: 0, count: 32)
            var count = 32
            guard EVP_PKEY_get_raw_public_key(handle.pointer, &raw, &count) == 1, count == 32
            else { throw KeyError(description: "an Ed25519 key without public part") }
            publicKey = try PublicKey(ed25519: raw)
        case EVP_PKEY_EC:
            var point = [UInt8](repeating: 0, count: 133)
            var count = 0
            guard
                EVP_PKEY_get_octet_string_param(
                    handle.pointer, OSSL_PKEY_PARAM_PUB_KEY, &point, point.count, &count) == 1,
                count == 65
            else { throw KeyError(description: "the curve of the key is not P-256") }
            publicKey = try PublicKey(x: Array(point[1..<33]), y: Array(point[33..<65]))
        default: throw KeyError(description: "the key is neither Ed25519 nor P-256")
        }
    }

    /// The signature as JWS has it: 64 bytes for both algorithms.
    package func sign(_ message: [UInt8]) -> [UInt8]? {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        let digest = algorithm == .es256 ? EVP_sha256() : nil
        guard EVP_DigestSignInit(context, nil, digest, nil, handle.pointer) == 1 else {
            return nil
        }
        var signature = [UInt8](repeating: 0, count: 128)
        var count = signature.count
        guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
            return nil
        }
        signature.removeSubrange(count...)
        if algorithm == .ed25519 { return signature }
        var raw = [UInt8](repeating: 0, count: 64)
        return madang_ecdsa_raw(signature, signature.count, &raw) == 1 ? raw : nil
    }
}

/// A key that verifies tokens.
package struct PublicKey: Sendable, Equatable {
    package let algorithm: SignatureAlgorithm
    /// RFC 7638 thumbprint.
    package let id: String
    /// Ed25519: the 32 bytes. P-256: x and y, 32 bytes each.
    package let bytes: [UInt8]
    private let handle: KeyHandle

    package static func == (left: PublicKey, right: PublicKey) -> Bool {
        left.algorithm == right.algorithm && left.bytes == right.bytes
    }

    /// - Throws: `KeyError` unless there are 32 bytes. Bytes that are no point are taken and verify nothing.
    package init(ed25519 raw: [UInt8]) throws(KeyError) {
        guard raw.count == 32,
            let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, raw, raw.count)
        else { throw KeyError(description: "not an Ed25519 public key") }
        algorithm = .ed25519
        bytes = raw
        handle = KeyHandle(key)
        let members = #"{"crv":"Ed25519","kty":"OKP","x":""# + Base64URL.encode(raw) + #""}"#
        id = Base64URL.encode(sha256(members.utf8))
    }

    /// - Throws: `KeyError` when the point is not on P-256.
    package init(x: [UInt8], y: [UInt8]) throws(KeyError) {
        guard x.count == 32, y.count == 32, let key = madang_p256_public([4] + x + y) else {
            throw KeyError(description: "not a point of P-256")
        }
        algorithm = .es256
        bytes = x + y
        handle = KeyHandle(key)
        let members =
            #"{"crv":"P-256","kty":"EC","x":""# + Base64URL.encode(x) + #"","y":""#
            + Base64URL.encode(y) + #""}"#
        id = Base64URL.encode(sha256(members.utf8))
    }

    /// Whether `signature`, 64 bytes as JWS has it, is of `message` by this key.
    package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        var encoded = signature
        if algorithm == .es256 {
            var der = [UInt8](repeating: 0, count: 80)
            let count = madang_ecdsa_der(signature, &der, der.count)
            guard count > 0 else { return false }
            encoded = Array(der[..<Int(count)])
        }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        let digest = algorithm == .es256 ? EVP_sha256() : nil
        guard EVP_DigestVerifyInit(context, nil, digest, nil, handle.pointer) == 1 else {
            return false
        }
        let valid = EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
        if !valid { ERR_clear_error() }
        return valid
    }
}
