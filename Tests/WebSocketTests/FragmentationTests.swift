// However the network cuts a stream, the same events come out.
import Testing
import WebSocket

@Suite struct FragmentationTests {
    @Test func `any cut gives the same events`() {
        for seed in 0..<100 as Range<UInt64> { checkCuts(seed: seed) }
    }

    @Test func `also of a stream with an error in it`() {
        for seed in 0..<100 as Range<UInt64> { checkErrors(seed: seed) }
    }

    private func checkCuts(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let role: WebSocketRole = seed.isMultiple(of: 2) ? .server : .client
        let (stream, expected) = conversation(&random, masked: role == .server)
        #expect(decode([stream], role: role) == expected, "seed \(seed)")
        #expect(decode(stream.map { [$0] }, role: role) == expected, "seed \(seed)")
        #expect(decode(cut(stream, &random), role: role) == expected, "seed \(seed)")
    }

    private func checkErrors(seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 10_000)
        var (stream, _) = conversation(&random, masked: true)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let position = Int.random(in: stream.indices, using: &random)
            stream[position] ^= UInt8(1 << Int.random(in: 0...7, using: &random))
        }
        let whole = decode([stream])
        #expect(decode(stream.map { [$0] }) == whole, "seed \(seed)")
        #expect(decode(cut(stream, &random)) == whole, "seed \(seed)")
    }

    /// Frames of messages in fragments with control frames between them, and the events they stand for.
    private func conversation(
        _ random: inout SeededGenerator, masked: Bool
    ) -> ([UInt8], [DecodedEvent]) {
        var stream: [UInt8] = []
        var events: [DecodedEvent] = []
        func add(_ frame: RawFrame) {
            var frame = frame
            frame.mask = masked ? random.bytes(4) : nil
            stream += frame.bytes
        }
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let isText = Bool.random(using: &random)
            let text = randomText(&random)
            let payload = isText ? Array(text.utf8) : random.bytes(text.utf8.count)
            let pieces = cut(payload, &random)
            for (index, piece) in pieces.enumerated() {
                if Int.random(in: 0..<4, using: &random) == 0 {
                    let echo = random.bytes(Int.random(in: 0...125, using: &random))
                    let isPing = Bool.random(using: &random)
                    add(RawFrame(opcode: isPing ? 9 : 10, payload: echo))
                    events.append(isPing ? .ping(echo) : .pong(echo))
                }
                add(
                    RawFrame(
                        isFinal: index == pieces.count - 1,
                        opcode: index > 0 ? 0 : (isText ? 1 : 2), payload: piece))
            }
            events.append(isText ? .text(text) : .binary(payload))
        }
        if Bool.random(using: &random) {
            add(.close(4000, "끝"))
            events.append(.close(4000, "끝"))
        }
        return (stream, events)
    }

    private func randomText(_ random: inout SeededGenerator) -> String {
        let alphabet: [Character] = ["a", "é", "가", "€", "😀", "\u{0}", "\u{FFFF}", "\u{10FFFF}"]
        let longest = Bool.random(using: &random) ? 20 : 500
        let isASCII = Bool.random(using: &random)
        return String(
            (0..<Int.random(in: 0...longest, using: &random)).map { _ in
                isASCII ? "a" : alphabet.randomElement(using: &random) ?? "a"
            })
    }

    /// Pieces of random length, at least one, some of them empty.
    private func cut(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let longest = Bool.random(using: &random) ? 3 : 300
            let count = min(rest.count, Int.random(in: 0...longest, using: &random))
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces.isEmpty ? [[]] : pieces
    }
}
