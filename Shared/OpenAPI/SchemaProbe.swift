// Finds the schema of a Codable type by letting it decode from nothing: the decoder answers every
// request with a dummy value and notes what was asked for. So the document follows the code that
// really reads requests, and a new field needs no second declaration.

import Endpoints
import Vocabulary

/// A type whose schema cannot be found.
package struct SchemaFailure: Error, CustomStringConvertible {
    package let description: String
}

/// Finds schemas and collects those that several places refer to.
final class SchemaProbe {
    /// The schemas of named types.
    private(set) var components: [String: FieldSchema] = [:]
    private var typeOfName: [String: ObjectIdentifier] = [:]
    private var inProgress: Set<ObjectIdentifier> = []

    /// The schema of a type. Objects and enumerations become components and are referred to.
    func schema<T: Decodable>(of type: T.Type) throws -> FieldSchema {
        try inspect(type).schema
    }

    /// The keys of an endpoint, in order.
    func fields<E: Endpoint>(of endpoint: E.Type) throws -> [FieldSchema.Property] {
        let record = ProbeRecord()
        do {
            _ = try E(from: ProbeDecoder(probe: self, record: record))
        } catch {
            throw SchemaFailure(description: "\(E.name): \(error)")
        }
        guard case .object(let properties)? = record.shape else { return [] }
        return properties
    }

    /// The schema of a type together with a value of it.
    func inspect<T: Decodable>(_: T.Type) throws -> (schema: FieldSchema, value: T?) {
        if let described = T.self as? any SchemaDescribed.Type {
            return (try named(T.self, described.schema), described.example as? T)
        }
        if let page = T.self as? any ProbedPage.Type {
            return (try named(T.self, try page.schema(by: self)), page.empty as? T)
        }
        if let collection = T.self as? any ProbedCollection.Type {
            return (FieldSchema(try collection.shape(by: self)), collection.init() as? T)
        }
        if let optional = T.self as? any ProbedOptional.Type {
            return (try optional.wrapped(by: self), optional.none as? T)
        }
        if let cases = T.self as? any (RawRepresentable & CaseIterable).Type,
            let (values, first) = texts(of: cases)
        {
            return (try named(T.self, FieldSchema(.string, values: values)), first as? T)
        }
        return try watch(T.self)
    }

    private func watch<T: Decodable>(_: T.Type) throws -> (schema: FieldSchema, value: T?) {
        let name = ComponentName.of(T.self)
        guard inProgress.insert(ObjectIdentifier(T.self)).inserted else {
            return (FieldSchema(.reference(name)), nil)
        }
        defer { inProgress.remove(ObjectIdentifier(T.self)) }
        let record = ProbeRecord()
        let value: T
        do {
            value = try T(from: ProbeDecoder(probe: self, record: record))
        } catch let failure as SchemaFailure {
            throw failure
        } catch {
            throw SchemaFailure(
                description: "\(T.self) refuses dummy values (\(error)); make it SchemaDescribed")
        }
        guard let shape = record.shape else { return (FieldSchema(.object([])), value) }
        if let schema = record.single { return (schema, value) }
        return (try named(T.self, FieldSchema(shape)), value)
    }

    /// Makes an object or an enumeration a component; others stay where they are used.
    private func named<T>(_: T.Type, _ schema: FieldSchema) throws -> FieldSchema {
        var isComponent = !schema.values.isEmpty
        if case .object = schema.shape { isComponent = true }
        guard isComponent else { return schema }
        let name = ComponentName.of(T.self)
        if let other = typeOfName[name], other != ObjectIdentifier(T.self) {
            throw SchemaFailure(description: "two types are called \(name)")
        }
        typeOfName[name] = ObjectIdentifier(T.self)
        components[name] = schema
        return FieldSchema(.reference(name))
    }

    private func texts<E: RawRepresentable & CaseIterable>(of _: E.Type) -> ([String], E)? {
        let values = E.allCases.compactMap { $0.rawValue as? String }
        guard let first = E.allCases.first, values.count == E.allCases.count else { return nil }
        return (values, first)
    }
}

/// What one type asked its decoder for.
final class ProbeRecord {
    var shape: FieldSchema.Shape?
    /// Set when the type decodes as one value of another type.
    var single: FieldSchema?

    func add(_ name: String, _ schema: FieldSchema, isRequired: Bool) {
        var properties: [FieldSchema.Property] = []
        if case .object(let known)? = shape { properties = known }
        if let index = properties.firstIndex(where: { $0.name == name }) {
            // Asked twice: what is read either way is not required unless both say so.
            properties[index].isRequired = properties[index].isRequired && isRequired
        } else {
            properties.append(.init(name, schema, isRequired: isRequired))
        }
        shape = .object(properties)
    }
}

/// A collection of like elements, whose schema needs no value.
private protocol ProbedCollection {
    static func shape(by probe: SchemaProbe) throws -> FieldSchema.Shape
    init()
}

extension Array: ProbedCollection where Element: Decodable {
    static func shape(by probe: SchemaProbe) throws -> FieldSchema.Shape {
        .array(try probe.schema(of: Element.self))
    }
}

extension Set: ProbedCollection where Element: Decodable {
    static func shape(by probe: SchemaProbe) throws -> FieldSchema.Shape {
        .array(try probe.schema(of: Element.self))
    }
}

extension Dictionary: ProbedCollection where Key: Decodable, Value: Decodable {
    static func shape(by probe: SchemaProbe) throws -> FieldSchema.Shape {
        guard Key.self == String.self else {
            throw SchemaFailure(description: "\(Self.self): only keys of text make an object")
        }
        return .dictionary(try probe.schema(of: Value.self))
    }
}

/// A page says null where others leave a key out.
private protocol ProbedPage {
    static func schema(by probe: SchemaProbe) throws -> FieldSchema
    static var empty: Self { get }
}

extension Page: ProbedPage {
    static func schema(by probe: SchemaProbe) throws -> FieldSchema {
        var next = FieldSchema(.string, description: "Send it as cursor for the page after this.")
        next.isNullable = true
        return FieldSchema(
            .object([
                .init("items", FieldSchema(.array(try probe.schema(of: Item.self)))),
                .init("next", next),
            ]))
    }
    static var empty: Self { Page(items: []) }
}

private protocol ProbedOptional {
    static func wrapped(by probe: SchemaProbe) throws -> FieldSchema
    static var none: Self { get }
}

extension Optional: ProbedOptional where Wrapped: Decodable {
    static func wrapped(by probe: SchemaProbe) throws -> FieldSchema {
        try probe.schema(of: Wrapped.self)
    }
}

/// The names of components: a type's name without its module, `Page<Party>` as `PageOfParty`.
enum ComponentName {
    static func of<T>(_: T.Type) -> String {
        var name = ""
        var part = ""
        func flush() {
            name += part.prefix(1).uppercased() + part.dropFirst()
            part = ""
        }
        // "Module.Outer.Page<Module.Item, Swift.Int>": the first part of each dotted name goes.
        var isModule = true
        for character in strippingContexts(String(reflecting: T.self)) {
            switch character {
            case ".":
                if isModule {
                    part = ""
                    isModule = false
                } else {
                    flush()
                }
            case "<":
                flush()
                name += "Of"
                isModule = true
            case ",":
                flush()
                name += "And"
                isModule = true
            case ">", " ": flush()
            default: part.append(character)
            }
        }
        flush()
        return name
    }

    /// Without the "(unknown context at $1234)" that private types have for a part.
    private static func strippingContexts(_ name: String) -> String {
        var result = ""
        var depth = 0
        for character in name {
            if character == "(" {
                depth += 1
                if result.last == "." { result.removeLast() }
            }
            if depth == 0 { result.append(character) }
            if character == ")" { depth -= 1 }
        }
        return result
    }
}
