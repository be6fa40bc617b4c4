// Passwords are hashed with scrypt (RFC 7914), which needs 128 MB a hash at our cost. So hashing has threads of its own,
// few of them, and a bounded line: a storm of log-ins must neither block a loop nor eat the memory.
import COpenSSL
import Glibc
import Synchronization

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

    /// What a stored hash may ask of us; above, it was not made by us.
    var isAcceptable: Bool {
        (1...20).contains(logN) && (1...16).contains(r) && (1...4).contains(p)
    }
}

/// Too many hashes are waiting; try again in a few seconds.
package struct PasswordHasherBusy: Error {}

/// Hashes and verifies passwords on threads of its own.
package final class PasswordHasher: Sendable {
    private let cost: PasswordCost
    private let random: RandomSource
    private let line: WorkLine
    /// Stands in for the hash of an account that does not exist, so that the answer takes as long.
    private let nobody: String

    private static let saltBytes = 16
    private static let keyBytes = 32

    /// - Parameters:
    ///   - concurrency: hashes at a time, each with 128 MB at the standard cost.
    ///   - maximumWaiting: callers in line; further ones are refused.
    package init(
        cost: PasswordCost = .standard, concurrency: Int = 1, maximumWaiting: Int = 64,
        random: RandomSource = .system
    ) {
        self.cost = cost
        self.random = random
        line = WorkLine(threads: concurrency, maximumWaiting: maximumWaiting)
        let salt = [UInt8](repeating: 0, count: Self.saltBytes)
        nobody = Self.text(cost, salt, [UInt8](repeating: 0, count: Self.keyBytes))
    }

    /// The text to store: algorithm, cost, salt and key.
    /// - Throws: `PasswordHasherBusy`.
    package func hash(_ password: String) async throws -> String {
        let salt = random.bytes(Self.saltBytes)
        let cost = self.cost
        return try await line.run {
            Self.text(cost, salt, Self.derive(Array(password.utf8), salt, cost))
        }
    }

    /// Whether the password belongs to a stored text; `nil` stands for an account that does not exist and takes as long.
    /// - Throws: `PasswordHasherBusy`.
    package func verify(_ password: String, _ stored: String?) async throws -> Bool {
        guard let parsed = Self.parse(stored ?? nobody) else { return false }
        let exists = stored != nil
        return try await line.run {
            let key = Self.derive(Array(password.utf8), parsed.salt, parsed.cost)
            return equalInConstantTime(key, parsed.key) && exists
        }
    }

    /// Whether a stored text was made at another cost than today's and should be made anew at the next log-in.
    package func needsRehash(_ stored: String) -> Bool { Self.parse(stored)?.cost != cost }

    /// Callers waiting for a thread.
    package var waiting: Int { line.waiting }

    private static func derive(
        _ password: [UInt8], _ salt: [UInt8], _ cost: PasswordCost
    ) -> [UInt8] {
        var password = password
        defer { password.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }
        var key = [UInt8](repeating: 0, count: keyBytes)
        let memory = UInt64(128 * cost.r) << UInt64(cost.logN) + 1_048_576
        let status = password.withUnsafeBytes { bytes in
            EVP_PBE_scrypt(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, salt,
                salt.count, 1 << UInt64(cost.logN), UInt64(cost.r), UInt64(cost.p), memory * 2,
                &key, key.count)
        }
        // Only a lack of memory gets here; a wrong hash stored or accepted would be worse than stopping.
        precondition(status == 1, "scrypt failed")
        return key
    }

    private static func text(_ cost: PasswordCost, _ salt: [UInt8], _ key: [UInt8]) -> String {
        "$scrypt$ln=\(cost.logN),r=\(cost.r),p=\(cost.p)$"
            + "\(Base64URL.encode(salt))$\(Base64URL.encode(key))"
    }

    private static func parse(
        _ text: String
    ) -> (cost: PasswordCost, salt: [UInt8], key: [UInt8])? {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
        var numbers: [String: Int] = [:]
        for pair in parts[2].split(separator: ",") {
            let sides = pair.split(separator: "=")
            if sides.count == 2 { numbers[String(sides[0])] = Int(sides[1]) }
        }
        guard let logN = numbers["ln"], let r = numbers["r"], let p = numbers["p"],
            let salt = Base64URL.decode(parts[3].utf8), let key = Base64URL.decode(parts[4].utf8),
            key.count == keyBytes
        else { return nil }
        let cost = PasswordCost(logN: logN, r: r, p: p)
        return cost.isAcceptable ? (cost, salt, key) : nil
    }
}

/// A few threads and a bounded line before them.
private final class WorkLine: @unchecked Sendable {
    private let maximumWaiting: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [() -> Void] = []

    init(threads: Int, maximumWaiting: Int) {
        self.maximumWaiting = maximumWaiting
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
        for _ in 0..<threads {
            var thread = pthread_t()
            // The line lives as long as the process: hashers are made once at start.
            pthread_create(
                &thread, nil,
                { argument in
                    guard let argument else { return nil }
                    Unmanaged<WorkLine>.fromOpaque(argument).takeRetainedValue().work()
                }, Unmanaged.passRetained(self).toOpaque())
            pthread_detach(thread)
        }
    }

    var waiting: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return jobs.count
    }

    private func work() -> Never {
        while true {
            pthread_mutex_lock(mutex)
            while jobs.isEmpty { pthread_cond_wait(condition, mutex) }
            let job = jobs.removeFirst()
            pthread_mutex_unlock(mutex)
            job()
        }
    }

    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            pthread_mutex_lock(mutex)
            let accepted = jobs.count < maximumWaiting
            if accepted {
                jobs.append { continuation.resume(returning: body()) }
                pthread_cond_signal(condition)
            }
            pthread_mutex_unlock(mutex)
            if !accepted { continuation.resume(throwing: PasswordHasherBusy()) }
        }
    }
}
