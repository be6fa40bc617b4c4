// Bytes that only the holder of a secret can read again: AES-256-GCM (NIST SP 800-38D) through OpenSSL.
import COpenSSL

/// Seals and opens bytes under a key of 32 bytes.
package struct SealedBox: Sendable {
    private let key: [UInt8]

    private static let nonceBytes = 12
    private static let tagBytes = 16

    /// The key is SHA-256 of `secret` behind `purpose`, so one secret serves several purposes without mixing them.
    package init(secret: [UInt8], purpose: String) {
        key = sha256(Array(purpose.utf8) + [0] + secret)
    }

    /// Nonce, ciphertext and tag. `nil` when OpenSSL fails.
    package func seal(_ bytes: [UInt8], random: RandomSource = .system) -> [UInt8]? {
        let nonce = random.bytes(Self.nonceBytes)
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: bytes.count)
        var tag = [UInt8](repeating: 0, count: Self.tagBytes)
        var count: Int32 = 0
        guard EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1,
            EVP_EncryptUpdate(context, &sealed, &count, bytes, Int32(bytes.count)) == 1,
            EVP_EncryptFinal_ex(context, nil, &count) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, Int32(Self.tagBytes), &tag) == 1
        else { return nil }
        return nonce + sealed + tag
    }

    /// The bytes; `nil` when they were sealed under another key or changed.
    package func open(_ box: [UInt8]) -> [UInt8]? {
        guard box.count >= Self.nonceBytes + Self.tagBytes else { return nil }
        let nonce = Array(box.prefix(Self.nonceBytes))
        var tag = Array(box.suffix(Self.tagBytes))
        let sealed = Array(box.dropFirst(Self.nonceBytes).dropLast(Self.tagBytes))
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        var bytes = [UInt8](repeating: 0, count: sealed.count)
        var count: Int32 = 0
        guard EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1,
            EVP_DecryptUpdate(context, &bytes, &count, sealed, Int32(sealed.count)) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, Int32(Self.tagBytes), &tag) == 1,
            EVP_DecryptFinal_ex(context, nil, &count) == 1
        else { return nil }
        return bytes
    }
}
