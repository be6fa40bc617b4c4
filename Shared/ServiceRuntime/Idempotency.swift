// `Idempotency-Key`: a POST sent again is answered as before instead of being done again.
import Endpoints
import HTTP
import HTTPServer
import Security

/// Remembers what was answered to a key. Kept for 24 hours.
package protocol IdempotencyStore: Sendable {
    /// Claims a key for a request about to be handled.
    /// - Parameters:
    ///   - key: caller, endpoint and key as one text.
    ///   - fingerprint: tells the request from others; another request under the same key is a conflict.
    func claim(
        _ key: IdempotencyKey, fingerprint: [UInt8], deadline: UInt64
    ) async throws -> IdempotencyClaim

    /// Keeps the answer for whoever repeats the request.
    func complete(
        _ key: IdempotencyKey, answer: StoredAnswer, deadline: UInt64
    ) async throws

    /// Gives the key back after a failure of ours, so that a repetition is tried afresh.
    func release(_ key: IdempotencyKey, deadline: UInt64) async throws
}

/// A key in the scope of its caller and endpoint.
package struct IdempotencyKey: Sendable, Hashable {
    package var scope: String
    package var endpoint: String
    package var key: String

    /// What is stored in place of the key.
    var hash: String { hexadecimal(sha256(Array("madang key".utf8) + [0] + Array(key.utf8))) }

    /// Seals the answer for whoever has the key.
    var box: SealedBox { SealedBox(secret: Array(key.utf8), purpose: "madang answer") }

    /// Tells requests apart. Made under the key: a plain hash would let a short password be guessed from it.
    func fingerprint(of request: HTTPRequest) -> [UInt8] {
        let secret = sha256(Array("madang fingerprint".utf8) + [0] + Array(key.utf8))
        return hmacSHA256(key: secret, Array(request.path) + [0] + request.body)
    }
}

/// An answer as it was sent.
package struct StoredAnswer: Sendable, Equatable {
    package var status: Int
    package var contentType: String
    package var body: [UInt8]

    package init(status: Int, contentType: String, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }
}

/// What a claim found.
package enum IdempotencyClaim: Sendable, Equatable {
    /// Nobody had the key: handle the request.
    case claimed
    /// The same request was answered.
    case answered(StoredAnswer)
    /// The same request is being handled now.
    case inProgress
    /// The key belongs to another request.
    case otherRequest
}

extension RequestPipeline {
    /// Characters a key may have: enough for any UUID or hash.
    private static let longestKey = 128

    static func replayed(
        _ store: any IdempotencyStore, _ field: UnsafeRawBufferPointer, _ entry: RouteEntry,
        _ match: RouteMatch, _ context: Context
    ) async throws -> HTTPResponse {
        guard (1...longestKey).contains(field.count), isFieldText(field.text) else {
            throw Problem(
                .badRequest, "Idempotency-Key has 1 to \(longestKey) printable characters.")
        }
        let key = IdempotencyKey(
            scope: context.caller.scope, endpoint: entry.name, key: field.text)
        let request = match.request
        let fingerprint = key.fingerprint(of: request)
        switch try await store.claim(key, fingerprint: fingerprint, deadline: context.deadline) {
        case .claimed: break
        case .answered(let answer):
            return HTTPResponse(
                answer.status, contentType: answer.body.isEmpty ? nil : "application/json",
                body: answer.body)
        case .inProgress:
            throw Problem(
                .requestInProgress, "A request with this Idempotency-Key is being handled.",
                retryAfter: 1)
        case .otherRequest: throw Problem(.idempotencyKeyReused)
        }
        let response: HTTPResponse
        do {
            response = try await entry.respond(match, context)
        } catch {
            // A refusal is not remembered: what was wrong may be put right and sent again under the same key.
            try? await store.release(key, deadline: context.deadline)
            throw error
        }
        if case .bytes(let body) = response.body {
            let answer = StoredAnswer(
                status: response.status, contentType: "application/json", body: body)
            do {
                try await store.complete(key, answer: answer, deadline: context.deadline)
            } catch {
                // It is done, so it is answered; giving the key back would let it be done twice.
                context.log.warning("an answer could not be kept: \(error)")
            }
        }
        return response
    }
}
