// What an e-mail address looks like, as far as that can be told without sending a message.

/// The form of an e-mail address: one @ with something on both sides, no white space, no dot at either
/// end of the domain, at most 254 bytes (RFC 5321, section 4.5.3.1).
public enum EmailForm {
    /// The same as a regular expression (ECMA-262), the bytes aside.
    public static let pattern = #"^[^@\s]+@[^@\s.]([^@\s]*[^@\s.])?$"#

    /// Whether the text has the form.
    public static func matches(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, text.utf8.count <= 254
        else { return false }
        return parts[1].first != "." && parts[1].last != "."
            && !text.unicodeScalars.contains(where: \.properties.isWhitespace)
    }
}
