// Every rule of RFC 6455 that a decoder must hold, one by one.
import Testing
import WebSocket

@Suite struct FrameDecoderTests {
    @Test func `messages and control frames arrive in order`() {
        let events = decode(
            .text("안녕"), RawFrame(opcode: 2, payload: [0, 255]), RawFrame(opcode: 9, payload: [7]),
            RawFrame(opcode: 10), .close(1000, "bye"))
        #expect(
            events == [
                .text("안녕"), .binary([0, 255]), .ping([7]), .pong([]), .close(1000, "bye"),
            ])
    }

    @Test func `the examples of section 5.7`() {
        let hello: [UInt8] = [0x48, 0x65, 0x6C, 0x6C, 0x6F]
        #expect(decode([[0x81, 0x05] + hello], role: .client) == [.text("Hello")])
        let masked: [UInt8] = [
            0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58,
        ]
        #expect(decode([masked]) == [.text("Hello")])
        let fragments: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]
        #expect(decode([fragments], role: .client) == [.text("Hello")])
        #expect(decode([[0x89, 0x05] + hello], role: .client) == [.ping(hello)])
    }

    @Test(arguments: [0, 1, 7, 8, 9, 125, 126, 127, 128, 65_535, 65_536, 200_000])
    func `payloads of every length form`(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        let payload = random.bytes(count)
        #expect(decode(RawFrame(opcode: 2, payload: payload)) == [.binary(payload)])
        let unmasked = RawFrame(opcode: 2, payload: payload).unmasked()
        #expect(decode(unmasked, role: .client) == [.binary(payload)])
    }

    @Test func `fragments make one message, control frames between them`() {
        let events = decode(
            RawFrame.text("ab").fragment(isFinal: false), RawFrame(opcode: 9, payload: [1]),
            RawFrame.text("").fragment(0, isFinal: false), RawFrame(opcode: 10, payload: [2]),
            RawFrame.text("c").fragment(0, isFinal: true), .text("d"))
        #expect(events == [.ping([1]), .pong([2]), .text("abc"), .text("d")])
    }

    @Test func `a server takes masked frames only, a client unmasked ones only`() {
        #expect(decode(RawFrame.text("a").unmasked()) == [.fault(.protocolError)])
        #expect(decode(.text("a"), role: .client) == [.fault(.protocolError)])
    }

    @Test(arguments: [1, 2, 4, 7] as [UInt8])
    func `reserved bits`(bits: UInt8) {
        var frame = RawFrame.text("a")
        frame.reservedBits = bits
        #expect(decode(frame) == [.fault(.protocolError)])
    }

    @Test(arguments: [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8])
    func `unknown opcodes`(opcode: UInt8) {
        #expect(decode(RawFrame(opcode: opcode)) == [.fault(.protocolError)])
    }

    @Test(arguments: [8, 9, 10] as [UInt8])
    func `control frames are short and whole`(opcode: UInt8) {
        let long = RawFrame(opcode: opcode, payload: [UInt8](repeating: 0x41, count: 126))
        #expect(decode(long) == [.fault(.protocolError)])
        let fragment = RawFrame(opcode: opcode).fragment(isFinal: false)
        #expect(decode(fragment) == [.fault(.protocolError)])
    }

    @Test func `a control frame of 125 bytes`() {
        let payload = [UInt8](repeating: 0x41, count: 125)
        let frame = RawFrame(opcode: 9, payload: payload)
        #expect(decode(frame) == [.ping(payload)])
        #expect(decode(frame.bytes.map { [$0] }) == [.ping(payload)])
    }

    @Test func `lengths take their shortest form`() {
        for (count, form) in [
            (125, RawFrame.LengthForm.twoBytes), (0, .twoBytes), (125, .eightBytes),
            (65_535, .eightBytes),
        ] {
            var frame = RawFrame(opcode: 2, payload: [UInt8](repeating: 0, count: count))
            frame.lengthForm = form
            #expect(decode(frame) == [.fault(.protocolError)], "\(count) \(form)")
        }
    }

    @Test func `a length of 64 bits is refused`() {
        let header: [UInt8] = [0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
        #expect(decode([header]) == [.fault(.protocolError)])
        let longest: [UInt8] =
            [0x82, 0xFF, 0x7F] + [UInt8](repeating: 0xFF, count: 7) + [0, 0, 0, 0]
        #expect(decode([longest]) == [.fault(.messageTooBig)])
    }

    @Test func `the bound of a message holds for all its fragments together`() {
        let ten = RawFrame(opcode: 2, payload: [UInt8](repeating: 1, count: 10))
        #expect(decode(ten, maximumMessage: 10) == [.binary(ten.payload)])
        #expect(decode(ten, maximumMessage: 9) == [.fault(.messageTooBig)])
        let half = RawFrame(opcode: 2, payload: [UInt8](repeating: 1, count: 5))
        let whole = decode(
            half.fragment(isFinal: false), half.fragment(0, isFinal: true), maximumMessage: 10)
        #expect(whole == [.binary(ten.payload)])
        let tooLong = decode(
            half.fragment(isFinal: false), half.fragment(0, isFinal: true), maximumMessage: 9)
        #expect(tooLong == [.fault(.messageTooBig)])
    }

    @Test func `a message too long is refused before its payload arrives`() {
        let header = RawFrame(opcode: 2, payload: [UInt8](repeating: 0, count: 1000)).bytes[..<8]
        #expect(decode([Array(header)], maximumMessage: 999) == [.fault(.messageTooBig)])
    }

    @Test func `fragments come in order`() {
        #expect(decode(RawFrame(opcode: 0)) == [.fault(.protocolError)])
        let within = decode(RawFrame.text("a").fragment(isFinal: false), .text("b"))
        #expect(within == [.fault(.protocolError)])
        let after = decode(.text("a"), RawFrame(opcode: 0))
        #expect(after == [.text("a"), .fault(.protocolError)])
    }

    @Test func `two bytes are enough to refuse`() {
        #expect(decode([[0x83, 0x80]]) == [.fault(.protocolError)])
        #expect(decode([[0x81], [0x05]]) == [.fault(.protocolError)])
        #expect(decode([[0x89], [0xFE]]) == [.fault(.protocolError)])
    }

    @Test func `nothing follows a fault or a close`() {
        let fault = decode([RawFrame(opcode: 3).bytes, RawFrame.text("a").bytes])
        #expect(fault == [.fault(.protocolError)])
        let close = decode([RawFrame.close(1000).bytes + RawFrame.text("a").bytes, [1, 2, 3]])
        #expect(close == [.close(1000, "")])
    }

    @Test(arguments: [1000, 1001, 1002, 1003, 1007, 1009, 1011, 1014, 3000, 3999, 4000, 4999])
    func `close codes for the wire`(code: UInt16) {
        #expect(decode(.close(code, "x")) == [.close(code, "x")])
    }

    @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535])
    func `close codes that are not`(code: UInt16) {
        #expect(decode(.close(code)) == [.fault(.protocolError)])
    }

    @Test func `close frames without code, with half of one, with a bad reason`() {
        #expect(decode(RawFrame(opcode: 8)) == [.close(nil, "")])
        #expect(decode(RawFrame(opcode: 8, payload: [3])) == [.fault(.protocolError)])
        let reason = RawFrame(opcode: 8, payload: [3, 0xE8, 0xC3])
        #expect(decode(reason) == [.fault(.invalidText)])
    }

    @Test func `a close may come between fragments`() {
        let events = decode(RawFrame.text("a").fragment(isFinal: false), .close(1001))
        #expect(events == [.close(1001, "")])
    }

    @Test func `text is checked across fragments, and at once`() {
        let euro: [UInt8] = [0xE2, 0x82, 0xAC]
        let split = decode(
            RawFrame(isFinal: false, opcode: 1, payload: Array(euro[..<1])),
            RawFrame(opcode: 0, payload: Array(euro[1...])))
        #expect(split == [.text("€")])
        let cut = decode(RawFrame(opcode: 1, payload: Array(euro[..<2])))
        #expect(cut == [.fault(.invalidText)])
        // The frame announces 100 bytes; the second of them is wrong.
        var long = RawFrame(opcode: 1, payload: [UInt8](repeating: 0x41, count: 100))
        long.payload[1] = 0xFF
        #expect(decode([Array(long.bytes[..<8])]) == [.fault(.invalidText)])
        let next = RawFrame(isFinal: false, opcode: 1, payload: [0xFF])
        #expect(decode(next) == [.fault(.invalidText)])
    }

    @Test func `a message whose parts are waiting is known`() {
        var decoder = FrameDecoder(role: .server, maximumMessage: 100)
        var bytes = RawFrame.text("abc").bytes
        bytes.withUnsafeMutableBytes { buffer in
            for position in buffer.indices {
                let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[position...position])
                try? decoder.decode(piece) { _ in }
                #expect(decoder.isMidMessage == (position < buffer.count - 1))
            }
        }
    }
}
