// Dynamic values as text, on one line or for readers.

extension JSONValue: CustomStringConvertible {
    /// The value on one line.
    public var description: String {
        String(decoding: bytes(), as: UTF8.self)
    }

    /// The value as a document.
    ///
    /// - Parameters:
    ///   - isPretty: one member or element a line, indented by two spaces, without a line feed at
    ///     the end; else on one line without spaces.
    ///   - sortsKeys: members in the order of their keys' Unicode scalars; else in their own.
    public func bytes(isPretty: Bool = false, sortsKeys: Bool = false) -> [UInt8] {
        var printer = Printer(isPretty: isPretty, sortsKeys: sortsKeys)
        printer.print(self, depth: 0)
        return printer.writer.bytes
    }
}

private struct Printer {
    let isPretty: Bool
    let sortsKeys: Bool
    let writer = Writer(maxDepth: .max, omitting: nil)

    mutating func print(_ value: JSONValue, depth: Int) {
        switch value {
        case .null: writer.null()
        case .bool(let value): writer.bool(value)
        case .number(let number): writer.raw(number.text)
        case .string(let text): writer.string(text)
        case .array(let elements):
            writer.byte(UInt8(ascii: "["))
            for element in elements {
                writer.separate()
                breakLine(depth + 1)
                print(element, depth: depth + 1)
            }
            if !elements.isEmpty { breakLine(depth) }
            writer.byte(UInt8(ascii: "]"))
        case .object(let object):
            let members =
                sortsKeys
                ? object.members.sorted {
                    $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars)
                } : object.members
            writer.byte(UInt8(ascii: "{"))
            for (key, value) in members {
                writer.separate()
                breakLine(depth + 1)
                writer.string(key)
                writer.raw(isPretty ? ": " : ":")
                print(value, depth: depth + 1)
            }
            if !members.isEmpty { breakLine(depth) }
            writer.byte(UInt8(ascii: "}"))
        }
    }

    private func breakLine(_ depth: Int) {
        guard isPretty else { return }
        writer.byte(UInt8(ascii: "\n"))
        for _ in 0..<depth { writer.raw("  ") }
    }
}
