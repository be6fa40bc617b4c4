// JSON bodies, and what a fault in one means to the caller who sent it.

import JSON

extension JSONCoder {
    /// Decodes a body that a caller sent.
    ///
    /// - Throws: `malformed_json`, `payload_too_large`, `missing_field` or `invalid_field`; a
    ///   problem that the type itself throws as it is.
    func decodeBody<T>(
        from bytes: UnsafeRawBufferPointer, _ decode: (any Decoder) throws -> T
    ) throws(Problem) -> T {
        do {
            return try withDecoder(from: bytes, decode)
        } catch let problem as Problem {
            throw problem
        } catch let failure as JSONFailure {
            throw Problem(failure)
        } catch {
            throw Problem(.invalidField, "The body has an invalid value", log: "\(error)")
        }
    }
}

extension Problem {
    /// The problem of a caller whose JSON has a fault.
    init(_ failure: JSONFailure) {
        let field = failure.path.isEmpty ? nil : failure.path
        switch failure.kind {
        case .syntax, .depth, .duplicateKey:
            self.init(.malformedJSON, failure.message, field: field)
        case .size:
            self.init(.payloadTooLarge, failure.message)
        case .missingKey:
            self.init(.missingField, failure.message, field: field)
        case .typeMismatch, .numberOutOfRange, .badValue:
            self.init(.invalidField, failure.message, field: field)
        }
    }
}
