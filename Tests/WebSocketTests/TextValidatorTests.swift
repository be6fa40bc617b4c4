// The validator against the standard library's, which is an independent implementation.
import Testing
import WebSocket

@Suite struct TextValidatorTests {
    /// Both sides of every limit in the table of RFC 3629, section 4.
    private static let edges: [UInt8] = [
        0x00, 0x41, 0x7F, 0x80, 0x81, 0x8F, 0x90, 0x91, 0x9F, 0xA0, 0xA1, 0xBF, 0xC0, 0xC1, 0xC2,
        0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF,
    ]

    private func isValid(_ bytes: [UInt8], cutAt position: Int? = nil) -> Bool {
        var validator = TextValidator()
        let cut = position ?? bytes.count
        return bytes.withUnsafeBytes { buffer in
            validator.accept(UnsafeRawBufferPointer(rebasing: buffer[..<cut]))
                && validator.accept(UnsafeRawBufferPointer(rebasing: buffer[cut...]))
                && validator.isComplete
        }
    }

    @Test func `sequences of two bytes, and of three with a multi-byte start`() {
        var wrong: [[UInt8]] = []
        for first in UInt8.min...UInt8.max {
            for second in Self.edges {
                let pair = [first, second]
                if isValid(pair) != (String(validating: pair, as: UTF8.self) != nil) {
                    wrong.append(pair)
                }
                guard first >= 0xE0 else { continue }
                for third in Self.edges {
                    // With what follows, so that they are also seen four at a time.
                    let triple = pair + [third] + Array("abcdefgh".utf8)
                    if isValid(triple) != (String(validating: triple, as: UTF8.self) != nil) {
                        wrong.append(triple)
                    }
                }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test(
        arguments: [
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF1, 0x80, 0x80, 0xC0],
            [0xED, 0x9F, 0xBF, 0x41], [0xED, 0xA0, 0x80, 0x41], [0xF8, 0x88, 0x80, 0x80],
        ] as [[UInt8]])
    func `sequences of four`(bytes: [UInt8]) {
        #expect(isValid(bytes) == (String(validating: bytes, as: UTF8.self) != nil))
    }

    @Test func `texts with an error anywhere, cut anywhere`() {
        for seed in 0..<300 as Range<UInt64> { compare(seed: seed) }
    }

    private func compare(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let scripts = ["the quick brown fox jumps over the lazy dog ", "다람쥐 헌 쳇바퀴", "😀é€"]
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            bytes += Array((scripts.randomElement(using: &random) ?? "").utf8)
        }
        let cut = Int.random(in: 0...bytes.count, using: &random)
        #expect(isValid(bytes, cutAt: cut), "seed \(seed)")
        bytes[Int.random(in: bytes.indices, using: &random)] = random.bytes(1)[0]
        let isExpected = String(validating: bytes, as: UTF8.self) != nil
        #expect(isValid(bytes, cutAt: cut) == isExpected, "seed \(seed)")
    }
}
