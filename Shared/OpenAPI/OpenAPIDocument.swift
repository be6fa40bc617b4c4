// The OpenAPI 3.1 document of a service, made from its endpoint types. Everything is in the order
// of the endpoint list and of the fields, so that the committed document changes only with the API.

package import Endpoints
package import JSON

/// Makes OpenAPI documents.
package enum OpenAPIDocument {
    /// The document of a service.
    ///
    /// - Throws: `SchemaFailure` when a type cannot be described, a rule names no field, or two
    ///   endpoints share a route or a name.
    package static func make(
        service: String, version: String, summary: String, endpoints: [any Endpoint.Type]
    ) throws -> JSONValue {
        let probe = SchemaProbe()
        let shared = SharedResponses()
        var paths: [(path: String, operations: [(String, JSONValue)])] = []
        var names: Set<String> = []
        for endpoint in endpoints {
            guard names.insert(endpoint.name).inserted else {
                throw SchemaFailure(description: "two endpoints are called \(endpoint.name)")
            }
            let route = endpoint.route
            let method = route.method.rawValue.lowercased()
            let item = try operation(endpoint, service, probe, shared)
            if let index = paths.firstIndex(where: { $0.path == route.path }) {
                guard !paths[index].operations.contains(where: { $0.0 == method }) else {
                    throw SchemaFailure(description: "two endpoints are served at \(route)")
                }
                paths[index].operations.append((method, item))
            } else {
                paths.append((route.path, [(method, item)]))
            }
        }
        let info: [(String, JSONValue)] = [
            ("title", .string("Madang \(service)")), ("version", .string(version)),
            ("summary", .string(summary)),
        ]
        return .members([
            ("openapi", .string("3.1.0")),
            ("info", .members(info)),
            ("servers", .array([.members([("url", .string("/"))])])),
            ("tags", .array([.members([("name", .string(service))])])),
            ("paths", .members(paths.map { ($0.path, .members($0.operations)) })),
            (
                "components",
                try CommonParts.components(
                    schemas: probe.components, responses: shared.responses)
            ),
        ])
    }

    /// The document as it is committed and served: indented by two spaces, with a final newline.
    ///
    /// - Throws: as `make`.
    package static func text(
        service: String, version: String, summary: String, endpoints: [any Endpoint.Type]
    ) throws -> [UInt8] {
        let document = try make(
            service: service, version: version, summary: summary, endpoints: endpoints)
        return document.bytes(isPretty: true) + [UInt8(ascii: "\n")]
    }

    private static func operation<E: Endpoint>(
        _: E.Type, _ tag: String, _ probe: SchemaProbe, _ shared: SharedResponses
    ) throws -> JSONValue {
        var fields = try probe.fields(of: E.self)
        try RuleWriter(components: probe.components).apply(E.self, to: &fields)
        let names = E.route.parameterNames
        if let missing = names.first(where: { name in !fields.contains { $0.name == name } }) {
            throw SchemaFailure(description: "\(E.name) has no field for {\(missing)}")
        }
        let inPath = names.compactMap { name in fields.first { $0.name == name } }
        let others = fields.filter { !names.contains($0.name) }
        let hasBody = E.route.method.hasBody

        for field in hasBody ? inPath : inPath + others {
            guard isText(field.schema, probe.components, inList: !names.contains(field.name)) else {
                throw SchemaFailure(
                    description: "\(E.name): \(field.name) cannot travel in a path or query")
            }
        }
        var parameters = inPath.map { parameter($0, "path") }
        if !hasBody { parameters += others.map { parameter($0, "query") } }
        if E.route.method == .post { parameters.append(CommonParts.idempotencyKeyReference) }
        if E.caching != .none { parameters.append(CommonParts.ifNoneMatchReference) }

        var members: [(String, JSONValue)] = [
            ("operationId", .string(E.name.prefix(1).lowercased() + E.name.dropFirst())),
            ("summary", .string(E.summary)),
        ]
        if let description = description(E.self) {
            members.append(("description", .string(description)))
        }
        members.append(("tags", .array([.string(tag)])))
        if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
        if hasBody && !others.isEmpty { members.append(("requestBody", requestBody(others))) }
        let responses = Responses(E.self, hasFields: !others.isEmpty)
        members.append(("responses", try responses.json(probe, shared)))
        members.append(("security", security(E.access)))
        return .members(members)
    }

    /// Whether values can be written as one text, or as several where there may be a list.
    private static func isText(
        _ schema: FieldSchema, _ components: [String: FieldSchema], inList: Bool
    ) -> Bool {
        switch schema.shape {
        case .string, .integer, .number, .boolean: true
        case .array(let element): inList && isText(element, components, inList: false)
        case .reference(let name):
            components[name].map { isText($0, components, inList: false) } ?? false
        case .any, .dictionary, .object: false
        }
    }

    private static func parameter(_ field: FieldSchema.Property, _ place: String) -> JSONValue {
        var schema = field.schema
        var isRequired = field.isRequired
        // A key that is not there is an empty list.
        if case .array = schema.shape, schema.size?.lowerBound ?? 0 == 0 { isRequired = false }
        var members: [(String, JSONValue)] = [
            ("name", .string(field.name)), ("in", .string(place)),
        ]
        if place == "path" || isRequired { members.append(("required", .bool(true))) }
        if let description = schema.description {
            members.append(("description", .string(description)))
            schema.description = nil
        }
        members.append(("schema", schema.json))
        return .members(members)
    }

    private static func requestBody(_ fields: [FieldSchema.Property]) -> JSONValue {
        .members([
            ("required", .bool(fields.contains(where: \.isRequired))),
            ("content", CommonParts.content("application/json", FieldSchema(.object(fields)).json)),
        ])
    }

    private static func description<E: Endpoint>(_: E.Type) -> String? {
        var sentences: [String] = []
        switch E.access {
        case .public, .user: break
        case .admin: sentences.append("For administrators.")
        case .service: sentences.append("For other services; not reachable from outside.")
        }
        if let limit = E.rateLimit {
            sentences.append(
                "At most \(limit.requests) requests in \(limit.seconds) seconds per "
                    + "\(limit.scope.rawValue).")
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// Beside a scheme stand the roles that are needed with it (OpenAPI 3.1, Security Requirement).
    private static func security(_ access: Access) -> JSONValue {
        switch access {
        case .public: .array([])
        case .user: .array([.members([("bearerAuth", .array([]))])])
        case .admin, .service:
            .array([.members([("bearerAuth", .array([.string(access.rawValue)]))])])
        }
    }
}
