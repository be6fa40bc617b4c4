// From tokens to values: numbers, strings and the types of the standard library and Foundation that
// are written in a way of their own. All errors of reading values are made here.

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Tape {
    // MARK: Scalars

    func isNull(_ index: Int) -> Bool {
        tokens[index].kind == .null
    }

    func bool(_ index: Int) throws -> Bool {
        switch tokens[index].kind {
        case .true: true
        case .false: false
        default: throw mismatch(index, "true or false")
        }
    }

    func string(_ index: Int) throws -> String {
        let token = tokens[index]
        guard token.kind == .string || token.kind == .escaped else {
            throw mismatch(index, "a string")
        }
        return text(token)
    }

    func integer<T: FixedWidthInteger>(_ index: Int, as: T.Type = T.self) throws -> T {
        let token = tokens[index]
        guard token.kind == .integer else { throw mismatch(index, "an integer") }
        guard let value = T(digits: bytes(token)) else { throw outOfRange(index, T.self) }
        return value
    }

    func double(_ index: Int) throws -> Double {
        let token = tokens[index]
        guard token.kind == .integer || token.kind == .real else {
            throw mismatch(index, "a number")
        }
        let text = bytes(token)
        if let value = nearestDouble(text) { return value }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
            throw failure(.numberOutOfRange, index, "the number is too large")
        }
        return value
    }

    /// Rounds once, from the text: through `Double` would round twice.
    func float(_ index: Int) throws -> Float {
        let token = tokens[index]
        guard token.kind == .integer || token.kind == .real else {
            throw mismatch(index, "a number")
        }
        guard let value = Float(String(decoding: bytes(token), as: UTF8.self)), value.isFinite
        else {
            throw failure(.numberOutOfRange, index, "the number is too large")
        }
        return value
    }

    // MARK: Other types

    /// Reads a value of any type: those known here directly, others by their own `init(from:)`.
    func decode<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
        if type == String.self { return same(try string(index)) }
        if type == Date.self { return same(try date(index)) }
        if type == Decimal.self { return same(try decimal(index)) }
        if type == URL.self { return same(try url(index)) }
        if type == Data.self { return same(try data(index)) }
        if type == [String].self { return same(try list(index) { try string($0) }) }
        if type == [Int].self { return same(try list(index) { try integer($0, as: Int.self) }) }
        if type == [Double].self { return same(try list(index) { try double($0) }) }
        if type == JSONValue.self { return same(value(index)) }
        return try T(from: TapeDecoder(tape: self, index: index))
    }

    /// Gives a value the name of the type it has been found to be of.
    @inline(__always)
    private func same<A, B>(_ value: A) -> B {
        unsafeBitCast(value, to: B.self)
    }

    private func list<Element>(
        _ index: Int, _ element: (Int) throws -> Element
    ) throws -> [Element] {
        guard tokens[index].kind == .array else { throw mismatch(index, "an array") }
        var elements: [Element] = []
        elements.reserveCapacity(Int(tokens[index].length))
        let end = Int(tokens[index].end)
        var child = index + 1
        while child < end {
            elements.append(try element(child))
            child = Int(tokens[child].end)
        }
        return elements
    }

    private func date(_ index: Int) throws -> Date {
        let token = tokens[index]
        guard token.kind == .string || token.kind == .escaped else {
            throw mismatch(index, "a date and time")
        }
        guard let seconds = withText(token, secondsSince2001) else {
            throw failure(
                .badValue, index, "expected a date and time such as 2026-01-31T09:30:00Z (RFC 3339)"
            )
        }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    private func decimal(_ index: Int) throws -> Decimal {
        let token = tokens[index]
        guard token.kind == .integer || token.kind == .real else {
            throw mismatch(index, "a number")
        }
        guard let value = exactDecimal(bytes(token)) else {
            throw failure(
                .numberOutOfRange, index,
                "the number has more than 38 digits or an exponent beyond 127")
        }
        return value
    }

    private func url(_ index: Int) throws -> URL {
        guard let url = URL(string: try string(index)) else {
            throw failure(.badValue, index, "expected a URL")
        }
        return url
    }

    private func data(_ index: Int) throws -> Data {
        guard let data = Data(base64Encoded: try string(index)) else {
            throw failure(.badValue, index, "expected base64")
        }
        return data
    }

    // MARK: Errors

    /// The index of the value of a key.
    func value(of key: some CodingKey, in object: Int) throws -> Int {
        let name = key.stringValue
        if let index = find(name, in: object) { return index }
        let path = path(to: object)
        let failure = JSONFailure(
            .missingKey, path: JSONFailure.path(path + [PathKey(stringValue: name)]),
            offset: Int(tokens[object].offset), reason: "missing")
        throw DecodingError.keyNotFound(
            key,
            DecodingError.Context(
                codingPath: path, debugDescription: failure.message, underlyingError: failure))
    }

    func mismatch(_ index: Int, _ expected: String) -> DecodingError {
        let token = tokens[index]
        let found =
            switch token.kind {
            case .null: "null"
            case .true, .false: "a boolean"
            case .integer: "a number"
            case .real:
                token.length <= 40 ? String(decoding: bytes(token), as: UTF8.self) : "a fraction"
            case .string, .escaped: "a string"
            case .array: "an array"
            case .object: "an object"
            }
        let context = context(.typeMismatch, index, "expected \(expected), found \(found)")
        return token.kind == .null
            ? .valueNotFound(Any.self, context) : .typeMismatch(Any.self, context)
    }

    func outOfRange<T: FixedWidthInteger>(_ index: Int, _ type: T.Type) -> DecodingError {
        failure(
            .numberOutOfRange, index, "expected an integer between \(type.min) and \(type.max)")
    }

    func failure(_ kind: JSONFailure.Kind, _ index: Int, _ reason: String) -> DecodingError {
        .dataCorrupted(context(kind, index, reason))
    }

    private func context(
        _ kind: JSONFailure.Kind, _ index: Int, _ reason: String
    ) -> DecodingError.Context {
        let path = path(to: index)
        let failure = JSONFailure(
            kind, path: JSONFailure.path(path), offset: Int(tokens[index].offset), reason: reason)
        return DecodingError.Context(
            codingPath: path, debugDescription: failure.message, underlyingError: failure)
    }
}
