// Tokens verified once are good until they expire: a signature costs more than the rest of a request.
import Glibc

/// Remembers values by token. Of one loop; not safe for several threads.
package struct TokenCache<Value> {
    /// Apart from the values, so that what is done with a token's bytes is not generic: a look-up takes 75 ns
    /// instead of 250.
    private var places: TokenPlaces
    private var values: [Value?]

    /// - Parameter capacity: tokens at most, rounded up to a power of two.
    package init(capacity: Int = 8192) {
        places = TokenPlaces(capacity: capacity)
        values = Array(repeating: nil, count: places.count)
    }

    /// The value of a token unless it has expired. `now` in seconds since 1970.
    package func value(for token: UnsafeRawBufferPointer, now: Int64) -> Value? {
        guard let place = places.find(token, now: now) else { return nil }
        return values[place]
    }

    /// Keeps a value until `expiresAt`, seconds since 1970.
    package mutating func insert(_ value: Value, for token: [UInt8], expiresAt: Int64) {
        values[places.insert(token, expiresAt: expiresAt)] = value
    }

    /// Forgets what matches: a session that ended, a key that was withdrawn.
    package mutating func removeAll(where matches: (Value) -> Bool) {
        for place in values.indices {
            guard let value = values[place], matches(value) else { continue }
            values[place] = nil
            places.remove(at: place)
        }
    }
}

/// Each token has one place and drives out what was there: no list to keep in order, and the bound is exact.
private struct TokenPlaces {
    private var tokens: [[UInt8]]
    /// Seconds since 1970; the least integer where there is no token.
    private var expiries: [Int64]

    init(capacity: Int) {
        var size = 16
        while size < capacity { size *= 2 }
        tokens = Array(repeating: [], count: size)
        expiries = Array(repeating: .min, count: size)
    }

    var count: Int { tokens.count }

    func find(_ token: UnsafeRawBufferPointer, now: Int64) -> Int? {
        let place = place(token)
        guard expiries[place] > now, let base = token.baseAddress else { return nil }
        let isSame = tokens[place].withUnsafeBytes { known in
            known.count == token.count && memcmp(known.baseAddress ?? base, base, token.count) == 0
        }
        return isSame ? place : nil
    }

    mutating func insert(_ token: [UInt8], expiresAt: Int64) -> Int {
        let place = token.withUnsafeBytes { self.place($0) }
        tokens[place] = token
        expiries[place] = expiresAt
        return place
    }

    mutating func remove(at place: Int) {
        tokens[place] = []
        expiries[place] = .min
    }

    /// The end of a token is its signature, which is as good as random: its last words are the hash.
    private func place(_ token: UnsafeRawBufferPointer) -> Int {
        guard token.count >= 16 else { return 0 }
        let first = token.loadUnaligned(fromByteOffset: token.count - 16, as: UInt64.self)
        let second = token.loadUnaligned(fromByteOffset: token.count - 8, as: UInt64.self)
        var mixed = first &* 0x9E37_79B9_7F4A_7C15 ^ second
        mixed ^= mixed >> 32
        mixed = mixed &* 0xD6E8_FEB8_6659_FD93
        mixed ^= mixed >> 32
        return Int(truncatingIfNeeded: mixed & UInt64(expiries.count - 1))
    }
}
