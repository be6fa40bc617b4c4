// Comparisons and classes of bytes that the parsers run per byte, kept in one module so that they inline.
import Glibc

extension UnsafeRawBufferPointer {
    /// Whether the bytes are exactly those of `text`.
    @inlinable
    package func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount
            && (count == 0 || compareBytes(baseAddress, text.utf8Start, count))
    }

    /// Whether the bytes equal `text`, which is in lower case, without regard to ASCII case.
    package func equalsLowercased(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        let expected = text.utf8Start
        for position in 0..<count where lowercased(self[position]) != expected[position] {
            return false
        }
        return true
    }

    /// The part between two offsets.
    package func slice(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// Without spaces and tabs at both ends.
    package var trimmed: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end && isBlank(self[start]) { start += 1 }
        while end > start && isBlank(self[end - 1]) { end -= 1 }
        return slice(start, end)
    }

    /// The bytes as a string; invalid UTF-8 is replaced.
    package var text: String { String(decoding: self, as: UTF8.self) }

    /// A decimal number of digits only; `nil` when empty, signed, or beyond `Int`.
    package var decimal: Int? {
        if isEmpty || count > 19 { return nil }
        var value = 0
        for byte in self {
            guard byte >= 0x30 && byte <= 0x39 else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int(byte - 0x30))
            if overflow || carry { return nil }
            value = sum
        }
        return value
    }
}

@usableFromInline
package func compareBytes(_ left: UnsafeRawPointer?, _ right: UnsafeRawPointer, _ count: Int)
    -> Bool
{
    guard let left else { return false }
    return memcmp(left, right, count) == 0
}

@inline(__always)
package func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
}

@inline(__always)
package func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

/// A `tchar` of RFC 9110, section 5.6.2: two words of bits instead of a table in memory.
@inline(__always)
func isToken(_ byte: UInt8) -> Bool {
    let low: UInt64 = 0x03FF_6CFA_0000_0000
    let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
    if byte < 64 { return (low >> UInt64(byte)) & 1 == 1 }
    if byte < 128 { return (high >> UInt64(byte - 64)) & 1 == 1 }
    return false
}

/// A byte that a field value may hold: visible, blank, or beyond ASCII.
@inline(__always)
func isFieldValue(_ byte: UInt8) -> Bool { (byte >= 0x20 && byte != 0x7F) || byte == 0x09 }
