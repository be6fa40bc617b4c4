// The head of a message as one block of memory: the bytes as they came and a table of where each field lies. Nothing is
// turned into strings until somebody asks.
import Glibc

/// Where one field line lies in the head.
package struct FieldRange: Sendable {
    var nameStart: UInt16
    var nameCount: UInt16
    var valueStart: UInt16
    var valueCount: UInt16
}

/// The bytes of a request or response head and its fields, in the order received.
package class MessageHead: @unchecked Sendable {
    private let storage: UnsafeMutableRawPointer
    private let byteCount: Int
    /// Number of field lines.
    package let fieldCount: Int

    init(_ head: UnsafeRawBufferPointer, fields: UnsafeBufferPointer<FieldRange>) {
        let tableSize = fields.count * MemoryLayout<FieldRange>.stride
        let size = tableSize + head.count
        // malloc never returns nil for such sizes on Linux with overcommit; abort says so if it does.
        guard let storage = malloc(max(size, 1)) else { abort() }
        if let base = fields.baseAddress { memcpy(storage, base, tableSize) }
        if let base = head.baseAddress { memcpy(storage + tableSize, base, head.count) }
        self.storage = storage
        byteCount = head.count
        fieldCount = fields.count
    }

    deinit { free(storage) }

    /// The whole head. Valid as long as this object.
    final var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: storage + fieldCount * MemoryLayout<FieldRange>.stride, count: byteCount)
    }

    private final var table: UnsafeBufferPointer<FieldRange> {
        UnsafeBufferPointer(
            start: UnsafePointer(storage.assumingMemoryBound(to: FieldRange.self)),
            count: fieldCount)
    }

    /// The value of the first field of that name, given in lower case; valid as long as this object. `nil` when absent.
    package final func field(_ name: StaticString) -> UnsafeRawBufferPointer? {
        for range in table where Int(range.nameCount) == name.utf8CodeUnitCount {
            let start = Int(range.nameStart)
            if bytes.slice(start, start + Int(range.nameCount)).equalsLowercased(name) {
                return value(range)
            }
        }
        return nil
    }

    /// The value of the first field of that name as text.
    package final func text(_ name: StaticString) -> String? { field(name)?.text }

    /// Every field in order, for logs and proxies.
    package final var fields: [(name: String, value: String)] {
        table.map { range in
            let start = Int(range.nameStart)
            return (bytes.slice(start, start + Int(range.nameCount)).text, value(range).text)
        }
    }

    /// Whether a comma-separated field, in all its lines, has that token, given in lower case.
    package final func hasToken(_ token: StaticString, in name: StaticString) -> Bool {
        for range in table where Int(range.nameCount) == name.utf8CodeUnitCount {
            let start = Int(range.nameStart)
            guard bytes.slice(start, start + Int(range.nameCount)).equalsLowercased(name) else {
                continue
            }
            if listHasToken(value(range), token) { return true }
        }
        return false
    }

    private final func value(_ range: FieldRange) -> UnsafeRawBufferPointer {
        bytes.slice(Int(range.valueStart), Int(range.valueStart) + Int(range.valueCount))
    }
}

/// Whether a comma-separated list has a token, given in lower case, without regard to case.
func listHasToken(_ list: UnsafeRawBufferPointer, _ token: StaticString) -> Bool {
    var start = 0
    while start <= list.count {
        var end = start
        while end < list.count && list[end] != 0x2C { end += 1 }
        if list.slice(start, end).trimmed.equalsLowercased(token) { return true }
        start = end + 1
    }
    return false
}
