// Hashes and comparisons.
import COpenSSL

/// SHA-256 (FIPS 180-4), 32 bytes.
package func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let input = Array(bytes)
    return [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
        SHA256(input, input.count, buffer.baseAddress)
        count = 32
    }
}

/// Whether two byte strings are equal, in a time that depends on their lengths only.
package func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}

/// Lower-case hexadecimal.
package func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}

/// HMAC with SHA-256 (RFC 2104), 32 bytes.
package func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
        var length: UInt32 = 32
        HMAC(
            EVP_sha256(), key, Int32(key.count), message, message.count, buffer.baseAddress,
            &length)
        count = 32
    }
}
