// The table behind `Idempotency-Key`. A claim is one statement, so two replicas can't both handle a request.
//
// An answer may hold tokens and a request a password. So the database has neither the key that a client sent nor anything
// that can be read without it: the key is stored as its hash, the answer sealed and the request's fingerprint made under it.
import Endpoints
package import Postgres
import Security
import Vocabulary

/// Keeps keys and answers in the service's own database.
struct DatabaseIdempotency: IdempotencyStore {
    let database: Database

    /// A claim older than this belongs to a process that died; another request may take it over.
    private static let abandonedAfterSeconds = 60

    private struct Held: PostgresRow {
        let fingerprint: [UInt8]
        let status: Int32?
        let contentType: String?
        let body: [UInt8]?

        init(_ columns: inout ColumnReader) throws {
            fingerprint = try columns.next([UInt8].self)
            status = try columns.next(Int32?.self)
            contentType = try columns.next(String?.self)
            body = try columns.next([UInt8]?.self)
        }
    }

    func claim(
        _ key: IdempotencyKey, fingerprint: [UInt8], deadline: UInt64
    ) async throws -> IdempotencyClaim {
        let claimed = try await database.run(
            """
            insert into idempotency_key as held (scope, endpoint, key, fingerprint)
            values (\(key.scope), \(key.endpoint), \(key.hash), \(fingerprint))
            on conflict (scope, endpoint, key) do update
            set fingerprint = excluded.fingerprint, claimed_at = now(), status = null,
                content_type = null, body = null
            where held.claimed_at < now() - interval '24 hours'
                or (held.status is null
                    and held.claimed_at
                        < now() - make_interval(secs => \(Double(Self.abandonedAfterSeconds))))
            """ as Command, deadline: deadline)
        if claimed == 1 { return .claimed }
        let held = try await database.row(
            """
            select fingerprint, status, content_type, body from idempotency_key
            where scope = \(key.scope) and endpoint = \(key.endpoint) and key = \(key.hash)
            """ as Query<Held>, deadline: deadline)
        guard let held else { return .inProgress }
        if held.fingerprint != fingerprint { return .otherRequest }
        guard let status = held.status else { return .inProgress }
        guard let body = held.body.flatMap({ key.box.open($0) }) else {
            throw Problem(.internal, log: "a stored answer can't be opened")
        }
        return .answered(
            StoredAnswer(
                status: Int(status), contentType: held.contentType ?? "", body: body))
    }

    func complete(
        _ key: IdempotencyKey, answer: StoredAnswer, deadline: UInt64
    ) async throws {
        guard let body = key.box.seal(answer.body) else {
            throw Problem(.internal, log: "an answer can't be sealed")
        }
        // Each answer kept takes some out that are past their day, so that the table needs no job to stay small.
        _ = try await database.run(
            """
            with expired as (
                delete from idempotency_key where (scope, endpoint, key) in (
                    select scope, endpoint, key from idempotency_key
                    where claimed_at < now() - interval '24 hours'
                    order by claimed_at limit 10 for update skip locked)
            )
            update idempotency_key
            set status = \(Int32(answer.status)), content_type = \(answer.contentType),
                body = \(body)
            where scope = \(key.scope) and endpoint = \(key.endpoint) and key = \(key.hash)
            """ as Command, deadline: deadline)
    }

    func release(_ key: IdempotencyKey, deadline: UInt64) async throws {
        _ = try await database.run(
            """
            delete from idempotency_key
            where scope = \(key.scope) and endpoint = \(key.endpoint) and key = \(key.hash)
                and status is null
            """ as Command, deadline: deadline)
    }
}

/// Tables of the runtime itself, made before those of the service.
package let runtimeMigrations = [
    Migration(
        "m0000_create_idempotency_key",
        Array(
            """
            -- Answers to POST requests that carried an Idempotency-Key, kept for 24 hours.
            create table idempotency_key (
                scope text not null,
                endpoint text not null,
                key text not null,
                fingerprint bytea not null,
                claimed_at timestamptz not null default now(),
                status integer,
                content_type text,
                body bytea,
                constraint idempotency_key_primary primary key (scope, endpoint, key)
            );
            create index idempotency_key_claimed_at on idempotency_key (claimed_at);
            """.utf8))
]
