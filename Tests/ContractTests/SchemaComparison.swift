// Compares two schemas in one direction: what was accepted must still be, and what is answered must
// have been possible before.

import JSON

/// Finds what is incompatible between two schemas, each of a document of its own.
struct SchemaComparison {
    enum Direction {
        /// The service reads it: it may only become wider.
        case request
        /// The service answers it: it may only become narrower, and a field stays where it was.
        case answer
        /// As an answer, but words may be added: a client takes a problem with an unknown code.
        case problem
    }

    let old: JSONValue
    let new: JSONValue
    let direction: Direction
    /// Incompatible changes, a line each.
    private(set) var findings: [String] = []
    /// Pairs of named schemas under comparison, for types that contain themselves.
    private var inProgress: Set<String> = []

    init(old: JSONValue, new: JSONValue, direction: Direction) {
        self.old = old
        self.new = new
        self.direction = direction
    }

    /// Words that say nothing about which values there are.
    private static let annotations: Set<String> = [
        "description", "title", "examples", "deprecated", "$ref",
    ]
    private static let leastValues = ["minimum", "minLength", "minItems", "minProperties"]
    private static let mostValues = ["maximum", "maxLength", "maxItems", "maxProperties"]
    private static let judged: Set<String> =
        annotations.union(leastValues).union(mostValues).union([
            "type", "enum", "format", "pattern", "properties", "required", "items",
            "additionalProperties",
        ])
    /// Formats whose values are values of the second one too.
    private static let widerFormats = [
        "int32": ["int64", "double", "float"], "int64": ["double"], "float": ["double"],
    ]

    /// What a reference stands for, with the words beside it laid over.
    static func resolved(_ value: JSONValue, in document: JSONValue) -> JSONValue {
        guard let reference = value["$ref"]?.string else { return value }
        var target = document
        for step in reference.split(separator: "/").dropFirst() {
            target = target[String(step)] ?? [:]
        }
        var result = resolved(target, in: document)
        for (word, overlay) in value.object ?? [:] where word != "$ref" {
            if word == "properties" {
                var properties = result["properties"]?.object ?? [:]
                for (name, property) in overlay.object ?? [:] { properties[name] = property }
                result["properties"] = .object(properties)
            } else {
                result[word] = overlay
            }
        }
        return result
    }

    mutating func compare(_ before: JSONValue, _ after: JSONValue, at place: String) {
        let pair = "\(before["$ref"]?.string ?? "") \(after["$ref"]?.string ?? "")"
        let isNamed = before.object?.count == 1 && after.object?.count == 1 && pair.count > 1
        if isNamed && !inProgress.insert(pair).inserted { return }
        defer { if isNamed { inProgress.remove(pair) } }

        let before = Self.resolved(before, in: old)
        let after = Self.resolved(after, in: new)
        guard typesFit(before, after, place) else { return }
        compareWords(before, after, place)
        compareBounds(before, after, place)
        compareText(before, after, place)
        compareProperties(before, after, place)
        for word in ["items", "additionalProperties"] {
            let here = place + (word == "items" ? "[]" : ".*")
            switch (before[word], after[word]) {
            case (let before?, let after?): compare(before, after, at: here)
            case (nil, nil): break
            case (_?, nil), (nil, _?): findings.append("\(here): \(word) came or went")
            }
        }
        let words = Set((before.object?.keys ?? []) + (after.object?.keys ?? []))
        for word in words.subtracting(Self.judged).sorted() where before[word] != after[word] {
            findings.append("\(place): \(word) changed, which this comparison can't judge")
        }
    }

    /// Whether all values of the first are values of the second, for the direction at hand.
    private func fits<Value>(
        _ before: Value, _ after: Value, _ contains: (Value, Value) -> Bool
    ) -> Bool {
        direction == .request ? contains(after, before) : contains(before, after)
    }

    private mutating func typesFit(
        _ before: JSONValue, _ after: JSONValue, _ place: String
    ) -> Bool {
        let (one, other) = (Self.types(before), Self.types(after))
        let isFit = fits(one, other) { outer, inner in
            guard let outer else { return true }
            guard let inner else { return false }
            return inner.allSatisfy {
                outer.contains($0) || $0 == "integer" && outer.contains("number")
            }
        }
        if !isFit {
            findings.append(
                "\(place): the type \(Self.list(one)) became \(Self.list(other))")
        }
        return isFit
    }

    /// `nil` for any.
    private static func types(_ schema: JSONValue) -> [String]? {
        if let type = schema["type"]?.string { return [type] }
        return schema["type"]?.array?.compactMap(\.string)
    }

    private static func list(_ words: [String]?) -> String {
        words.map { $0.joined(separator: " or ") } ?? "any"
    }

    private mutating func compareWords(
        _ before: JSONValue, _ after: JSONValue, _ place: String
    ) {
        let (one, other) = (before["enum"]?.array, after["enum"]?.array)
        let removed = (one ?? []).filter { other?.contains($0) == false }
        let added = (other ?? []).filter { one?.contains($0) == false }
        func words(_ values: [JSONValue]) -> String {
            values.map { $0.string ?? "\($0)" }.joined(separator: ", ")
        }
        switch direction {
        case .request, .problem:
            if !removed.isEmpty {
                findings.append("\(place): \(words(removed)) is no longer a value")
            }
        case .answer:
            if !added.isEmpty { findings.append("\(place): \(words(added)) is a new value") }
        }
        if one == nil && other != nil && direction == .request {
            findings.append("\(place): may only be \(words(other ?? [])) now")
        }
        if one != nil && other == nil && direction != .request {
            findings.append("\(place): may be any value now")
        }
    }

    private mutating func compareBounds(
        _ before: JSONValue, _ after: JSONValue, _ place: String
    ) {
        for word in Self.leastValues + Self.mostValues where before[word] != after[word] {
            let isLeast = Self.leastValues.contains(word)
            let unbounded = isLeast ? -Double.infinity : Double.infinity
            let isFit = fits(
                before[word]?.double ?? unbounded, after[word]?.double ?? unbounded
            ) { outer, inner in isLeast ? outer <= inner : outer >= inner }
            if !isFit {
                findings.append(
                    "\(place): \(word) \(Self.text(before[word])) became \(Self.text(after[word]))")
            }
        }
    }

    private mutating func compareText(
        _ before: JSONValue, _ after: JSONValue, _ place: String
    ) {
        for word in ["format", "pattern"] where before[word] != after[word] {
            let isFit = fits(before[word]?.string, after[word]?.string) { outer, inner in
                guard let outer else { return true }
                return inner.flatMap { Self.widerFormats[$0] }?.contains(outer) == true
            }
            if !isFit {
                findings.append(
                    "\(place): \(word) \(Self.text(before[word])) became \(Self.text(after[word]))")
            }
        }
    }

    private static func text(_ value: JSONValue?) -> String {
        guard let value else { return "none" }
        return value.string ?? value.number?.text ?? "\(value)"
    }

    private mutating func compareProperties(
        _ before: JSONValue, _ after: JSONValue, _ place: String
    ) {
        let (one, other) = (before["properties"]?.object ?? [:], after["properties"]?.object ?? [:])
        let required = Set((before["required"]?.array ?? []).compactMap(\.string))
        let requiredNow = Set((after["required"]?.array ?? []).compactMap(\.string))
        for (name, schema) in one {
            let here = "\(place).\(name)"
            guard let match = other[name] else {
                let verb = direction == .request ? "is no longer read" : "was removed"
                findings.append("\(here): \(verb)")
                continue
            }
            compare(schema, match, at: here)
            let (was, became) = (required.contains(name), requiredNow.contains(name))
            if direction == .request && became && !was {
                findings.append("\(here): became required")
            } else if direction != .request && was && !became {
                findings.append("\(here): became optional")
            }
        }
        if direction == .request {
            for name in requiredNow.sorted() where one[name] == nil {
                findings.append("\(place).\(name): is new and required")
            }
        }
    }
}
