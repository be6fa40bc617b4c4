// SQL of sessions and refresh tokens.
import Postgres
import Security
import Vocabulary

/// A refresh token with its session and account.
struct TokenRow: PostgresRow {
    let session: Int64
    let generation: Int64
    let usedAt: Instant?
    let newest: Int64
    let endedAt: Instant?
    let expiresAt: Instant
    let chainKey: [UInt8]
    let account: AccountRow

    init(_ columns: inout ColumnReader) throws {
        session = try columns.next(Int64.self)
        generation = try columns.next(Int64.self)
        usedAt = try columns.next(Instant?.self)
        newest = try columns.next(Int64.self)
        endedAt = try columns.next(Instant?.self)
        expiresAt = try columns.next(Instant.self)
        chainKey = try columns.next([UInt8].self)
        account = try AccountRow(&columns)
    }
}

extension AuthService {
    static func insertSession(
        _ account: UserID, _ chainKey: [UInt8], _ now: Instant, _ expires: Instant
    ) -> Query<Int64> {
        """
        insert into session (account_id, created_at, last_used_at, expires_at, chain_key)
        values (\(account), \(now), \(now), \(expires), \(chainKey))
        returning id
        """
    }

    static func insertToken(_ token: String, _ session: Int64, _ generation: Int64) -> Command {
        """
        insert into refresh_token (token_hash, session_id, generation)
        values (\(sha256(token.utf8)), \(session), \(generation))
        """
    }

    /// Locks the session of a token, so that of several uses of one token the first advances and the others see it. A
    /// statement of its own: what a statement reads beside a lock that it waited for is older than the lock.
    static func lockSession(ofToken hash: [UInt8]) -> Query<Int64> {
        """
        select id from session
        where id = (select session_id from refresh_token where token_hash = \(hash))
        for update
        """
    }

    static func token(_ hash: [UInt8]) -> Query<TokenRow> {
        """
        select session.id, refresh_token.generation, refresh_token.used_at,
            (select max(generation) from refresh_token newest where newest.session_id = session.id),
            session.ended_at, session.expires_at, session.chain_key,
            account.id, account.email, account.nickname, account.role, account.password_hash
        from refresh_token
        join session on session.id = refresh_token.session_id
        join account on account.id = session.account_id
        where refresh_token.token_hash = \(hash)
        """
    }

    static func advance(
        _ session: Int64, _ hash: [UInt8], _ successor: String, _ generation: Int64,
        _ now: Instant, _ expires: Instant
    ) -> Command {
        """
        with used as (
            update refresh_token set used_at = \(now) where token_hash = \(hash)
        ), renewed as (
            update session set last_used_at = \(now), expires_at = \(expires)
            where id = \(session)
        )
        insert into refresh_token (token_hash, session_id, generation)
        values (\(sha256(successor.utf8)), \(session), \(generation))
        """
    }

    static func endSession(_ session: Int64, _ reason: String, _ now: Instant) -> Command {
        """
        update session set ended_at = \(now), end_reason = \(reason)
        where id = \(session) and ended_at is null
        """
    }
}
