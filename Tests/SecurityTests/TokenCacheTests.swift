// Verified tokens are found by all of their bytes, until they expire.

import Security
import Testing

@Suite struct TokenCacheTests {
    private func find<Value>(_ cache: TokenCache<Value>, _ token: [UInt8], now: Int64 = 0) -> Value?
    {
        token.withUnsafeBytes { cache.value(for: $0, now: now) }
    }

    @Test func foundUntilExpiry() {
        let token = RandomSource.seeded(1).bytes(300)
        var cache = TokenCache<Int>()
        #expect(find(cache, token) == nil)
        cache.insert(7, for: token, expiresAt: 100)
        #expect(find(cache, token) == 7)
        #expect(find(cache, token, now: 99) == 7)
        #expect(find(cache, token, now: 100) == nil)
        #expect(find(cache, token, now: .max) == nil)
        cache.insert(8, for: token, expiresAt: 200)
        #expect(find(cache, token, now: 150) == 8)
    }

    /// A token that ends like a known one, as any forged one can, is not that token.
    @Test func allBytesCount() {
        let token = RandomSource.seeded(2).bytes(300)
        var cache = TokenCache<Int>()
        cache.insert(7, for: token, expiresAt: 100)
        for place in token.indices {
            var other = token
            other[place] ^= 1
            #expect(find(cache, other) == nil)
        }
        #expect(find(cache, Array(token.dropFirst())) == nil)
        #expect(find(cache, [0] + token) == nil)
        #expect(find(cache, token + [0]) == nil)
        #expect(find(cache, Array(token.suffix(16))) == nil)
        #expect(find(cache, token) == 7)
    }

    @Test func twoTokensWithTheSameEnd() {
        let end = RandomSource.seeded(3).bytes(16)
        var cache = TokenCache<Int>()
        cache.insert(1, for: [1] + end, expiresAt: 100)
        cache.insert(2, for: [2] + end, expiresAt: 100)
        // They share a place; the later one has it.
        #expect(find(cache, [1] + end) == nil)
        #expect(find(cache, [2] + end) == 2)
    }

    @Test func shortTokens() {
        var cache = TokenCache<Int>()
        #expect(find(cache, []) == nil)
        cache.insert(1, for: [1, 2, 3], expiresAt: 100)
        #expect(find(cache, [1, 2, 3]) == 1)
        #expect(find(cache, [1, 2, 4]) == nil)
        #expect(find(cache, []) == nil)
        cache.insert(2, for: [], expiresAt: 100)
        #expect(find(cache, [1, 2, 3]) == nil)
    }

    @Test func bounded() {
        let random = RandomSource.seeded(4)
        let tokens = (0..<1000).map { _ in random.bytes(40) }
        var cache = TokenCache<Int>(capacity: 64)
        for (number, token) in tokens.enumerated() {
            cache.insert(number, for: token, expiresAt: 100)
        }
        let kept = tokens.indices.filter { find(cache, tokens[$0]) != nil }
        #expect(kept.count <= 64)
        // Random ends spread: nearly every place is taken.
        #expect(kept.count >= 60)
        #expect(kept.allSatisfy { find(cache, tokens[$0]) == $0 })
        #expect(kept.contains(999))
    }

    @Test func mostTokensFitBelowTheBound() {
        let random = RandomSource.seeded(5)
        let tokens = (0..<1000).map { _ in random.bytes(200) }
        var cache = TokenCache<Int>()
        for (number, token) in tokens.enumerated() {
            cache.insert(number, for: token, expiresAt: 100)
        }
        let kept = tokens.count { find(cache, $0) != nil }
        // 1000 of 8192 places: 59 are expected to be driven out.
        #expect(kept >= 900)
    }

    @Test func forgotten() {
        let random = RandomSource.seeded(6)
        let tokens = (0..<100).map { _ in random.bytes(86) }
        var cache = TokenCache<Int>(capacity: 65_536)
        for (number, token) in tokens.enumerated() {
            cache.insert(number, for: token, expiresAt: 100)
        }
        cache.removeAll { $0.isMultiple(of: 2) }
        for (number, token) in tokens.enumerated() {
            #expect(find(cache, token) == (number.isMultiple(of: 2) ? nil : number))
        }
    }
}
