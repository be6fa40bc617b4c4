// The form in which names and what people type meet: without case, accents, composition and letters that many keyboards
// lack. "København", "KOBENHAVN" and the decomposed spelling of both are the same key.
#if canImport(Glibc)
    @_spi(_Unicode) import Swift
#else
    import Foundation
#endif

/// Folding of names for search.
package enum SearchKey {
    /// The words of a text, folded, in their order. Hangul becomes its letters (conjoining jamo), so that a syllable that is
    /// still being typed already finds.
    package static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        for scalar in decomposed(text) {
            // Case first: some letters decompose only in lower case, and İ becomes i and a dot.
            for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                append(lower, to: &word, &words)
            }
        }
        if !word.isEmpty { words.append(String(word)) }
        return words
    }

    /// What is stored: every word with a space before it.
    package static func key(_ names: [String]) -> String {
        names.flatMap(words).map { " " + $0 }.joined()
    }

    private static func append(
        _ scalar: Unicode.Scalar, to word: inout String.UnicodeScalarView, _ words: inout [String]
    ) {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .dashPunctuation:
            if !word.isEmpty { words.append(String(word)) }
            word = String.UnicodeScalarView()
        default:
            if let letters = spellings[scalar] {
                word.append(contentsOf: letters.unicodeScalars)
            } else if scalar != "'" && scalar != "\u{2019}" {
                word.append(scalar)
            }
        }
    }

    /// Letters that Unicode does not decompose.
    private static let spellings: [Unicode.Scalar: String] = [
        "ø": "o", "ł": "l", "ß": "ss", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th",
        "ı": "i", "ħ": "h", "ŋ": "n", "ə": "e",
    ]

    private static func decomposed(_ text: String) -> String.UnicodeScalarView {
        #if canImport(Glibc)
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: text._nfd)
            return scalars
        #else
            return text.decomposedStringWithCanonicalMapping.unicodeScalars
        #endif
    }
}
