// SQL of accounts.
import AuthAPI
import Postgres
import Vocabulary

/// An account as the service needs it to let somebody in.
struct AccountRow: PostgresRow {
    let id: UserID
    let email: String?
    let nickname: String
    let role: String
    let passwordHash: String?

    init(_ columns: inout ColumnReader) throws {
        id = try columns.next(UserID.self)
        email = try columns.next(String?.self)
        nickname = try columns.next(String.self)
        role = try columns.next(String.self)
        passwordHash = try columns.next(String?.self)
    }

    var user: User { User(id: id, nickname: nickname, email: email, photo: nil) }
}

extension AuthService {
    static func insertAccount(
        _ email: EmailAddress, _ hash: String, _ nickname: String, _ now: Instant
    ) -> Query<UserID> {
        """
        insert into account (email, email_key, password_hash, nickname, created_at)
        values (\(email.text), \(email.key), \(hash), \(nickname), \(now))
        returning id
        """
    }

    static func accountByEmail(_ email: EmailAddress) -> Query<AccountRow> {
        """
        select id, email, nickname, role, password_hash from account
        where email_key = \(email.key)
        """
    }

    static func accountOfSession(_ session: Int64, _ account: Int64) -> Query<AccountRow> {
        """
        select account.id, account.email, account.nickname, account.role, account.password_hash
        from session join account on account.id = session.account_id
        where session.id = \(session) and account.id = \(account) and session.ended_at is null
        """
    }

    /// Only replaces the hash that was verified: a password changed meanwhile stays changed.
    static func replaceHash(_ id: UserID, from old: String, to new: String) -> Command {
        """
        update account set password_hash = \(new)
        where id = \(id) and password_hash = \(old)
        """
    }
}
