// Tokens verified once are good until they expire: a signature costs more than the rest of a request.
import Glibc

/// Remembers values by token. Of one loop; not safe for several threads.
package struct TokenCache<Value> {
    private struct Slot {
        var token: [UInt8]
        var expiresAt: Int64
        var value: Value
    }

    /// Each token has one place and drives out what was there: no list to keep in order, and the bound is exact.
    private var slots: [Slot?]

    /// - Parameter capacity: tokens at most, rounded up to a power of two.
    package init(capacity: Int = 8192) {
        var size = 16
        while size < capacity { size *= 2 }
        slots = Array(repeating: nil, count: size)
    }

    /// The value of a token unless it has expired. `now` in seconds since 1970.
    package func value(for token: UnsafeRawBufferPointer, now: Int64) -> Value? {
        guard let slot = slots[place(token)], slot.token.count == token.count,
            slot.expiresAt > now, let base = token.baseAddress
        else { return nil }
        let same = slot.token.withUnsafeBytes { memcmp($0.baseAddress ?? base, base, token.count) }
        return same == 0 ? slot.value : nil
    }

    /// Keeps a value until `expiresAt`, seconds since 1970.
    package mutating func insert(_ value: Value, for token: [UInt8], expiresAt: Int64) {
        let place = token.withUnsafeBytes { self.place($0) }
        slots[place] = Slot(token: token, expiresAt: expiresAt, value: value)
    }

    /// Forgets what matches: a session that ended, a key that was withdrawn.
    package mutating func removeAll(where matches: (Value) -> Bool) {
        for index in slots.indices {
            if let slot = slots[index], matches(slot.value) { slots[index] = nil }
        }
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
        return Int(truncatingIfNeeded: mixed & UInt64(slots.count - 1))
    }
}
