// What is sealed under one secret opens under it alone, unchanged or not at all.
import Security
import Testing

@Suite struct SealedBoxTests {
    private let box = SealedBox(secret: [1, 2, 3], purpose: "test")

    @Test(arguments: [0, 1, 15, 16, 17, 4096])
    func whatIsSealedOpens(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = try #require(box.seal(bytes))
        #expect(sealed.count == count + 28)
        #expect(box.open(sealed) == bytes)
    }

    @Test func anotherSecretOrPurposeDoesNotOpen() throws {
        let sealed = try #require(box.seal([1, 2, 3]))
        #expect(SealedBox(secret: [1, 2, 4], purpose: "test").open(sealed) == nil)
        #expect(SealedBox(secret: [1, 2, 3], purpose: "other").open(sealed) == nil)
    }

    @Test func aChangedByteDoesNotOpen() throws {
        let sealed = try #require(box.seal([1, 2, 3]))
        for position in sealed.indices {
            var changed = sealed
            changed[position] ^= 1
            #expect(box.open(changed) == nil)
        }
        #expect(box.open(Array(sealed.dropLast())) == nil)
        #expect(box.open([]) == nil)
    }

    @Test func theSameBytesAreSealedDifferently() {
        #expect(box.seal([1, 2, 3]) != box.seal([1, 2, 3]))
    }
}
