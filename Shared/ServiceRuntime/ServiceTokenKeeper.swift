// A service's own token: fetched from auth when first needed, renewed before it ends, one request at a time.
import AuthAPI
import Endpoints
import EventLoop
import Synchronization

/// Gives the token that a service shows its peers.
package protocol ServiceTokenSource: Sendable {
    /// A token that is good for a while.
    /// - Parameter refused: one that a peer has refused and that must not be given again.
    /// - Throws: `PeerFailure` when none can be had before the deadline.
    func token(instead refused: String?, deadline: UInt64) async throws(PeerFailure) -> String
}

/// Keeps the token that auth gives for the service's secret.
package final class ServiceTokenKeeper: ServiceTokenSource {
    private let request: IssueServiceToken
    private let auth: PeerClient
    private let state = Mutex(State())

    /// Nanoseconds a token is used: it lives 600 s, and what is under way when it is dropped must still arrive.
    private static let lifetime: UInt64 = 480_000_000_000

    private struct State {
        var token: String?
        var fetchedAt: UInt64 = 0
        var fetching: Task<String, any Error>?
    }

    /// - Parameter auth: a client without a token source.
    package init(service: String, secret: String, auth: PeerClient) {
        request = IssueServiceToken(service: service, secret: secret)
        self.auth = auth
    }

    package func token(
        instead refused: String?, deadline: UInt64
    ) async throws(PeerFailure) -> String {
        let now = EventLoop.now
        let (known, task) = state.withLock { state -> (String?, Task<String, any Error>?) in
            if let token = state.token, token != refused, now &- state.fetchedAt < Self.lifetime {
                return (token, nil)
            }
            if let task = state.fetching { return (nil, task) }
            // Not the caller's child: others wait for it too, and it outlives a caller that gives up.
            let task = Task { [self] in try await fetch() }
            state.fetching = task
            return (nil, task)
        }
        if let known { return known }
        guard let task else { throw .cancelled }
        do {
            return try await task.value
        } catch let failure as PeerFailure {
            throw failure
        } catch {
            throw .cancelled
        }
    }

    private func fetch() async throws -> String {
        defer { state.withLock { $0.fetching = nil } }
        let issued = try await auth.send(request, deadline: EventLoop.now &+ 2_000_000_000)
        state.withLock { state in
            state.token = issued.accessToken
            state.fetchedAt = EventLoop.now
        }
        return issued.accessToken
    }
}
