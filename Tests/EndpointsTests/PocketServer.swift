// Takes an encoded request apart as a router would: finds the path's segments and hands the raw
// bytes on.

import Endpoints

/// Decodes what `target` and `body` stand for, as a server does.
func decode<E: Endpoint>(
    _: E.Type, target: String, body: String = ""
) throws(Problem) -> E {
    try decode(E.self, target: target, bytes: Array(body.utf8))
}

func decode<E: Endpoint>(
    _: E.Type, target: String, bytes body: [UInt8]
) throws(Problem) -> E {
    let target = Array(target.utf8)
    let result = target.withUnsafeBytes { target in
        body.withUnsafeBytes { body in
            Result { () throws(Problem) in
                let end = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
                let query = UnsafeRawBufferPointer(rebasing: target[min(end + 1, target.count)...])
                let path = UnsafeRawBufferPointer(rebasing: target[..<end])
                let parameters = try match(E.route, path)
                return try RequestCoding().decode(
                    E.self, parameters: parameters, query: query, body: body)
            }
        }
    }
    return try result.get()
}

private func match(
    _ route: Route, _ path: UnsafeRawBufferPointer
) throws(Problem) -> PathParameters {
    var parameters = PathParameters(path: path)
    let parts = path.dropFirst().split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == route.segments.count else { throw Problem(.notFound) }
    for (segment, part) in zip(route.segments, parts) {
        switch segment {
        case .literal(let text):
            guard part.elementsEqual(text.utf8) else { throw Problem(.notFound) }
        case .parameter:
            parameters.append(part.startIndex..<part.endIndex)
        }
    }
    return parameters
}

/// Encodes as a client and decodes as a server.
func roundTrip<E: Endpoint>(_ endpoint: E) throws -> E {
    let encoded = try RequestCoding().encode(endpoint)
    return try decode(E.self, target: encoded.target, bytes: encoded.body ?? [])
}
