// What a handler does with text and cursors that a caller sent, with the problem that names the
// field.

public import Vocabulary

extension TextRule {
    /// The text in the form in which it is stored: NFC, trimmed.
    ///
    /// - Throws: `invalid_field` for `field` when it breaks the rule.
    public func apply(_ text: String, field: String) throws(Problem) -> String {
        do throws(TextFault) {
            return try apply(text)
        } catch {
            throw Problem(.invalidField, "\(field) \(error.description)", field: field)
        }
    }
}

extension Optional {
    /// The id that a page's `next` stands for, where lists are ordered by id; `nil` for the first
    /// page.
    ///
    /// - Throws: `invalid_field` for a cursor that no page has given.
    public init<Owner>(cursor: String?) throws(Problem) where Wrapped == Identifier<Owner> {
        self = nil
        guard let cursor else { return }
        guard let identifier = Identifier<Owner>(cursor) else {
            throw Problem(.invalidField, "cursor is not one that a page gave", field: "cursor")
        }
        self = identifier
    }
}
