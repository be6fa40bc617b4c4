// What a client written for an older OpenAPI document may trip over in a newer one. It knows the
// words that our generator writes, and reports a change of any other word rather than pass it over.

import JSON

/// Compares two documents of a service, operation by operation.
struct DocumentComparison {
    private let old: JSONValue
    private let new: JSONValue
    /// Incompatible changes, a line each, in the order of the older document.
    private(set) var findings: [String] = []

    init(from old: JSONValue, to new: JSONValue) {
        self.old = old
        self.new = new
        for (path, item) in old["paths"]?.object ?? [:] {
            let match = operations(like: path)
            for (method, operation) in item.object ?? [:] {
                let place = "\(method.uppercased()) \(path)"
                guard let (newPath, newOperation) = match[method] else {
                    findings.append("\(place): was removed")
                    continue
                }
                compareParameters((path, operation), (newPath, newOperation), place)
                compareBodies(operation["requestBody"], newOperation["requestBody"], place)
                compareAnswers(operation, newOperation, place)
                compareAccess(operation, newOperation, place)
            }
        }
    }

    /// The newer operations of a path by method. A parameter's name is not part of a path.
    private func operations(like path: String) -> [String: (path: String, JSONValue)] {
        var found: [String: (path: String, JSONValue)] = [:]
        for (newPath, item) in new["paths"]?.object ?? [:]
        where Self.form(newPath) == Self.form(path) {
            for (method, operation) in item.object ?? [:] { found[method] = (newPath, operation) }
        }
        return found
    }

    /// The path with `{}` for every parameter.
    private static func form(_ path: String) -> String {
        path.replacing(/\{[^}]*\}/, with: "{}")
    }

    // MARK: Requests

    private struct Parameter {
        let title: String
        let isRequired: Bool
        let schema: JSONValue
    }

    /// Parameters by what identifies them on the wire: the position in the path, else the name.
    private func parameters(
        of operation: JSONValue, at path: String, in document: JSONValue
    ) -> [(key: String, value: Parameter)] {
        let names = path.matches(of: /\{([^}]*)\}/).map { String($0.1) }
        return (operation["parameters"]?.array ?? []).map { entry in
            let parameter = SchemaComparison.resolved(entry, in: document)
            let name = parameter["name"]?.string ?? ""
            let kind = parameter["in"]?.string ?? ""
            let position = names.firstIndex(of: name).map { "\($0)" }
            let isHeader = kind == "header"
            return (
                "\(kind) \(kind == "path" ? position ?? name : isHeader ? name.lowercased() : name)",
                Parameter(
                    title: "\(kind) parameter \(name)",
                    isRequired: parameter["required"]?.bool ?? false,
                    schema: parameter["schema"] ?? [:])
            )
        }
    }

    private mutating func compareParameters(
        _ older: (path: String, operation: JSONValue),
        _ newer: (path: String, operation: JSONValue), _ place: String
    ) {
        let before = parameters(of: older.operation, at: older.path, in: old)
        let after = parameters(of: newer.operation, at: newer.path, in: new)
        for (key, parameter) in before {
            let here = "\(place), \(parameter.title)"
            guard let match = after.first(where: { $0.key == key })?.value else {
                findings.append("\(here): is no longer read")
                continue
            }
            if match.isRequired && !parameter.isRequired {
                findings.append("\(here): became required")
            }
            compareSchemas(parameter.schema, match.schema, here, .request)
        }
        for (key, parameter) in after
        where parameter.isRequired && !before.contains(where: { $0.key == key }) {
            findings.append("\(place), \(parameter.title): is new and required")
        }
    }

    private mutating func compareBodies(
        _ before: JSONValue?, _ after: JSONValue?, _ place: String
    ) {
        let here = "\(place), request"
        guard let before else {
            if after?["required"]?.bool == true { findings.append("\(here): became required") }
            return
        }
        guard let after else {
            findings.append("\(here): is no longer read")
            return
        }
        if after["required"]?.bool == true && before["required"]?.bool != true {
            findings.append("\(here): became required")
        }
        for (type, content) in before["content"]?.object ?? [:] {
            guard let match = after["content"]?[type] else {
                findings.append("\(here): \(type) is no longer read")
                continue
            }
            compareSchemas(content["schema"] ?? [:], match["schema"] ?? [:], here, .request)
        }
    }

    // MARK: Answers

    private mutating func compareAnswers(
        _ older: JSONValue, _ newer: JSONValue, _ place: String
    ) {
        let before = older["responses"]?.object ?? [:]
        let after = newer["responses"]?.object ?? [:]
        for (status, answer) in before {
            let here = "\(place), \(status)"
            guard let match = after[status] else {
                // Who needs no token any more is not refused for one.
                let isOpened = Self.access(newer) == nil && ["401", "403"].contains(status)
                if !isOpened { findings.append("\(here): is no longer answered") }
                continue
            }
            compareAnswer(
                SchemaComparison.resolved(answer, in: old),
                SchemaComparison.resolved(match, in: new), here)
        }
        for status in after.keys where status.hasPrefix("2") && before[status] == nil {
            findings.append("\(place), \(status): is a new success")
        }
    }

    private mutating func compareAnswer(
        _ before: JSONValue, _ after: JSONValue, _ place: String
    ) {
        for (name, _) in before["headers"]?.object ?? [:] where after["headers"]?[name] == nil {
            findings.append("\(place): the header \(name) was removed")
        }
        let types = before["content"]?.object ?? [:]
        for (type, content) in types {
            guard let match = after["content"]?[type] else {
                findings.append("\(place): is no longer \(type)")
                continue
            }
            let direction: SchemaComparison.Direction =
                type == "application/problem+json" ? .problem : .answer
            compareSchemas(content["schema"] ?? [:], match["schema"] ?? [:], place, direction)
        }
        for type in (after["content"]?.object ?? [:]).keys where types[type] == nil {
            findings.append("\(place): may be \(type) now")
        }
    }

    private mutating func compareSchemas(
        _ before: JSONValue, _ after: JSONValue, _ place: String,
        _ direction: SchemaComparison.Direction
    ) {
        var comparison = SchemaComparison(old: old, new: new, direction: direction)
        comparison.compare(before, after, at: place)
        findings += comparison.findings
    }

    // MARK: Access

    /// Who may call: nothing for anybody, else schemes with the roles they need.
    private static func access(_ operation: JSONValue) -> [JSONValue]? {
        let alternatives = operation["security"]?.array ?? []
        return alternatives.isEmpty || alternatives.contains([:]) ? nil : alternatives
    }

    private mutating func compareAccess(
        _ older: JSONValue, _ newer: JSONValue, _ place: String
    ) {
        guard let after = Self.access(newer) else { return }
        guard let before = Self.access(older) else {
            findings.append("\(place): needs a token now")
            return
        }
        // Each way in must still lead in: by the same schemes with no more roles than before.
        let isKept = before.allSatisfy { way in
            after.contains { alternative in
                (alternative.object ?? [:]).allSatisfy { scheme, roles in
                    guard let granted = way[scheme]?.array else { return false }
                    return (roles.array ?? []).allSatisfy(granted.contains)
                }
            }
        }
        if !isKept { findings.append("\(place): needs another role now") }
    }
}
