// The session every request of an app shares. A refresh token works once, so requests that find the
// access token expired at the same time must wait for one refresh instead of each trying its own.

import AuthAPI
public import Endpoints

extension Problem.Code {
    /// 401, made by the client: there is no session, or it has ended and the user must log in.
    public static let loggedOut = Self("logged_out", status: 401, title: "Not logged in")
}

/// Holds the session and refreshes it once for all who wait.
actor SessionKeeper {
    typealias Refresh = @Sendable (AuthSession) async throws -> AuthSession

    private enum State {
        case unread
        case known(AuthSession?)
    }

    private let store: any SessionStore
    private let refresh: Refresh
    private var state = State.unread
    private var refreshing: Task<AuthSession, any Error>?

    init(store: any SessionStore, refresh: @escaping Refresh) {
        self.store = store
        self.refresh = refresh
    }

    /// The session; `nil` when logged out. Read from the store the first time.
    func current() async throws -> AuthSession? {
        if case .known(let session) = state { return session }
        let stored = try await store.load()
        // Somebody may have logged in while the store was read; that session is newer.
        if case .known(let session) = state { return session }
        state = .known(stored)
        return stored
    }

    /// Begins another session, or none.
    func replace(with session: AuthSession?) async throws {
        state = .known(session)
        refreshing = nil
        try await store.save(session)
    }

    /// Ends a session that the server says is over, unless another has begun.
    func forget(_ session: AuthSession) async throws {
        if try await current() == session { try await replace(with: nil) }
    }

    /// A session newer than the one with the access token `stale`.
    ///
    /// - Throws: `logged_out` when there is none or auth refuses the refresh token; what the
    ///   refresh threw when it could not be tried, in which case the session is kept.
    func session(after stale: String) async throws -> AuthSession {
        guard let session = try await current() else { throw Problem(.loggedOut) }
        guard session.accessToken == stale else { return session }
        if let refreshing { return try await refreshing.value }
        // A task of its own: a waiter that is cancelled must not end the refresh of the others.
        let task = Task { try await self.renew(session) }
        refreshing = task
        return try await task.value
    }

    private func renew(_ session: AuthSession) async throws -> AuthSession {
        let result: Result<AuthSession, any Error>
        do {
            result = .success(try await refresh(session))
        } catch {
            result = .failure(error)
        }
        // A login or logout in the meantime decides; the refreshed tokens are of the old session.
        guard try await current() == session else {
            guard let other = try await current() else { throw Problem(.loggedOut) }
            return other
        }
        refreshing = nil
        switch result {
        case .success(let renewed):
            try await replace(with: renewed)
            return renewed
        case .failure(let problem as Problem) where problem.status == 401:
            try await replace(with: nil)
            throw Problem(.loggedOut, log: problem.description)
        case .failure(let error): throw error
        }
    }
}
