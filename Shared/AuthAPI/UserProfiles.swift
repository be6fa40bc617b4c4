// Users as others see them, for the services that show them.
public import Endpoints
public import Vocabulary

/// A user, as everybody sees one.
public struct UserProfile: Codable, Sendable, Hashable {
    /// The user.
    public var id: UserID
    /// 1 to 20 characters.
    public var nickname: String
    /// Address of the profile photo; `nil` when there is none.
    public var photo: String?

    /// A user.
    public init(id: UserID, nickname: String, photo: String?) {
        self.id = id
        self.nickname = nickname
        self.photo = photo
    }
}

/// Profiles, in order of their ids.
public struct UserProfiles: Codable, Sendable, Hashable {
    /// At most one for each id asked for.
    public var items: [UserProfile]

    /// Profiles.
    public init(items: [UserProfile]) {
        self.items = items
    }
}

/// Looks users up for a peer. Who does not exist is not in the answer.
public struct ListUserProfiles: Endpoint {
    /// `GET /internal/users`
    public static let route = Route.get("/internal/users")
    /// Another service.
    public static let access = Access.service
    /// The most ids of one request.
    public static let most = 200
    /// What the fields may hold.
    public static let rules: [FieldRule] = [.count("ids", 1...most)]
    /// The profiles of those that exist.
    public typealias Response = UserProfiles

    /// Whose, 1 to 200, each as a parameter of its own: `ids=1&ids=2`.
    public var ids: [UserID]

    /// Users to look up.
    public init(ids: [UserID]) {
        self.ids = ids
    }
}
