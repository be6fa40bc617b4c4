// Turns whatever a handler threw into the one error that crosses the wire.
import Endpoints
import JSON
import Postgres

extension Problem {
    /// A `Problem` stays; a database that is away or a peer that is away is `unavailable`; everything else is logged whole and answered
    /// `internal`.
    init(translating error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as PostgresError: self.init(translating: error)
        case let failure as PeerFailure: self.init(translating: failure)
        case is CancellationError:
            self.init(.unavailable, log: "the request was cancelled")
        default: self.init(.internal, log: "\(error)")
        }
    }

    private init(translating error: PostgresError) {
        switch error {
        case .unavailable, .connectionLost, .poolExhausted:
            self.init(
                .unavailable, "The database is not available; try again.", retryAfter: 1,
                log: "\(error)")
        case .timedOut: self.init(.timedOut, log: "\(error)")
        default: self.init(.internal, log: "\(error)")
        }
    }

    /// Codes any endpoint may answer without declaring them.
    static func isAlwaysPossible(_ code: Code) -> Bool { always.contains(code.rawValue) }

    private static let always: Set<String> = Set(
        [
            Code.badRequest, .malformedJSON, .missingField, .invalidField, .payloadTooLarge,
            .unsupportedMediaType, .accessTokenMissing, .accessTokenExpired, .accessTokenInvalid,
            .forbidden, .rateLimited, .internal, .unavailable, .timedOut, .idempotencyKeyReused,
            .notFound, .requestInProgress, .upgradeRequired,
        ].map(\.rawValue))
}
