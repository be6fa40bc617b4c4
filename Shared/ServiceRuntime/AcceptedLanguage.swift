// The language to answer in, where a service has names in several.
import HTTP
package import Vocabulary

extension Context {
    /// What the caller prefers; see `Language.init(accepted:)`.
    package var language: Language {
        Language(accepted: request.text("accept-language") ?? "")
    }
}

extension Language {
    /// Languages of a header that are looked at: nobody reads more.
    private static let mostRanges = 20

    /// The first of ours in an `Accept-Language` field (RFC 9110, 12.5.4), English when there is none. Browsers list languages
    /// by preference, so weights are not compared; only what has weight 0 is passed over.
    package init(accepted field: String) {
        for range in field.split(separator: ",").prefix(Self.mostRanges) {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let tag = parts.first?.lowercased(),
                let language = Language(rawValue: String(tag.prefix { $0 != "-" }))
            else { continue }
            let isRefused = parts.dropFirst().contains { parameter in
                let weight = parameter.lowercased()
                return weight.hasPrefix("q=0")
                    && weight.dropFirst(3).allSatisfy { ".0".contains($0) }
            }
            if !isRefused {
                self = language
                return
            }
        }
        self = .en
    }
}
