// Base64url, hashes, comparisons, randomness.

import Foundation
import Security
import Testing

@Suite struct CodingTests {
    /// RFC 4648, section 10, without padding, and the two characters in which base64url differs.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
        ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"), ("~~~???", "fn5-Pz8_"),
    ])
    func base64url(text: String, encoded: String) {
        #expect(Base64URL.encode(utf8(text)) == encoded)
        #expect(Base64URL.decode(encoded) == utf8(text))
    }

    @Test(arguments: [
        "Z", "Zg=", "Zg==", "Zm9vY", "Zm8=", "Zh", "Zm9", "Zm9vYh", "+w", "/w", "Z g", "Zg\n",
        " Zg",
        "Zm9v\u{0}", "Z%67", "Zé", "Ｚg", "=", "====",
    ])
    func refused(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func anyBytesThereAndBack() {
        let random = RandomSource.seeded(1)
        for count in 0..<300 {
            let bytes = random.bytes(count)
            let text = Base64URL.encode(bytes)
            #expect(Base64URL.decode(text) == bytes)
            // Foundation's base64 agrees, but for two characters and the padding.
            let other = Data(bytes).base64EncodedString().replacing("+", with: "-")
                .replacing("/", with: "_").replacing("=", with: "")
            #expect(text == other)
        }
    }

    /// Every text of three characters either decodes to bytes that give that text again, or is refused.
    @Test func oneTextForEachValue() {
        var accepted = 0
        for first in UInt8(0x2B)...0x7B {
            for second in UInt8(0x2B)...0x7B {
                let text = [0x41, first, second]
                guard let bytes = Base64URL.decode(text) else { continue }
                accepted += 1
                #expect(utf8(Base64URL.encode(bytes)) == text)
            }
        }
        // The last of three characters carries four bits.
        #expect(accepted == 64 * 16)
    }

    @Test func hexadecimalText() {
        #expect(hexadecimal([0, 0x0F, 0xA0, 0xFF]) == "000fa0ff")
        #expect(hexadecimal([]).isEmpty)
    }

    /// FIPS 180-4 examples.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func sha256Examples(text: String, digest: String) {
        #expect(hexadecimal(sha256(text.utf8)) == digest)
    }

    /// RFC 4231, test cases 1, 2 and 6.
    @Test func hmac() {
        let first = hmacSHA256(key: [UInt8](repeating: 0x0B, count: 20), utf8("Hi There"))
        #expect(
            hexadecimal(first)
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        let second = hmacSHA256(key: utf8("Jefe"), utf8("what do ya want for nothing?"))
        #expect(
            hexadecimal(second)
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let sixth = hmacSHA256(
            key: [UInt8](repeating: 0xAA, count: 131),
            utf8("Test Using Larger Than Block-Size Key - Hash Key First"))
        #expect(
            hexadecimal(sixth)
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        #expect(hmacSHA256(key: [], []).count == 32)
    }

    @Test func comparison() {
        #expect(equalInConstantTime([], []))
        #expect(equalInConstantTime([1, 2, 3], [1, 2, 3]))
        #expect(!equalInConstantTime([1, 2, 3], [1, 2, 4]))
        #expect(!equalInConstantTime([1, 2, 3], [0, 2, 3]))
        #expect(!equalInConstantTime([1, 2, 3], [1, 2]))
        #expect(!equalInConstantTime([], [0]))
    }
}

@Suite struct RandomSourceTests {
    @Test func theSeedDecides() {
        #expect(RandomSource.seeded(7).bytes(64) == RandomSource.seeded(7).bytes(64))
        #expect(RandomSource.seeded(7).bytes(64) != RandomSource.seeded(8).bytes(64))
        let one = RandomSource.seeded(7)
        #expect(one.bytes(32) != one.bytes(32))
        #expect(one.bytes(0).isEmpty)
    }

    @Test func theSystemDoesNotRepeat() {
        var seen: Set<String> = []
        for _ in 0..<1000 { seen.insert(RandomSource.system.token(bytes: 16)) }
        #expect(seen.count == 1000)
        #expect(seen.allSatisfy { $0.utf8.count == 22 })
        #expect(RandomSource.system.word() != RandomSource.system.word())
        #expect(RandomSource.system.bytes(0).isEmpty)
        // Each of 64 kB of bytes: all values occur, and none more than twice as often as expected.
        var counts = [Int](repeating: 0, count: 256)
        for byte in RandomSource.system.bytes(65_536) { counts[Int(byte)] += 1 }
        #expect(counts.allSatisfy { (128...512).contains($0) })
    }
}
