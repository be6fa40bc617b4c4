// The fields of a request that are not JSON: values in the path and pairs in the query. They stay
// ranges over the received bytes until a decoder asks for one.

/// Where the value of one field was found, still percent-encoded.
struct RawField {
    /// Which part of the request target.
    enum Place {
        case path
        case query
    }

    let name: String
    let raw: UnsafeRawBufferPointer
    let place: Place
}

/// The path values and query pairs of one request. Points into the received bytes and is used
/// only while they are held.
struct RequestFields {
    /// The most pairs in one query.
    static let maximumPairs = 256

    private struct Pair {
        let key: UnsafeRawBufferPointer
        let value: UnsafeRawBufferPointer
    }

    private let names: [String]
    private let parameters: PathParameters
    private var pairs: [Pair] = []

    /// - Throws: `bad_request` when the query has too many pairs.
    init(
        names: [String], parameters: PathParameters, query: UnsafeRawBufferPointer
    ) throws(Problem) {
        precondition(names.count == parameters.count, "the router found other path parameters")
        self.names = names
        self.parameters = parameters
        var start = 0
        while start < query.count {
            var end = start
            var equals: Int?
            while end < query.count, query[end] != UInt8(ascii: "&") {
                if equals == nil, query[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if end > start {
                guard pairs.count < Self.maximumPairs else {
                    throw Problem(
                        .badRequest, "The query has more than \(Self.maximumPairs) parameters")
                }
                let split = equals ?? end
                let key = UnsafeRawBufferPointer(rebasing: query[start..<split])
                let value = UnsafeRawBufferPointer(rebasing: query[min(split + 1, end)..<end])
                pairs.append(Pair(key: key, value: value))
            }
            start = end + 1
        }
    }

    /// Whether the path names this field.
    func isInPath(_ name: String) -> Bool {
        names.contains(name)
    }

    /// Whether the request has a value for this field.
    func contains(_ name: String) -> Bool {
        names.contains(name) || pairs.contains { Self.matches($0.key, name) }
    }

    /// Every value of the field, in order.
    func all(_ name: String) -> [RawField] {
        if let index = names.firstIndex(of: name) {
            return [RawField(name: name, raw: parameters[index], place: .path)]
        }
        var found: [RawField] = []
        for pair in pairs where Self.matches(pair.key, name) {
            found.append(RawField(name: name, raw: pair.value, place: .query))
        }
        return found
    }

    /// The one value of the field.
    ///
    /// - Throws: `missing_field` without a value, `invalid_field` with several.
    func one(_ name: String) throws(Problem) -> RawField {
        if let index = names.firstIndex(of: name) {
            return RawField(name: name, raw: parameters[index], place: .path)
        }
        var found: RawField?
        for pair in pairs where Self.matches(pair.key, name) {
            guard found == nil else {
                throw Problem(.invalidField, "\(name) is given more than once", field: name)
            }
            found = RawField(name: name, raw: pair.value, place: .query)
        }
        guard let found else {
            throw Problem(.missingField, "\(name) is required", field: name)
        }
        return found
    }

    private static func matches(_ key: UnsafeRawBufferPointer, _ name: String) -> Bool {
        var name = name
        return name.withUTF8 { expected in
            if key.count == expected.count { return key.elementsEqual(expected) }
            guard key.count > expected.count, !Percent.isPlain(key, plusIsSpace: true) else {
                return false
            }
            return Percent.decode(key, plusIsSpace: true)?.elementsEqual(expected) ?? false
        }
    }
}

extension RawField {
    /// Calls `body` with the decoded bytes.
    ///
    /// - Throws: what ``invalid(_:)`` makes of malformed percent-encoding.
    func withBytes<R>(
        _ body: (UnsafeRawBufferPointer) throws(Problem) -> R
    ) throws(Problem) -> R {
        if Percent.isPlain(raw, plusIsSpace: place == .query) { return try body(raw) }
        guard let bytes = Percent.decode(raw, plusIsSpace: place == .query) else {
            throw invalid("is not percent-encoded correctly")
        }
        let result = bytes.withUnsafeBytes { buffer -> Result<R, Problem> in
            do throws(Problem) {
                return .success(try body(buffer))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The text.
    ///
    /// - Throws: when it is not UTF-8 or has control characters.
    func string() throws(Problem) -> String {
        try withBytes { bytes throws(Problem) in
            for byte in bytes where byte < 0x20 || byte == 0x7F {
                throw invalid("must not have control characters")
            }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw invalid("is not valid UTF-8")
            }
            for scalar in text.unicodeScalars where 0x80...0x9F ~= scalar.value {
                throw invalid("must not have control characters")
            }
            return text
        }
    }

    /// A whole number: an optional minus sign and digits without leading zeros.
    func integer<I: FixedWidthInteger>(_: I.Type) throws(Problem) -> I {
        try withBytes { bytes throws(Problem) in
            var index = 0
            var isNegative = false
            if bytes.count > 1, bytes[0] == UInt8(ascii: "-") {
                isNegative = true
                index = 1
            }
            guard index < bytes.count else { throw invalid("must be a whole number") }
            // One text a number, so that one resource has one address.
            guard bytes[index] != UInt8(ascii: "0") || bytes.count == 1 else {
                throw invalid("must not begin with zero")
            }
            var value: I = 0
            while index < bytes.count {
                let digit = bytes[index] &- UInt8(ascii: "0")
                guard digit < 10 else { throw invalid("must be a whole number") }
                let (scaled, first) = value.multipliedReportingOverflow(by: 10)
                let (next, second) =
                    isNegative
                    ? scaled.subtractingReportingOverflow(I(digit))
                    : scaled.addingReportingOverflow(I(digit))
                guard !first, !second else { throw invalid("is out of range") }
                value = next
                index += 1
            }
            return value
        }
    }

    /// A number as JSON writes it.
    func double() throws(Problem) -> Double {
        let text = try string()
        let isNumeric = text.utf8.allSatisfy {
            0x30...0x39 ~= $0 || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0)
        }
        guard isNumeric, let value = Double(text), value.isFinite else {
            throw invalid("must be a number")
        }
        return value
    }

    /// `true` or `false`.
    func bool() throws(Problem) -> Bool {
        try withBytes { bytes throws(Problem) in
            if bytes.elementsEqual("true".utf8) { return true }
            if bytes.elementsEqual("false".utf8) { return false }
            throw invalid("must be true or false")
        }
    }

    /// The problem of a value that cannot be: in the path it names nothing that exists, in the
    /// query it is an invalid field.
    func invalid(_ reason: String) -> Problem {
        switch place {
        case .path: Problem(.notFound, log: "path parameter \(name) \(reason)")
        case .query: Problem(.invalidField, "\(name) \(reason)", field: name)
        }
    }
}
