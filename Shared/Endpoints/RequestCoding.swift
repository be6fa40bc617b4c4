// Requests to and from HTTP. Client and server use the same code, so what one writes the other
// reads.

/// A request as HTTP carries it.
public struct EncodedRequest: Sendable, Hashable {
    /// The method.
    public let method: Route.Method
    /// Path and query, percent-encoded: the request target of RFC 9112.
    public let target: String
    /// The JSON body; `nil` when every field is elsewhere.
    public let body: [UInt8]?
}

/// Turns endpoints into HTTP requests and back.
///
/// In paths and queries, numbers, truth values, text and whatever encodes as one of those are
/// plain text. A list in a query is a repeated key (`?tag=a&tag=b`; a comma is an ordinary
/// character), and a key that is not there is an empty list. Unknown keys are ignored.
public struct RequestCoding: Sendable {
    /// The coder every endpoint uses.
    public init() {}

    /// The HTTP request of an endpoint.
    ///
    /// - Throws: `EncodingError` when a value cannot travel: an empty or dot segment in a path, a
    ///   number that is not finite.
    public func encode<E: Endpoint>(_ endpoint: E) throws -> EncodedRequest {
        let route = E.route
        let collector = FieldCollector(pathNames: route.parameterNames)
        var body: [UInt8]?
        if route.method.hasBody {
            let bytes = try BodyCoding.encode(BodyOf(endpoint: endpoint, collector: collector))
            // An empty object says nothing: no body, no content type.
            body = bytes.elementsEqual("{}".utf8) ? nil : bytes
        } else {
            try endpoint.encode(to: FieldEncoder(collector: collector, body: nil))
        }
        var target = ""
        for segment in route.segments {
            target.append("/")
            switch segment {
            case .literal(let text): target.append(text)
            case .parameter(let name):
                guard let text = collector.path[name] else {
                    throw EncodingError.invalidValue(
                        endpoint, .init(codingPath: [], debugDescription: "\(name) is missing"))
                }
                Percent.encode(text, into: &target)
            }
        }
        var separator = "?"
        for (name, text) in collector.query {
            target.append(separator)
            separator = "&"
            Percent.encode(name, into: &target)
            target.append("=")
            Percent.encode(text, into: &target)
        }
        return EncodedRequest(method: route.method, target: target, body: body)
    }

    /// The endpoint a request stands for, with its rules checked.
    ///
    /// - Parameters:
    ///   - parameters: the values of the route's parameters, in order.
    ///   - query: what follows the question mark; empty when there is none.
    ///   - body: the whole body. An empty one counts as an empty object.
    /// - Throws: `not_found` for a path value that nothing can have, `malformed_json`,
    ///   `missing_field` and `invalid_field` for the rest.
    public func decode<E: Endpoint>(
        _: E.Type, parameters: PathParameters, query: UnsafeRawBufferPointer,
        body: UnsafeRawBufferPointer
    ) throws(Problem) -> E {
        let endpoint = try unchecked(E.self, parameters, query, body)
        try RuleCheck.check(endpoint)
        return endpoint
    }

    private func unchecked<E: Endpoint>(
        _: E.Type, _ parameters: PathParameters, _ query: UnsafeRawBufferPointer,
        _ body: UnsafeRawBufferPointer
    ) throws(Problem) -> E {
        let route = E.route
        if route.method.hasBody, !body.isEmpty, MemoryLayout<E>.size > 0 {
            if parameters.count == 0 { return try BodyCoding.decode(E.self, from: body) }
            let fields = try RequestFields(
                names: route.parameterNames, parameters: parameters, query: Self.noQuery)
            let result = MergeSource.$current.withValue(MergeSource(fields: fields)) {
                Result { () throws(Problem) in try BodyCoding.decode(Merged<E>.self, from: body) }
            }
            return try result.get().endpoint
        }
        let fields = try RequestFields(
            names: route.parameterNames, parameters: parameters,
            query: route.method.hasBody ? Self.noQuery : query)
        return try decode(E.self, fields)
    }

    private func decode<E: Endpoint>(_: E.Type, _ fields: RequestFields) throws(Problem) -> E {
        do {
            return try E(from: FieldDecoder(fields: fields))
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.invalidField, "The request is not valid", log: "\(error)")
        }
    }

    private static var noQuery: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: nil, count: 0)
    }
}

/// The part of an endpoint that travels in the body.
private struct BodyOf<E: Endpoint>: Encodable {
    let endpoint: E
    let collector: FieldCollector

    func encode(to encoder: any Encoder) throws {
        try endpoint.encode(to: FieldEncoder(collector: collector, body: encoder))
    }
}

/// Carries the path's fields past the body's coder. Never outlives the call that made it, which
/// holds the bytes the fields point into.
private struct MergeSource: @unchecked Sendable {
    @TaskLocal static var current: MergeSource?
    let fields: RequestFields
}

/// An endpoint decoded from path and body together.
private struct Merged<E: Endpoint>: Decodable {
    let endpoint: E

    init(from decoder: any Decoder) throws {
        guard let source = MergeSource.current else {
            throw Problem(.internal, log: "path and body can only be decoded together")
        }
        endpoint = try E(from: MergedDecoder(fields: source.fields, base: decoder))
    }
}
