// Percent-coding of path segments and query values (RFC 3986), strict in both directions.

/// Percent-encodes and decodes.
enum Percent {
    /// Whether a byte stands for itself anywhere in a URL.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Appends `text` with everything but unreserved characters encoded.
    static func encode(_ text: String, into target: inout String) {
        let digits: StaticString = "0123456789ABCDEF"
        for byte in text.utf8 {
            if isUnreserved(byte) {
                target.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                target.append("%")
                target.unicodeScalars.append(Unicode.Scalar(digits.utf8Start[Int(byte >> 4)]))
                target.unicodeScalars.append(Unicode.Scalar(digits.utf8Start[Int(byte & 15)]))
            }
        }
    }

    /// The bytes `raw` stands for, or `nil` when a percent sign is not followed by two hex digits.
    static func decode(_ raw: UnsafeRawBufferPointer, plusIsSpace: Bool) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var index = 0
        while index < raw.count {
            let byte = raw[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 1 < raw.count, let high = digit(raw[index]),
                    let low = digit(raw[index + 1])
                else { return nil }
                bytes.append(high << 4 | low)
                index += 2
            } else if plusIsSpace && byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Whether decoding would change anything.
    static func isPlain(_ raw: UnsafeRawBufferPointer, plusIsSpace: Bool) -> Bool {
        for byte in raw {
            if byte == UInt8(ascii: "%") || plusIsSpace && byte == UInt8(ascii: "+") {
                return false
            }
        }
        return true
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
