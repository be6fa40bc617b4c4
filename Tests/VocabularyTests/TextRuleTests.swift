// Text from people: composed, trimmed, counted as people count.

import Testing
import Vocabulary

@Suite struct TextRuleTests {
    private let nickname = TextRule(2...10)
    private let note = TextRule(0...20, multiline: true)

    /// As scalars, since Swift compares strings by canonical equivalence.
    private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    @Test func decomposedHangulIsComposed() throws {
        let decomposed = "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"
        #expect(scalars(try nickname.apply(decomposed)) == [0xD55C, 0xAE00])
    }

    @Test func accentsAreComposed() throws {
        #expect(scalars(try nickname.apply("ne\u{301}e")) == [0x6E, 0xE9, 0x65])
        // The Kelvin and the Angstrom sign have canonical equivalents.
        #expect(scalars(try nickname.apply("\u{212A}\u{212B}")) == [0x4B, 0xC5])
    }

    @Test func marksAreOrdered() throws {
        let one = try nickname.apply("q\u{307}\u{323}q")
        let other = try nickname.apply("q\u{323}\u{307}q")
        #expect(scalars(one) == scalars(other))
    }

    @Test func clustersCount() throws {
        let family = "👨‍👩‍👧‍👦"
        #expect(throws: TextFault.tooShort(2)) { try nickname.apply(family) }
        #expect(try nickname.apply(family + family) == family + family)
        #expect(try nickname.apply("🇰🇷👍🏽") == "🇰🇷👍🏽")
        #expect(try nickname.apply("한글한글한글한글한글").count == 10)
        #expect(throws: TextFault.tooLong(10)) { try nickname.apply("한글한글한글한글한글한") }
        let decomposed = String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 10)
        #expect(try nickname.apply(decomposed).count == 10)
    }

    @Test func aClusterHoldsNoBook() {
        let tower = "ab" + String(repeating: "\u{300}", count: 1000)
        #expect(throws: TextFault.tooLong(10)) { try nickname.apply(tower) }
    }

    @Test func trimmed() throws {
        #expect(try nickname.apply("  ab \u{3000}\u{A0}") == "ab")
        #expect(try nickname.apply("a  b") == "a  b")
        #expect(throws: TextFault.tooShort(2)) { try nickname.apply("   a   ") }
        #expect(try note.apply("\n line\n") == "line")
    }

    @Test(arguments: [
        "\u{0}", "a\u{0}b", "a\u{7}b", "a\u{1B}[31m", "ab\u{7F}", "a\u{85}b", "a\nb", "a\tb",
        "a\r\nb",
        "a\u{2028}b", "a\u{2029}b", "ab\n",
    ])
    func controlCharacters(text: String) {
        #expect(throws: TextFault.controlCharacter) { try nickname.apply(text) }
    }

    @Test func severalLines() throws {
        #expect(try note.apply("a\nb\tc\r\nd") == "a\nb\tc\r\nd")
        #expect(throws: TextFault.controlCharacter) { try note.apply("a\u{0}b") }
        #expect(throws: TextFault.controlCharacter) { try note.apply("a\u{B}b") }
    }

    @Test(arguments: [
        "", " ", "   ", "\u{3000}\u{3000}", "\u{3164}\u{3164}", "\u{115F}\u{1160}",
        "\u{200B}\u{200B}",
        "\u{FEFF}\u{FEFF}", "\u{2060}\u{2060}", "\u{2800}\u{2800}", "\u{FFA0}\u{FFA0}",
        "\u{AD}\u{AD}", "\u{E0020}\u{E0021}", "\u{FE0F}\u{FE0F}", " \u{200D} \u{3164} ",
    ])
    func blank(text: String) {
        #expect(throws: TextFault.blank) { try nickname.apply(text) }
    }

    @Test func emptyWhereAllowed() throws {
        #expect(try note.apply("") == "")
        #expect(try note.apply(" \n ") == "")
        #expect(throws: TextFault.blank) { try note.apply("\u{3164}") }
    }

    @Test func applyingAgainChangesNothing() throws {
        for text in [" 한글 ", "ne\u{301}e", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "a\u{3164}b", "q\u{307}\u{323}q"] {
            let once = try nickname.apply(text)
            #expect(scalars(try nickname.apply(once)) == scalars(once))
        }
    }

    @Test func faultsAreSentences() {
        #expect("\(TextFault.tooLong(10))" == "has more than 10 characters")
        #expect("\(TextFault.tooShort(2))" == "has fewer than 2 characters")
        #expect("\(TextFault.blank)" == "is blank")
        #expect("\(TextFault.controlCharacter)" == "has a control character")
    }
}
