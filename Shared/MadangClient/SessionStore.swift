// Where an app keeps its session across launches.

public import AuthAPI

/// Keeps the session across launches. An app stores it in its keychain.
public protocol SessionStore: Sendable {
    /// The session last saved; `nil` when logged out.
    func load() async throws -> AuthSession?
    /// Replaces the session; `nil` forgets it.
    func save(_ session: AuthSession?) async throws
}

/// Keeps the session in memory, for tests and tools.
public actor MemorySessionStore: SessionStore {
    private var session: AuthSession?

    /// A store that begins with this session.
    public init(_ session: AuthSession? = nil) {
        self.session = session
    }

    /// The session last saved.
    public func load() -> AuthSession? { session }
    /// Replaces the session.
    public func save(_ session: AuthSession?) { self.session = session }
}
