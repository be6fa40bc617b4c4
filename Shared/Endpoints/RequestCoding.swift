// Requests to and from HTTP. Client and server use the same code, so what one writes the other
// reads.

public import JSON

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
    /// Reads and writes the bodies.
    public let json: JSONCoder

    /// A coding whose bodies keep the limits of `json`.
    public init(json: JSONCoder = .standard) {
        self.json = json
    }

    /// The HTTP request of an endpoint.
    ///
    /// - Throws: `EncodingError` or `JSONFailure` when a value cannot travel: an empty or dot
    ///   segment in a path, a number that is not finite.
    public func encode<E: Endpoint>(_ endpoint: E) throws -> EncodedRequest {
        let route = E.route
        let collector = FieldCollector(pathNames: route.parameterNames)
        var body: [UInt8]?
        if route.method.hasBody {
            let bytes = try json.encode(BodyOf(endpoint: endpoint, collector: collector))
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
    ///   - body: the whole body. An empty one counts as an empty object; that of an endpoint
    ///     without fields is not looked at.
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
        if MemoryLayout<E>.size == 0 { return try decode(E.self, NoFields()) }
        let route = E.route
        if route.method.hasBody, !body.isEmpty {
            guard parameters.count > 0 else {
                return try json.decodeBody(from: body) { try E(from: $0) }
            }
            let fields = try RequestFields(
                names: route.parameterNames, parameters: parameters, query: Self.noQuery)
            return try json.decodeBody(from: body) { decoder in
                try E(from: MergedDecoder(fields: fields, base: decoder))
            }
        }
        let fields = try RequestFields(
            names: route.parameterNames, parameters: parameters,
            query: route.method.hasBody ? Self.noQuery : query)
        return try decode(E.self, FieldDecoder(fields: fields))
    }

    private func decode<E: Endpoint>(_: E.Type, _ decoder: some Decoder) throws(Problem) -> E {
        do {
            return try E(from: decoder)
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
