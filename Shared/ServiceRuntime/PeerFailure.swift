// Why a peer gave no answer. A handler that can do without goes on; what it lets through becomes a problem of its own
// service: a peer's words never reach a caller.
package import Endpoints

/// Why a call to a peer has no result.
package enum PeerFailure: Error, Sendable {
    /// The peer refused: its problem, to branch on and not to pass on.
    case refused(Problem)
    /// It can't be reached, can't work now, or is held to be down; seconds after which to try again.
    case unavailable(String, retryAfter: Int)
    /// No answer before the deadline; it may have acted.
    case timedOut(String)
    /// The caller gave up.
    case cancelled
    /// The request can't be expressed, or the answer is none of the endpoint's: a fault on one of the sides.
    case invalid(String)

    /// The code of the peer's problem; `nil` when it answered none.
    package var code: Problem.Code? {
        if case .refused(let problem) = self { problem.code } else { nil }
    }
}

extension Problem {
    /// What a caller is told when a handler needs the peer.
    init(translating failure: PeerFailure) {
        let detail = "Another part of the service is not available; try again."
        switch failure {
        case .refused(let problem): self.init(.internal, log: "a peer answered \(problem)")
        case .unavailable(let reason, let seconds):
            self.init(.unavailable, detail, retryAfter: seconds, log: reason)
        case .timedOut(let reason): self.init(.unavailable, detail, retryAfter: 1, log: reason)
        case .cancelled: self.init(.unavailable, log: "the request was cancelled")
        case .invalid(let reason): self.init(.internal, log: reason)
        }
    }
}
