// Password hashes: the right function, stored so that its cost can grow, without holding up a loop or filling the memory.

import EventLoop
import Security
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct PasswordHasherTests {
    private static let cheap = PasswordCost(logN: 4)
    /// About 0.05 s and 16 MB.
    private static let slow = PasswordCost(logN: 14)

    /// RFC 7914, section 12, the first 32 bytes of each key. The fourth vector needs 1 GB, more than is accepted.
    @Test(arguments: [
        ("", "$scrypt$ln=4,r=1,p=1$$d9ZXYjhleyA7GcpCwYoEl_FrSETjB0ro39_6P-3iFEI"),
        (
            "password",
            "$scrypt$ln=10,r=8,p=16$TmFDbA$_bq-HJ00cgB4VucZDQHp_nxq18vII3gw53N2Y0s3MWI"
        ),
        (
            "pleaseletmein",
            "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046_2o-7qQT44-qbVD9lRdofI"
        ),
    ])
    func rfc7914(password: String, stored: String) async throws {
        let hasher = PasswordHasher(cost: Self.cheap)
        #expect(try await hasher.verify(password, stored))
        #expect(try await !hasher.verify(password + " ", stored))
        #expect(hasher.needsRehash(stored))
    }

    @Test func thereAndBack() async throws {
        let hasher = PasswordHasher(cost: Self.cheap)
        let stored = try await hasher.hash("비밀번호 🔑")
        #expect(stored.hasPrefix("$scrypt$ln=4,r=8,p=1$"))
        #expect(!stored.contains("비밀번호"))
        #expect(try await hasher.verify("비밀번호 🔑", stored))
        #expect(try await !hasher.verify("비밀번호", stored))
        #expect(try await !hasher.verify("", stored))
        #expect(!hasher.needsRehash(stored))
        #expect(try await hasher.hash("비밀번호 🔑") != stored)
        // Nothing ends a password early.
        let withNUL = try await hasher.hash("a\u{0}b")
        #expect(try await !hasher.verify("a", withNUL))
        #expect(try await hasher.verify("a\u{0}b", withNUL))
    }

    @Test func theStandardCost() async throws {
        let hasher = PasswordHasher()
        let stored = try await hasher.hash("password")
        #expect(stored.hasPrefix("$scrypt$ln=17,r=8,p=1$"))
        #expect(stored.utf8.count == 88)
        #expect(try await hasher.verify("password", stored))
        #expect(try await !hasher.verify("Password", stored))
    }

    @Test func theSaltComesFromTheSource() async throws {
        let one = PasswordHasher(cost: Self.cheap, random: .seeded(1))
        let other = PasswordHasher(cost: Self.cheap, random: .seeded(1))
        let stored = try await one.hash("password")
        #expect(try await other.hash("password") == stored)
        #expect(try await other.hash("password") != stored)
    }

    @Test func olderHashesAreVerifiedAndRenewed() async throws {
        let old = PasswordHasher(cost: PasswordCost(logN: 5, r: 4, p: 2))
        let stored = try await old.hash("password")
        let new = PasswordHasher(cost: Self.cheap)
        #expect(try await new.verify("password", stored))
        #expect(new.needsRehash(stored))
        #expect(!old.needsRehash(stored))
    }

    @Test(arguments: [
        "", "$", "$$$$", "password", "$2b$12$abcdefghijklmnopqrstuv", "$scrypt$ln=4,r=8,p=1$AA$AA",
        // A key of 32 bytes each, with something else that is wrong.
        "$scrypt$ln=21,r=8,p=1$AA$\(key)", "$scrypt$ln=18,r=16,p=1$AA$\(key)",
        "$scrypt$ln=17,r=8,p=16$AA$\(key)", "$scrypt$ln=0,r=8,p=1$AA$\(key)",
        "$scrypt$ln=4,r=0,p=1$AA$\(key)", "$scrypt$ln=4,r=8,p=0$AA$\(key)",
        "$scrypt$ln=-4,r=8,p=1$AA$\(key)", "$scrypt$ln=04,r=8,p=1$AA$\(key)",
        "$scrypt$ln=+4,r=8,p=1$AA$\(key)", "$scrypt$ln=4,r=8$AA$\(key)",
        "$scrypt$r=8,ln=4,p=1$AA$\(key)", "$scrypt$ln=4,r=8,p=1,x=1$AA$\(key)",
        "$scrypt$ln=4,r=8,p=1$A$\(key)", "$scrypt$ln=4,r=8,p=1$AB$\(key)",
        "$scrypt$ln=4,r=8,p=1$AA$\(key)=", "$scrypt$ln=4,r=8,p=1$AA$\(key)$",
        "scrypt$ln=4,r=8,p=1$AA$\(key)",
        "$argon2id$ln=4,r=8,p=1$AA$\(key)", "$scrypt$ln=9223372036854775807,r=8,p=1$AA$\(key)",
        "$scrypt$ln=4,r=9223372036854775807,p=1$AA$\(key)",
    ])
    func notAHash(stored: String) async throws {
        let hasher = PasswordHasher(cost: Self.cheap)
        #expect(try await !hasher.verify("password", stored))
        #expect(hasher.needsRehash(stored))
    }

    private static let key = String(repeating: "A", count: 43)

    /// An account that does not exist takes as long as a wrong password: at least half, where skipping takes nothing.
    @Test func nobodyTakesAsLong() async throws {
        let hasher = PasswordHasher(cost: Self.slow)
        let stored = try await hasher.hash("password")
        let clock = ContinuousClock()
        func shortest(_ stored: String?) async throws -> Duration {
            var least = Duration.seconds(60)
            for _ in 0..<5 {
                let start = clock.now
                let isRight = try await hasher.verify("wrong", stored)
                least = min(least, clock.now - start)
                #expect(!isRight)
            }
            return least
        }
        let wrong = try await shortest(stored)
        #expect(try await shortest(nil) > wrong / 2)
        #expect(try await shortest("not a hash") > wrong / 2)
        // Not even with the password whose hash would be the stand-in's.
        #expect(try await !hasher.verify("", nil))
    }

    // MARK: Threads

    @Test func theLineIsBounded() async throws {
        let hasher = PasswordHasher(cost: Self.slow, concurrency: 1, maximumWaiting: 3)
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    do {
                        return try await hasher.hash("password").hasPrefix("$scrypt$")
                    } catch {
                        #expect(error is PasswordHasherBusy)
                        return false
                    }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        let hashed = outcomes.count { $0 }
        #expect(hashed >= 3 && hashed < 40)
        #expect(hasher.waiting == 0)
        // The storm over, it works as before.
        #expect(try await hasher.hash("password").hasPrefix("$scrypt$"))
    }

    @Test func aCancelledCallerLeavesTheLine() async throws {
        // Slow enough for the others to come while the first is hashed.
        let hasher = PasswordHasher(
            cost: PasswordCost(logN: 16), concurrency: 1, maximumWaiting: 50)
        let first = Task { try await hasher.hash("first") }
        let others = (0..<20).map { _ in Task { try await hasher.hash("other") } }
        while hasher.waiting < 15 { await Task.yield() }
        for task in others { task.cancel() }
        var cancelled = 0
        for task in others {
            if case .failure(let error) = await task.result {
                #expect(error is CancellationError)
                cancelled += 1
            }
        }
        #expect(cancelled >= 10)
        #expect(try await first.value.hasPrefix("$scrypt$"))
        #expect(hasher.waiting == 0)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await hasher.hash("late")
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    /// While a password is hashed the loop goes on, and the caller comes back to it.
    @Test func offTheLoop() async throws {
        let loop = try EventLoop()
        loop.start()
        defer { loop.stop() }
        let hasher = PasswordHasher(cost: PasswordCost(logN: 16))
        let turns = Turns()
        let task = Task(executorPreference: loop) {
            // As a loop does: a bit of work, and the next turn.
            let beat = Task(executorPreference: loop) {
                while !Task.isCancelled {
                    turns.count.add(1, ordering: .relaxed)
                    await Task.yield()
                }
            }
            let before = turns.count.load(ordering: .relaxed)
            let stored = try await hasher.hash("password")
            let after = turns.count.load(ordering: .relaxed)
            beat.cancel()
            return (stored, after - before, EventLoop.current === loop)
        }
        let (stored, between, isOnLoop) = try await task.value
        #expect(isOnLoop)
        #expect(between > 100)
        #expect(try await hasher.verify("password", stored))
    }

    /// Several hashes at a time, each right.
    @Test func concurrent() async throws {
        let hasher = PasswordHasher(cost: PasswordCost(logN: 8), concurrency: 4)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let stored = try await hasher.hash("password \(number)")
                    #expect(try await hasher.verify("password \(number)", stored))
                    #expect(try await !hasher.verify("password \(number + 1)", stored))
                }
            }
            try await group.waitForAll()
        }
    }
}

private final class Turns: Sendable {
    let count = Atomic(0)
}
