// Checks the bounds of a request by letting it encode itself into a reader of values, because Swift
// has no other way from a field's name to its value that costs as little. Fields without a rule are
// passed over.

import Vocabulary

/// The rules that concern one place in a request: the value there or values inside it.
struct RuleCheck {
    /// The rules of the whole request.
    let rules: [FieldRule]
    /// The place as rules name it: "places[].name". Empty for the request itself.
    let pattern: String
    /// The place as callers read it: "places[2].name".
    let path: String

    /// Checks every rule of an endpoint.
    ///
    /// - Throws: `invalid_field` for the first field out of bounds.
    static func check<E: Endpoint>(_ endpoint: E) throws(Problem) {
        let rules = E.rules
        guard !rules.isEmpty else { return }
        do {
            try endpoint.encode(to: RuleEncoder(check: RuleCheck(rules: rules)))
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.internal, log: "\(E.name): rules cannot be checked: \(error)")
        }
    }

    private init(rules: [FieldRule], pattern: String = "", path: String = "") {
        self.rules = rules
        self.pattern = pattern
        self.path = path
    }

    /// The rules for a key of the object here; `nil` when there are none.
    func key(_ key: String) -> RuleCheck? {
        if pattern.isEmpty { return concerning(key, key) }
        return concerning("\(pattern).\(key)", "\(path).\(key)")
    }

    /// The rules for an element of the list here; `nil` when there are none.
    func element(_ index: Int) -> RuleCheck? {
        concerning(pattern + "[]", "\(path)[\(index)]")
    }

    private func concerning(_ pattern: String, _ path: String) -> RuleCheck? {
        for rule in rules where rule.field.hasPrefix(pattern) {
            let rest = rule.field.utf8.dropFirst(pattern.utf8.count)
            if rest.isEmpty || rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: "[") {
                return RuleCheck(rules: rules, pattern: pattern, path: path)
            }
        }
        return nil
    }

    func text(_ value: String) throws(Problem) {
        for rule in rules where rule.field == pattern {
            switch rule.bound {
            case .text(let length, let multiline):
                _ = try text(value, TextRule(length, multiline: multiline))
            case .email(let length):
                guard EmailForm.matches(try text(value, TextRule(length))) else {
                    throw invalid("is not an address")
                }
            case .secret(let length):
                guard length.contains(value.count) else {
                    throw invalid("must have \(Self.amount(length, "character"))")
                }
            case .number(let range):
                // An exact decimal travels as text.
                guard let number = Double(value), range.contains(number) else {
                    throw invalid("must be between \(range.lowerBound) and \(range.upperBound)")
                }
            case .integer, .count:
                throw Problem(.internal, log: "\(pattern): a rule for numbers on text")
            }
        }
    }

    /// The text as it would be stored.
    private func text(_ value: String, _ rule: TextRule) throws(Problem) -> String {
        do throws(TextFault) {
            return try rule.apply(value)
        } catch {
            throw invalid(error.description)
        }
    }

    func integer(_ value: some FixedWidthInteger) throws(Problem) {
        for rule in rules where rule.field == pattern {
            switch rule.bound {
            case .integer(let range):
                guard let number = Int64(exactly: value), range.contains(number) else {
                    throw invalid("must be between \(range.lowerBound) and \(range.upperBound)")
                }
            case .number: try number(Double(value))
            case .text, .secret, .email, .count:
                throw Problem(.internal, log: "\(pattern): a rule for text or lists on a number")
            }
        }
    }

    func number(_ value: Double) throws(Problem) {
        for rule in rules where rule.field == pattern {
            let isInside: Bool
            let bounds: String
            switch rule.bound {
            case .number(let range):
                isInside = range.contains(value)
                bounds = "\(range.lowerBound) and \(range.upperBound)"
            case .integer(let range):
                isInside =
                    Double(range.lowerBound) <= value && value <= Double(range.upperBound)
                bounds = "\(range.lowerBound) and \(range.upperBound)"
            case .text, .secret, .email, .count:
                throw Problem(.internal, log: "\(pattern): a rule for text or lists on a number")
            }
            guard isInside else { throw invalid("must be between \(bounds)") }
        }
    }

    func value<T: Encodable>(_ value: T) throws {
        for rule in rules where rule.field == pattern {
            guard case .count(let range) = rule.bound else { continue }
            guard let list = value as? any Collection else {
                throw Problem(.internal, log: "\(pattern): a rule for lists on \(T.self)")
            }
            guard range.contains(list.count) else {
                throw invalid("must have \(Self.amount(range, "element"))")
            }
        }
        try value.encode(to: RuleEncoder(check: self))
    }

    /// Such as "1 to 20 elements".
    private static func amount(_ range: ClosedRange<Int>, _ unit: String) -> String {
        let plural = range.upperBound == 1 ? unit : unit + "s"
        if range.lowerBound == range.upperBound { return "\(range.lowerBound) \(plural)" }
        if range.lowerBound == 0 { return "at most \(range.upperBound) \(plural)" }
        return "\(range.lowerBound) to \(range.upperBound) \(plural)"
    }

    private func invalid(_ reason: String) -> Problem {
        Problem(.invalidField, "\(path) \(reason)", field: path)
    }
}

/// Reads the values of whatever encodes itself into it.
private struct RuleEncoder: Encoder {
    let check: RuleCheck
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedRules(check: check))
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ListRules(check: check, isList: true)
    }
    func singleValueContainer() -> any SingleValueEncodingContainer {
        ListRules(check: check, isList: false)
    }
}

/// Reads what no rule concerns.
private let indifferent = RuleEncoder(check: RuleCheck.none)

extension RuleCheck {
    /// No rules.
    fileprivate static let none = RuleCheck(rules: [], pattern: "-", path: "-")
}

private struct KeyedRules<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let check: RuleCheck
    var codingPath: [any CodingKey] { [] }

    private func at(_ key: Key) -> RuleCheck? { check.key(key.stringValue) }

    mutating func encodeNil(forKey key: Key) {}
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try at(key)?.value(value)
    }
    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        (at(key).map(RuleEncoder.init) ?? indifferent).container(keyedBy: Nested.self)
    }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        (at(key).map(RuleEncoder.init) ?? indifferent).unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { indifferent }
    mutating func superEncoder(forKey key: Key) -> any Encoder {
        at(key).map(RuleEncoder.init) ?? indifferent
    }
    mutating func encode(_ value: Bool, forKey key: Key) {}
    mutating func encode(_ value: String, forKey key: Key) throws {
        try at(key)?.text(value)
    }
    mutating func encode(_ value: Double, forKey key: Key) throws {
        try at(key)?.number(value)
    }
    mutating func encode(_ value: Float, forKey key: Key) throws {
        try at(key)?.number(Double(value))
    }
    mutating func encode(_ value: Int, forKey key: Key) throws {
        try at(key)?.integer(value)
    }
    mutating func encode(_ value: Int8, forKey key: Key) throws {
        try at(key)?.integer(value)
    }
    mutating func encode(_ value: Int16, forKey key: Key) throws {
        try at(key)?.integer(value)
    }
    mutating func encode(_ value: Int32, forKey key: Key) throws {
        try at(key)?.integer(value)
    }
    mutating func encode(_ value: Int64, forKey key: Key) throws {
        try at(key)?.integer(value)
    }
    mutating func encode(_ value: UInt, forKey key: Key) throws {
        try at(key)?.integer(value)
    }
    mutating func encode(_ value: UInt8, forKey key: Key) throws {
        try at(key)?.integer(value)
    }
    mutating func encode(_ value: UInt16, forKey key: Key) throws {
        try at(key)?.integer(value)
    }
    mutating func encode(_ value: UInt32, forKey key: Key) throws {
        try at(key)?.integer(value)
    }
    mutating func encode(_ value: UInt64, forKey key: Key) throws {
        try at(key)?.integer(value)
    }
}

private struct ListRules: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    let check: RuleCheck
    let isList: Bool
    var count = 0
    var codingPath: [any CodingKey] { [] }

    init(check: RuleCheck, isList: Bool) {
        self.check = check
        self.isList = isList
    }

    private mutating func next() -> RuleCheck? {
        defer { count += 1 }
        return isList ? check.element(count) : check
    }

    mutating func encodeNil() { count += 1 }
    mutating func encode<T: Encodable>(_ value: T) throws { try next()?.value(value) }
    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        (next().map(RuleEncoder.init) ?? indifferent).container(keyedBy: Nested.self)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        (next().map(RuleEncoder.init) ?? indifferent).unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { indifferent }
    mutating func encode(_ value: Bool) { count += 1 }
    mutating func encode(_ value: String) throws { try next()?.text(value) }
    mutating func encode(_ value: Double) throws { try next()?.number(value) }
    mutating func encode(_ value: Float) throws { try next()?.number(Double(value)) }
    mutating func encode(_ value: Int) throws { try next()?.integer(value) }
    mutating func encode(_ value: Int8) throws { try next()?.integer(value) }
    mutating func encode(_ value: Int16) throws { try next()?.integer(value) }
    mutating func encode(_ value: Int32) throws { try next()?.integer(value) }
    mutating func encode(_ value: Int64) throws { try next()?.integer(value) }
    mutating func encode(_ value: UInt) throws { try next()?.integer(value) }
    mutating func encode(_ value: UInt8) throws { try next()?.integer(value) }
    mutating func encode(_ value: UInt16) throws { try next()?.integer(value) }
    mutating func encode(_ value: UInt32) throws { try next()?.integer(value) }
    mutating func encode(_ value: UInt64) throws { try next()?.integer(value) }
}
