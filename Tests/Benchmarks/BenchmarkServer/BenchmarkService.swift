// The service that `make bench` measures and kosoku examines: handlers, a table of its own, an echo and a broadcast socket.
import Endpoints
import EventLoop
import HTTPServer
import JSON
import Postgres
import Security
import ServiceRuntime
import Vocabulary

struct BenchmarkService: Sendable {
    static let description = ServiceDescription(
        name: "benchmark", summary: "What the benchmarks measure.", version: "0.1.0", port: 8090,
        endpoints: BenchmarkAPI.endpoints,
        migrations: [
            Migration(
                "m0001_create_world",
                Array(
                    """
                    -- Rows to read, 10,000 of them.
                    create table world (
                        id bigint not null,
                        name text not null,
                        number bigint not null,
                        created_at timestamptz not null,
                        constraint world_primary primary key (id)
                    );
                    insert into world (id, name, number, created_at)
                    select id, 'row ' || id, id * 7919 % 100000, timestamptz '2026-01-01' + id * interval '1 minute'
                    from generate_series(1, 10000) id;
                    """.utf8))
        ])

    private let database: Database
    private let clock: WallClock
    private let key: SigningKey
    private let sockets: BenchmarkSockets
    private let loops: Int

    init(_ resources: ServiceResources) throws {
        database = resources.database
        clock = resources.clock
        key = try SigningKey.generate()
        sockets = BenchmarkSockets(resources.loops)
        loops = resources.loops.count
    }

    func parts() -> ServiceParts {
        let router = Router()
        router.on(Hello.self) { _, _ in Hello.Response(message: "hello") }
        router.on(HelloAuthenticated.self) { _, context in
            _ = try context.user
            return Hello.Response(message: "hello")
        }
        router.on(GetRow.self, getRow)
        router.on(ListRows.self, listRows)
        router.on(PostDocument.self) { request, _ in request }
        router.raw(.get("/v1/bench/token"), name: "Token", access: .public) { _ in
            HTTPResponse(200, contentType: "text/plain", body: Array(try token().utf8))
        }
        router.raw(.get("/v1/bench/echo"), name: "Echo", access: .public) { context in
            try sockets.echo(context)
        }
        router.raw(.get("/v1/bench/broadcast"), name: "Broadcast", access: .public) { context in
            try sockets.broadcast(context)
        }
        return ServiceParts(
            router: router.sealed(BenchmarkAPI.endpoints),
            authenticator: TokenAuthenticator(keys: OneKey(key), loops: loops, clock: clock),
            stopping: { await sockets.stop() })
    }

    private func token() throws -> String {
        let now = clock.now().secondsSince1970
        return try JWT.sign(
            TokenClaims(
                iss: TokenNames.issuer, sub: "1", aud: TokenNames.users, exp: now + 86_400,
                iat: now, sid: 1, role: "user"), with: key)
    }

    private func getRow(_ request: GetRow, _ context: Context) async throws -> Row {
        let row = try await database.row(
            "select id, name, number, created_at from world where id = \(request.row.rawValue)"
                as Query<Row>, deadline: context.deadline)
        guard let row else { throw Problem(.notFound) }
        return row
    }

    private func listRows(_ request: ListRows, _ context: Context) async throws -> Page<Row> {
        let rows = try await database.rows(
            """
            select id, name, number, created_at from world where id > \(request.after ?? 0)
            order by id limit \(Int64(request.limit))
            """ as Query<Row>, deadline: context.deadline)
        return Page(items: rows, next: rows.last.map { "\($0.id)" })
    }
}

extension Row: PostgresRow {
    init(_ columns: inout ColumnReader) throws {
        id = try columns.next(Int64.self)
        name = try columns.next(String.self)
        number = try columns.next(Int64.self)
        createdAt = try columns.next(Instant.self)
    }
}

private struct OneKey: KeySource {
    let published: VerificationKeys

    init(_ key: SigningKey) { published = VerificationKeys([key.publicKey]) }

    func keys(including unknown: String?) async throws(Problem) -> VerificationKeys { published }
}
