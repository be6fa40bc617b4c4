// Test vectors of C2SP's wycheproof, from the data that lies beside the project.

import Foundation
import JSON

enum Wycheproof {
    /// `nil` when the data is not on this machine; the test then says so and is skipped.
    static func vectors(_ name: String) -> JSONValue? {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../shared/data/wycheproof/\(name)")
        guard let data = try? Data(contentsOf: file) else { return nil }
        return try? JSONValue(parsing: [UInt8](data), limits: JSONLimits(maxBytes: 16 << 20))
    }

    static func has(_ name: String) -> Bool { vectors(name) != nil }
}

extension JSONValue {
    /// Bytes written in hexadecimal.
    var hexadecimal: [UInt8]? {
        guard let text = string, text.utf8.count.isMultiple(of: 2) else { return nil }
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] * 16 + digits[$0 + 1])
        }
    }
}

/// `text` as bytes.
func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }
