// What `TextRule` refuses beside wrong lengths, as a regular expression for the document: control
// characters, and texts with nothing to see. In a form that ECMA-262 reads with and without its
// Unicode mode, and other engines too: no \p, no code points above U+FFFF.

/// The patterns of texts from people.
package enum TextPattern {
    /// What a text may not have, in a character class. U+2028 and U+2029 break lines.
    private static let controls = (
        oneLine: #"\u0000-\u001f\u007f-\u009f\u2028\u2029"#,
        lines: #"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f"#
    )

    /// White space and what is ignored by default, as far as U+FFFF, and the blank Braille pattern.
    private static let blanks =
        #"\s\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f"#
        + #"\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"#

    /// The pattern of what the rule lets through, but for its length.
    package static func of(isMultiline: Bool, mayBeEmpty: Bool) -> String {
        let refused = isMultiline ? controls.lines : controls.oneLine
        let any = "[^\(refused)]*"
        let visible = "[^\(blanks)\(refused)]"
        let something = "\(any)\(visible)\(any)"
        let nothing = isMultiline ? #"[ \t\r\n\u2028\u2029\u3000]*"# : #"[ \u3000]*"#
        return mayBeEmpty ? "^(\(nothing)|\(something))$" : "^\(something)$"
    }
}
