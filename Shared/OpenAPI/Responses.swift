// What an endpoint may answer: its success, the problems it declares, and those that the framework
// may answer in its place.

import Endpoints
import JSON

/// The responses of one endpoint.
struct Responses {
    private let success: (SchemaProbe) throws -> [(String, JSONValue)]
    private let problems: [Problem.Code]

    /// - Parameter hasFields: whether anything is read from the query or the body.
    init<E: Endpoint>(_: E.Type, hasFields: Bool) {
        let hasBody = E.route.method.hasBody && hasFields
        var problems = E.problems
        problems.append(.badRequest)
        if hasBody { problems += [.malformedJSON, .payloadTooLarge, .unsupportedMediaType] }
        if hasFields { problems += [.missingField, .invalidField] }
        if E.access != .public {
            problems += [.accessTokenMissing, .accessTokenExpired, .accessTokenInvalid]
        }
        if E.access == .admin || E.access == .service { problems.append(.forbidden) }
        if !E.route.parameterNames.isEmpty { problems.append(.notFound) }
        if E.route.method == .post {
            problems += [.idempotencyKeyReused, .requestInProgress]
        }
        problems += [.rateLimited, .internal, .unavailable, .timedOut]
        self.problems = problems
        success = { probe in
            var members: [(String, JSONValue)] = [("description", .string("Success."))]
            if E.caching != .none { members.append(("headers", CommonParts.cachingHeaders)) }
            if E.Response.self != NoContent.self {
                let schema = try probe.schema(of: E.Response.self)
                members.append(("content", CommonParts.content("application/json", schema.json)))
            }
            var responses = [("\(E.status)", JSONValue.members(members))]
            if E.caching != .none {
                responses.append(
                    ("304", .members([("description", .string("The caller's copy is current."))])))
            }
            return responses
        }
    }

    /// By status, in ascending order; the codes of a status in the order they were declared.
    func json(_ probe: SchemaProbe, _ shared: SharedResponses) throws -> JSONValue {
        var responses = try success(probe)
        var byStatus: [Int: [Problem.Code]] = [:]
        for problem in problems where byStatus[problem.status]?.contains(problem) != true {
            byStatus[problem.status, default: []].append(problem)
        }
        for (status, codes) in byStatus.sorted(by: { $0.key < $1.key }) {
            responses.append(("\(status)", shared.response(codes)))
        }
        return .members(responses)
    }
}

/// The problem responses that most endpoints have, written once and referred to.
final class SharedResponses {
    private static let common: Set<Problem.Code> = [
        .badRequest, .malformedJSON, .payloadTooLarge, .unsupportedMediaType, .missingField,
        .invalidField, .accessTokenMissing, .accessTokenExpired, .accessTokenInvalid, .forbidden,
        .notFound, .idempotencyKeyReused, .requestInProgress, .rateLimited, .internal, .unavailable,
        .timedOut,
    ]

    private(set) var responses: [String: JSONValue] = [:]

    /// A reference when every code is one the framework answers, else the response itself.
    func response(_ codes: [Problem.Code]) -> JSONValue {
        guard codes.allSatisfy(Self.common.contains) else {
            return CommonParts.problemResponse(codes)
        }
        let name = codes.map(Self.word).joined(separator: "Or")
        responses[name] = CommonParts.problemResponse(codes)
        return .members([("$ref", .string("#/components/responses/\(name)"))])
    }

    private static func word(_ code: Problem.Code) -> String {
        code.rawValue.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
    }
}

/// The parts of a document that are the same in each.
enum CommonParts {
    /// A media type with its schema, as the value of `content`.
    static func content(_ mediaType: String, _ schema: JSONValue) -> JSONValue {
        .members([(mediaType, .members([("schema", schema)]))])
    }

    static var idempotencyKeyReference: JSONValue {
        .members([("$ref", .string("#/components/parameters/IdempotencyKey"))])
    }

    static var ifNoneMatchReference: JSONValue {
        .members([("$ref", .string("#/components/parameters/IfNoneMatch"))])
    }

    static var cachingHeaders: JSONValue {
        let text = FieldSchema(.string).json
        return .members([
            ("ETag", .members([("schema", text)])),
            ("Cache-Control", .members([("schema", text)])),
        ])
    }

    static func problemResponse(_ codes: [Problem.Code]) -> JSONValue {
        let lines = codes.map { "`\($0.rawValue)`: \($0.title)." }
        let code = FieldSchema(.string, values: codes.map(\.rawValue))
        var schema = FieldSchema(.reference("Problem"))
        schema.narrowed = [.init("code", code)]
        var members: [(String, JSONValue)] = [
            ("description", .string(lines.joined(separator: " ")))
        ]
        if codes.contains(where: { [429, 503].contains($0.status) }) {
            let seconds = FieldSchema(.integer, minimum: .integer(0), description: "Seconds.")
            members.append(
                ("headers", .members([("Retry-After", .members([("schema", seconds.json)]))])))
        }
        members.append(("content", content(Problem.mediaType, schema.json)))
        return .members(members)
    }

    /// The `components` object.
    ///
    /// - Throws: `SchemaFailure` when a type of the API takes the name of a common part.
    static func components(
        schemas: [String: FieldSchema], responses: [String: JSONValue]
    ) throws -> JSONValue {
        var schemas = schemas
        guard schemas.updateValue(problemSchema, forKey: "Problem") == nil else {
            throw SchemaFailure(description: "a type of the API is called Problem")
        }
        let sorted = schemas.sorted { $0.key < $1.key }
        let sortedResponses = responses.sorted { $0.key < $1.key }
        let bearer: [(String, JSONValue)] = [
            ("type", .string("http")), ("scheme", .string("bearer")),
            ("bearerFormat", .string("JWT")),
        ]
        return .members([
            ("schemas", .members(sorted.map { ($0.key, $0.value.json) })),
            ("responses", .members(sortedResponses.map { ($0.key, $0.value) })),
            ("parameters", parameters),
            ("securitySchemes", .members([("bearerAuth", .members(bearer))])),
        ])
    }

    private static var problemSchema: FieldSchema {
        FieldSchema(
            .object([
                .init("type", FieldSchema(.string, format: "uri")),
                .init("title", FieldSchema(.string)),
                .init(
                    "status",
                    FieldSchema(.integer, minimum: .integer(400), maximum: .integer(599))),
                .init(
                    "detail", FieldSchema(.string, description: "What went wrong, for a person.")),
                .init("code", FieldSchema(.string, description: "What went wrong, for a program.")),
                .init(
                    "field", FieldSchema(.string, description: "The path of the field at fault."),
                    isRequired: false),
                .init(
                    "retryAfter",
                    FieldSchema(
                        .integer, minimum: .integer(0),
                        description: "Seconds after which to try again."), isRequired: false),
                .init(
                    "requestId", FieldSchema(.string, description: "For support."),
                    isRequired: false),
            ]), description: "An error (RFC 9457).")
    }

    private static var parameters: JSONValue {
        var key = FieldSchema(.string, pattern: #"^[^\u0000-\u001f\u007f]*$"#)
        key.size = 1...128
        let idempotency: [(String, JSONValue)] = [
            ("name", .string("Idempotency-Key")), ("in", .string("header")),
            (
                "description",
                .string(
                    "Repeating a request with its key answers as the first time, for 24 hours; "
                        + "another request with the same key is refused.")
            ),
            ("schema", key.json),
        ]
        let condition: [(String, JSONValue)] = [
            ("name", .string("If-None-Match")), ("in", .string("header")),
            ("description", .string("The ETag of the caller's copy.")),
            ("schema", FieldSchema(.string).json),
        ]
        return .members([
            ("IdempotencyKey", .members(idempotency)), ("IfNoneMatch", .members(condition)),
        ])
    }
}
