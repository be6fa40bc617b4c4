// What may be written into a head: checks for those who send messages rather than parse them.

/// Whether a text is a field name or method: a token of RFC 9110, section 5.6.2, not empty.
package func isFieldName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { isToken($0) }
}

/// Whether a text may stand as a field value: without control characters, so that it cannot end
/// its line early.
package func isFieldValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { isFieldValue($0) }
}
