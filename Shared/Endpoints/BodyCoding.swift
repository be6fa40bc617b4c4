// The body coder of requests and answers, in one place.

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Encodes and decodes JSON bodies.
enum BodyCoding {
    static func encode<T: Encodable>(_ value: T) throws -> [UInt8] {
        [UInt8](try JSONEncoder().encode(value))
    }

    static func decode<T: Decodable>(
        _: T.Type, from bytes: UnsafeRawBufferPointer
    ) throws(Problem) -> T {
        do {
            return try JSONDecoder().decode(T.self, from: Data(bytes))
        } catch let problem as Problem {
            throw problem
        } catch let error as DecodingError {
            throw Self.problem(error)
        } catch {
            throw Problem(.malformedJSON, log: "\(error)")
        }
    }

    private static func problem(_ error: DecodingError) -> Problem {
        switch error {
        case .keyNotFound(let key, let context):
            let name = path(context.codingPath + [key])
            return Problem(.missingField, "\(name) is required", field: name)
        case .valueNotFound(_, let context), .typeMismatch(_, let context):
            return invalid(context)
        case .dataCorrupted(let context):
            guard !context.codingPath.isEmpty else { return Problem(.malformedJSON) }
            return invalid(context)
        @unknown default:
            return Problem(.invalidField, log: "\(error)")
        }
    }

    private static func invalid(_ context: DecodingError.Context) -> Problem {
        let name = path(context.codingPath)
        guard !name.isEmpty else { return Problem(.invalidField, "The body must be an object") }
        return Problem(
            .invalidField, "\(name) has an invalid value", field: name,
            log: context.debugDescription)
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        var path = ""
        for key in keys {
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return path
    }
}
