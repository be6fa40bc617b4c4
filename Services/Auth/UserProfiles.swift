// Users as peers look them up.
import AuthAPI
import Endpoints
import Postgres
import ServiceRuntime
import Vocabulary

extension AuthService {
    func listUserProfiles(
        _ request: ListUserProfiles, _ context: Context
    ) async throws -> UserProfiles {
        let rows = try await database.rows(
            Self.profiles(of: request.ids), deadline: context.deadline)
        return UserProfiles(items: rows.map(\.profile))
    }

    private static func profiles(of ids: [UserID]) -> Query<ProfileRow> {
        """
        select id, nickname from account
        where id = any(\(ids)) order by id limit \(ListUserProfiles.most)
        """
    }
}

private struct ProfileRow: PostgresRow {
    let profile: UserProfile

    init(_ columns: inout ColumnReader) throws {
        profile = UserProfile(id: try columns.next(), nickname: try columns.next(), photo: nil)
    }
}
