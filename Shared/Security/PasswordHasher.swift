// Passwords are hashed with scrypt (RFC 7914), which needs 128 MB a hash at our cost. So hashing has threads of its own,
// few of them, and a bounded line: a storm of log-ins must neither block a loop nor eat the memory.
import COpenSSL

/// The cost of a hash.
package struct PasswordCost: Sendable, Equatable {
    /// log2 of N; memory is 128 · r · N bytes.
    package var logN: Int
    package var r: Int
    package var p: Int

    package init(logN: Int, r: Int = 8, p: Int = 1) {
        self.logN = logN
        self.r = r
        self.p = p
    }

    /// N = 2^17, r = 8, p = 1: OWASP's first choice for scrypt.
    package static let standard = PasswordCost(logN: 17)

    /// Most memory of a hash: twice that of the standard cost.
    private static let maximumBytes = 1 << 28
    /// Most rounds of Salsa20/8's mixer, N · r · p: four times those of the standard cost.
    private static let maximumRounds = 1 << 22

    var memoryBytes: Int { 128 * r << logN }

    /// What a stored hash may ask of us; above, it was not made by us.
    var isAcceptable: Bool {
        (1...20).contains(logN) && (1...16).contains(r) && (1...16).contains(p)
            && memoryBytes <= Self.maximumBytes && (r * p) << logN <= Self.maximumRounds
    }
}

/// Too many hashes are waiting; try again in a few seconds.
package struct PasswordHasherBusy: Error {}

/// Hashes and verifies passwords on threads of its own, which end with it.
package final class PasswordHasher: Sendable {
    private let cost: PasswordCost
    private let random: RandomSource
    private let line: WorkLine
    /// Stands in for the hash of an account that does not exist, so that the answer takes as long.
    private let nobody: StoredHash

    private static let saltBytes = 16

    /// - Parameters:
    ///   - cost: of new hashes; stored ones are verified at their own.
    ///   - concurrency: hashes at a time, each with 128 MB at the standard cost.
    ///   - maximumWaiting: callers in line; further ones are refused.
    package init(
        cost: PasswordCost = .standard, concurrency: Int = 1, maximumWaiting: Int = 64,
        random: RandomSource = .system
    ) {
        precondition(cost.isAcceptable, "a cost that no stored hash may have")
        self.cost = cost
        self.random = random
        line = WorkLine(threads: concurrency, maximumWaiting: maximumWaiting)
        nobody = StoredHash(
            cost: cost, salt: [UInt8](repeating: 0, count: Self.saltBytes),
            key: [UInt8](repeating: 0, count: StoredHash.keyBytes))
    }

    deinit { line.close() }

    /// The text to store: algorithm, cost, salt and key.
    /// - Throws: `PasswordHasherBusy`, or `CancellationError` when the task was cancelled while it waited in line.
    package func hash(_ password: String) async throws -> String {
        let salt = random.bytes(Self.saltBytes)
        let cost = self.cost
        return try await line.run {
            let key = StoredHash.derive(password, salt, cost)
            return StoredHash(cost: cost, salt: salt, key: key).text
        }
    }

    /// Whether the password belongs to a stored text; `nil` stands for an account that does not exist. Without account,
    /// or with a text that is not a hash, `false` takes as long as with one.
    /// - Throws: as `hash`.
    package func verify(_ password: String, _ stored: String?) async throws -> Bool {
        let parsed = stored.flatMap(StoredHash.init)
        let expected = parsed ?? nobody
        return try await line.run {
            let key = StoredHash.derive(password, expected.salt, expected.cost)
            return equalInConstantTime(key, expected.key) && parsed != nil
        }
    }

    /// Whether a stored text was made at another cost than today's and should be made anew at the next log-in.
    package func needsRehash(_ stored: String) -> Bool { StoredHash(stored)?.cost != cost }

    /// Callers waiting for a thread.
    package var waiting: Int { line.waiting }
}

/// A password's hash as it is stored: `$scrypt$ln=17,r=8,p=1$salt$key`, both in base64url.
struct StoredHash: Sendable {
    let cost: PasswordCost
    let salt: [UInt8]
    let key: [UInt8]

    static let keyBytes = 32
    /// Most bytes of a stored text that are looked at.
    private static let maximumTextBytes = 256

    init(cost: PasswordCost, salt: [UInt8], key: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.key = key
    }

    /// `nil` unless it is written exactly as `text` writes it, at a cost that is acceptable.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumTextBytes else { return nil }
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5 else { return nil }
        let numbers = parts[2].split(separator: ",").compactMap { pair in
            pair.split(separator: "=").last.flatMap { Int($0) }
        }
        guard numbers.count == 3, let salt = Base64URL.decode(parts[3].utf8),
            let key = Base64URL.decode(parts[4].utf8), key.count == Self.keyBytes
        else { return nil }
        let cost = PasswordCost(logN: numbers[0], r: numbers[1], p: numbers[2])
        guard cost.isAcceptable else { return nil }
        self.init(cost: cost, salt: salt, key: key)
        guard self.text == text else { return nil }
    }

    var text: String {
        "$scrypt$ln=\(cost.logN),r=\(cost.r),p=\(cost.p)$"
            + "\(Base64URL.encode(salt))$\(Base64URL.encode(key))"
    }

    /// scrypt. Our copy of the password is wiped; Swift's string cannot be.
    static func derive(_ password: String, _ salt: [UInt8], _ cost: PasswordCost) -> [UInt8] {
        var bytes = Array(password.utf8)
        var key = [UInt8](repeating: 0, count: keyBytes)
        // OpenSSL also counts the blocks it mixes in; 1 MB is more than they take.
        let most = UInt64(cost.memoryBytes + 128 * cost.r * cost.p + 1_048_576)
        let status = bytes.withUnsafeMutableBytes { buffer in
            let status = EVP_PBE_scrypt(
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, salt,
                salt.count, 1 << UInt64(cost.logN), UInt64(cost.r), UInt64(cost.p), most, &key,
                key.count)
            OPENSSL_cleanse(buffer.baseAddress, buffer.count)
            return status
        }
        // Only a lack of memory gets here; a wrong hash stored or accepted would be worse than stopping.
        precondition(status == 1, "scrypt failed")
        return key
    }
}
