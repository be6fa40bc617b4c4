// The patterns in the document let through what the rule lets through, and nothing else.

import Endpoints
import Foundation
import OpenAPI
import Testing
import Vocabulary

@Suite struct TextPatternTests {
    private static let texts = [
        "a", " a ", "", " ", "\u{3000}", "a\nb", "a\tb", "\n", "\u{0}", "a\u{0}", "\u{7F}",
        "a\u{85}",
        "한글", "👨‍👩‍👧‍👦", "e\u{301}", "\u{301}", "\u{200B}", "\u{200B}a", "\u{3164}\u{3164}", "\u{2800}",
        "a\u{2028}b", "\u{2029}", "\u{FE0F}", "\u{FEFF}", "\u{AD}", "\u{180E}", "\u{FFA0}",
        "\u{E000}",
        "\u{1F600}", "\u{FFFD}", "$", "^", "\\", "-", "]", "a\r\nb", "\u{1}", "\u{1F}",
    ]

    private func matches(_ text: String, _ pattern: String) throws -> Bool {
        let expression = try NSRegularExpression(pattern: pattern)
        let range = NSRange(text.startIndex..., in: text)
        let match = expression.firstMatch(in: text, range: range)
        // ICU's $ also matches before a line break at the end; that of ECMA-262 does not.
        return match?.range == range
    }

    @Test(arguments: texts, [(false, 0), (false, 1), (true, 0), (true, 1)])
    func patternAndRuleAgree(text: String, rule: (isMultiline: Bool, least: Int)) throws {
        let isTaken =
            (try? TextRule(rule.least...100, multiline: rule.isMultiline).apply(text)) != nil
        let pattern = TextPattern.of(
            isMultiline: rule.isMultiline, mayBeEmpty: rule.least == 0)
        #expect(try matches(text, pattern) == isTaken)
    }

    @Test(arguments: [
        "a@b", "a.b@c.d", "@b", "a@", "a@b@c", "a b@c", "a@.b", "a@b.", "a", "김@예.한국",
        "a@b\u{3000}c",
        "a@b c", "a@b..c",
    ]) func addressesAgree(text: String) throws {
        #expect(try matches(text, EmailForm.pattern) == EmailForm.matches(text))
    }
}
