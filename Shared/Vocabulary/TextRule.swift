// What a text from a person must be: composed, trimmed, of bounded length, and not just looking like one.
#if canImport(Glibc)
    @_spi(_Unicode) import Swift
#else
    import Foundation
#endif

/// Bounds of a text, counted as people count: in grapheme clusters.
public struct TextRule: Sendable, Hashable {
    /// Least and most grapheme clusters, after trimming.
    public let length: ClosedRange<Int>
    /// Whether line breaks and tabs are allowed.
    public let isMultiline: Bool

    /// Most bytes for one grapheme cluster: a family emoji has 25, so nobody hides a book in one character.
    private static let bytesPerCluster = 64

    /// A rule.
    public init(_ length: ClosedRange<Int>, multiline: Bool = false) {
        self.length = length
        isMultiline = multiline
    }

    /// The text in the form in which it is stored: NFC (Unicode Annex 15), trimmed.
    /// - Throws: `TextFault` for control characters, a wrong length, or a text that only looks blank.
    public func apply(_ text: String) throws(TextFault) -> String {
        for scalar in text.unicodeScalars {
            if isMultiline && (scalar == "\n" || scalar == "\r" || scalar == "\t") { continue }
            if scalar.properties.generalCategory == .control { throw .controlCharacter }
            // U+2028 and U+2029 break lines too.
            if !isMultiline && (0x2028...0x2029).contains(scalar.value) { throw .controlCharacter }
        }
        let composed = Self.trimmed(Self.composed(text))
        if composed.unicodeScalars.allSatisfy(Self.looksBlank) {
            if length.lowerBound == 0 && composed.isEmpty { return "" }
            throw .blank
        }
        guard composed.utf8.count <= length.upperBound * Self.bytesPerCluster,
            composed.count <= length.upperBound
        else { throw .tooLong(length.upperBound) }
        guard composed.count >= length.lowerBound else { throw .tooShort(length.lowerBound) }
        return composed
    }

    private static func composed(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        #if canImport(Glibc)
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: text._nfc)
            return String(scalars)
        #else
            return text.precomposedStringWithCanonicalMapping
        #endif
    }

    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    /// White space, what is ignored by default (zero-width characters, the Hangul fillers), and the blank Braille pattern.
    private static func looksBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
            || scalar.value == 0x2800
    }
}

/// Why a text is refused.
public enum TextFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// NUL or another control character.
    case controlCharacter
    /// Nothing to see.
    case blank
    /// Fewer characters than this.
    case tooShort(Int)
    /// More characters than this.
    case tooLong(Int)

    /// A sentence for the caller.
    public var description: String {
        switch self {
        case .controlCharacter: "has a control character"
        case .blank: "is blank"
        case .tooShort(let least): "has fewer than \(least) characters"
        case .tooLong(let most): "has more than \(most) characters"
        }
    }
}
