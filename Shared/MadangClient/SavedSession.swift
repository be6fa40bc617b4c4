// What an app must remember of being logged in, and where.

/// A logged-in session: the tokens auth gave for a login.
public struct SavedSession: Codable, Sendable, Hashable {
    /// Sent with each request; short-lived.
    public var accessToken: String
    /// Exchanged for new tokens when the access token has expired. Each works once.
    public var refreshToken: String

    /// A session of these tokens.
    public init(accessToken: String, refreshToken: String) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
    }
}

/// Keeps the session across launches. An app stores it in its keychain.
public protocol SessionStore: Sendable {
    /// The session last saved; `nil` when logged out.
    func load() async throws -> SavedSession?
    /// Replaces the session; `nil` forgets it.
    func save(_ session: SavedSession?) async throws
}

/// Keeps the session in memory, for tests and tools.
public actor MemorySessionStore: SessionStore {
    private var session: SavedSession?

    /// A store that begins with this session.
    public init(_ session: SavedSession? = nil) {
        self.session = session
    }

    /// The session last saved.
    public func load() -> SavedSession? { session }
    /// Replaces the session.
    public func save(_ session: SavedSession?) { self.session = session }
}
