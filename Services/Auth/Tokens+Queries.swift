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

    /// Makes the successor the newest token of its session. Of several at once the first does it and the others change
    /// nothing: the constraint on generations decides.
    static func advance(
        _ session: Int64, _ hash: [UInt8], _ successor: String, _ generation: Int64,
        _ now: Instant, _ expires: Instant
    ) -> Command {
        """
        with made as (
            insert into refresh_token (token_hash, session_id, generation)
            values (\(sha256(successor.utf8)), \(session), \(generation))
            on conflict do nothing
            returning session_id
        ), used as (
            update refresh_token set used_at = \(now)
            where token_hash = \(hash) and exists (select from made)
        )
        update session set last_used_at = \(now), expires_at = \(expires)
        from made where session.id = made.session_id
        """
    }

    static func endSession(_ session: Int64, _ reason: String, _ now: Instant) -> Command {
        """
        update session set ended_at = \(now), end_reason = \(reason)
        where id = \(session) and ended_at is null
        """
    }
}
