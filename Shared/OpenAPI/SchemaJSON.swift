// Schemas as JSON, and the bounds of field rules written into them.

import Endpoints
import JSON
import Vocabulary

extension FieldSchema {
    /// The schema in JSON Schema's words.
    var json: JSONValue {
        var members: [(String, JSONValue)] = []
        func add(_ key: String, _ value: JSONValue?) {
            if let value { members.append((key, value)) }
        }
        add("type", type)
        switch shape {
        case .any, .string, .integer, .number, .boolean: break
        case .array(let element): add("items", element.json)
        case .dictionary(let value): add("additionalProperties", value.json)
        case .object(let properties):
            add("properties", .members(properties.map { ($0.name, $0.schema.json) }))
            let required = properties.filter(\.isRequired).map { JSONValue.string($0.name) }
            if !required.isEmpty { add("required", .array(required)) }
        case .reference(let name): add("$ref", .string("#/components/schemas/\(name)"))
        }
        if !narrowed.isEmpty {
            add("properties", .members(narrowed.map { ($0.name, $0.schema.json) }))
        }
        add("format", format.map(JSONValue.string))
        add("pattern", pattern.map(JSONValue.string))
        if !values.isEmpty { add("enum", .array(values.map(JSONValue.string))) }
        add("minimum", minimum?.json)
        add("maximum", maximum?.json)
        addSize(to: &members)
        add("description", description.map(JSONValue.string))
        if let example { add("examples", .array([.string(example)])) }
        return .members(members)
    }

    private var type: JSONValue? {
        let name: String
        switch shape {
        case .any, .reference: return nil
        case .string: name = "string"
        case .integer: name = "integer"
        case .number: name = "number"
        case .boolean: name = "boolean"
        case .array: name = "array"
        case .dictionary, .object: name = "object"
        }
        return isNullable ? .array([.string(name), .string("null")]) : .string(name)
    }

    private func addSize(to members: inout [(String, JSONValue)]) {
        guard let size else { return }
        let unit: String
        switch shape {
        case .array: unit = "Items"
        case .dictionary: unit = "Properties"
        default: unit = "Length"
        }
        if size.lowerBound > 0 {
            members.append(("min" + unit, .number(JSONNumber(size.lowerBound))))
        }
        members.append(("max" + unit, .number(JSONNumber(size.upperBound))))
    }
}

extension FieldSchema.Bound {
    fileprivate var json: JSONValue? {
        switch self {
        case .integer(let value): .number(JSONNumber(value))
        case .number(let value):
            if let whole = Int64(exactly: value) {
                .number(JSONNumber(whole))
            } else {
                JSONNumber(value).map(JSONValue.number)
            }
        }
    }
}

/// Writes the bounds of field rules into the schemas of an endpoint's fields.
struct RuleWriter {
    /// What references stand for.
    let components: [String: FieldSchema]

    private enum Step {
        case key(String)
        case element
    }

    /// - Throws: `SchemaFailure` when a rule names a field that is not there or of another kind.
    func apply<E: Endpoint>(
        _: E.Type, to properties: inout [FieldSchema.Property]
    ) throws {
        var request = FieldSchema(.object(properties))
        for rule in E.rules {
            do {
                try narrow(&request, steps(rule.field)[...], rule.bound)
            } catch {
                throw SchemaFailure(description: "\(E.name), rule on \(rule.field): \(error)")
            }
        }
        if case .object(let narrowed) = request.shape { properties = narrowed }
    }

    private func steps(_ field: String) -> [Step] {
        var steps: [Step] = []
        for part in field.split(separator: ".") {
            var name = part
            var elements = 0
            while name.hasSuffix("[]") {
                name = name.dropLast(2)
                elements += 1
            }
            steps.append(.key(String(name)))
            steps.append(contentsOf: repeatElement(.element, count: elements))
        }
        return steps
    }

    private func narrow(
        _ schema: inout FieldSchema, _ steps: ArraySlice<Step>, _ bound: FieldRule.Bound
    ) throws {
        switch (steps.first, schema.shape) {
        case (nil, _): try limit(&schema, bound)
        case (.key(let name), .object(var properties)):
            guard let index = properties.firstIndex(where: { $0.name == name }) else {
                throw SchemaFailure(description: "there is no \(name)")
            }
            try narrow(&properties[index].schema, steps.dropFirst(), bound)
            schema.shape = .object(properties)
        case (.key(let name), .reference(let component)):
            // The component serves other places too, so the bound is written beside the reference.
            guard case .object(let properties)? = components[component]?.shape,
                let property = properties.first(where: { $0.name == name })
            else { throw SchemaFailure(description: "there is no \(name)") }
            let index = schema.narrowed.firstIndex { $0.name == name }
            var narrower = index.map { schema.narrowed[$0].schema } ?? property.schema
            try narrow(&narrower, steps.dropFirst(), bound)
            let overlay = FieldSchema.Property(name, narrower)
            if let index {
                schema.narrowed[index] = overlay
            } else {
                schema.narrowed.append(overlay)
            }
        case (.element, .array(var element)):
            try narrow(&element, steps.dropFirst(), bound)
            schema.shape = .array(element)
        default: throw SchemaFailure(description: "there is no such field")
        }
    }

    private func limit(_ schema: inout FieldSchema, _ bound: FieldRule.Bound) throws {
        switch (bound, schema.shape) {
        case (.text(let length, let isMultiline), .string):
            schema.size = length
            schema.pattern = TextPattern.of(
                isMultiline: isMultiline, mayBeEmpty: length.contains(0))
        case (.email(let length), .string):
            schema.size = length
            schema.pattern = EmailForm.pattern
        case (.secret(let length), .string), (.count(let length), .array),
            (.count(let length), .dictionary):
            schema.size = length
        case (.integer(let range), .integer), (.integer(let range), .number):
            schema.minimum = .integer(range.lowerBound)
            schema.maximum = .integer(range.upperBound)
        case (.number(let range), .integer), (.number(let range), .number):
            schema.minimum = .number(range.lowerBound)
            schema.maximum = .number(range.upperBound)
        case (.number(let range), .string):
            // An exact decimal travels as text, which JSON Schema cannot bound.
            schema.description = "From \(range.lowerBound) to \(range.upperBound)."
        default: throw SchemaFailure(description: "the bound is for another kind of value")
        }
    }
}
