// What the encoder writes, the decoder of the other end reads.
import Testing
import WebSocket

@Suite struct FrameEncoderTests {
    private func encode(_ opcode: Opcode, _ payload: [UInt8], mask: UInt32? = nil) -> [UInt8] {
        var frame: [UInt8] = []
        payload.withUnsafeBytes { FrameEncoder.append(opcode, $0, mask: mask, to: &frame) }
        return frame
    }

    @Test func `the examples of section 5.7`() {
        let hello = Array("Hello".utf8)
        #expect(encode(.text, hello) == [0x81, 0x05] + hello)
        // The mask is 37 fa 21 3d on the wire.
        #expect(
            encode(.text, hello, mask: 0x3D21_FA37) == [
                0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58,
            ])
        let long = [UInt8](repeating: 1, count: 256)
        #expect(encode(.binary, long)[..<4] == [0x82, 0x7E, 0x01, 0x00])
        let longer = [UInt8](repeating: 1, count: 65_536)
        #expect(encode(.binary, longer)[..<10] == [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0])
    }

    @Test(arguments: [0, 1, 5, 125, 126, 127, 65_535, 65_536])
    func `both ends understand each other`(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        let payload = random.bytes(count)
        #expect(decode([encode(.binary, payload)], role: .client) == [.binary(payload)])
        let mask = UInt32(truncatingIfNeeded: random.next())
        #expect(decode([encode(.binary, payload, mask: mask)]) == [.binary(payload)])
    }

    @Test func `a mask applied at any offset and twice`() {
        var random = SeededGenerator(seed: 3)
        let key = random.bytes(4)
        let mask = key.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        for offset in 0..<9 {
            for count in 0..<40 {
                // Half of them become ASCII.
                let isText = Bool.random(using: &random)
                let bytes = random.bytes(count).enumerated().map { place, byte in
                    isText ? (byte & 0x7F) ^ (key[(place + offset) % 4] & 0x80) : byte
                }
                var masked = bytes
                let isASCII = masked.withUnsafeMutableBytes { applyMask(mask, at: offset, to: $0) }
                #expect(isASCII == masked.allSatisfy { $0 < 0x80 })
                #expect(masked == bytes.enumerated().map { $1 ^ key[($0 + offset) % 4] })
            }
        }
    }

    @Test func `shared frames`() {
        #expect(SharedFrame.text("가").bytes == [0x81, 3] + Array("가".utf8))
        #expect(SharedFrame.text(Array("a".utf8)) == SharedFrame.text("a"))
        #expect(SharedFrame.binary([1, 2]).bytes == [0x82, 2, 1, 2])
    }

    @Test func `close reasons are cut at a character`() {
        #expect(FrameEncoder.closePayload(nil, "x").isEmpty)
        #expect(FrameEncoder.closePayload(.normal, "ok") == [0x03, 0xE8] + Array("ok".utf8))
        let reason = String(repeating: "가", count: 60)
        let payload = FrameEncoder.closePayload(.goingAway, reason)
        #expect(payload.count == 125)
        #expect(payload.dropFirst(2).elementsEqual(String(repeating: "가", count: 41).utf8))
        #expect(
            decode([encode(.close, payload)], role: .client) == [
                .close(1001, String(repeating: "가", count: 41))
            ])
    }
}
