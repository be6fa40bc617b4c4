// Randomness comes in from outside, so that tests can repeat it.
import COpenSSL
import Synchronization

/// A source of random bytes.
package struct RandomSource: Sendable {
    private let fill: @Sendable (UnsafeMutableRawBufferPointer) -> Void

    package init(_ fill: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void) {
        self.fill = fill
    }

    /// OpenSSL's generator, seeded by the kernel. Without entropy there is no safe way on, so it traps.
    package static let system = RandomSource { buffer in
        guard let base = buffer.baseAddress else { return }
        let status = RAND_bytes(base.assumingMemoryBound(to: UInt8.self), Int32(buffer.count))
        precondition(status == 1, "the random generator failed")
    }

    /// The same bytes for the same seed (SplitMix64); for tests only.
    package static func seeded(_ seed: UInt64) -> RandomSource {
        let state = SeededState(seed)
        return RandomSource { buffer in
            for position in buffer.indices { buffer[position] = state.next() }
        }
    }

    package func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            fill(UnsafeMutableRawBufferPointer(buffer))
            initialized = count
        }
    }

    /// A random 64-bit word.
    package func word() -> UInt64 {
        var word: UInt64 = 0
        withUnsafeMutableBytes(of: &word) { fill($0) }
        return word
    }

    /// Random bytes as base64url text.
    package func token(bytes count: Int) -> String { Base64URL.encode(bytes(count)) }
}

private final class SeededState: Sendable {
    private let state: Mutex<UInt64>

    init(_ seed: UInt64) {
        state = Mutex(seed)
    }

    func next() -> UInt8 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31))
        }
    }
}
