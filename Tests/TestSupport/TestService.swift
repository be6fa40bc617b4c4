// A service in this process, on a database of its own and free loopback ports, reached by the typed
// client. Tokens are plain: "user 7" is the access token of user 7.

package import Endpoints
import EventLoop
import Glibc
import HTTPClient
import Postgres
package import ServiceRuntime
import Synchronization
package import Testing
package import Vocabulary

/// A running service, one or several replicas over the same database.
package struct TestService: Sendable {
    package let database: TestDatabase
    /// The port of each replica.
    package let ports: [Int]
    private let http: PooledHTTPClient
    private let replicas: [RunningService]
    /// Seconds a test waits for an answer: longer than the service's own limit, so that a busy
    /// machine shows as the service's problem and not as the client's.
    private static let patience = 30.0

    /// Starts replicas of a service, runs `body`, and stops and drops everything. Records an issue
    /// when the service answered a problem that its endpoint does not declare.
    ///
    /// - Parameters:
    ///   - replicas: servers, each with loops and connections of its own.
    ///   - peers: what the service calls; those of `Peers.fake()` unless given.
    ///   - make: as for `ServiceMain.run`.
    package static func with<Value>(
        _ description: ServiceDescription, replicas: Int = 1, loops: Int = 1,
        clock: WallClock = .system, environment: [String: String] = [:],
        peers: Peers = .fake(),
        make: @escaping (ServiceResources, inout Environment) throws -> ServiceParts,
        _ body: (TestService) async throws -> Value
    ) async throws -> Value {
        try await TestDatabase.with(runtimeMigrations + description.migrations) { database in
            var running: [(service: RunningService, loops: [EventLoop])] = []
            var ports: [Int] = []
            for _ in 0..<replicas {
                let loops = try (0..<loops).map { try EventLoop(index: $0) }
                var values = environment
                values["DATABASE_URL"] = database.url
                values["PORT"] = "0"
                values["REQUESTS_PER_MINUTE"] = "0"
                var variables = Environment(values)
                let configuration = ServiceConfiguration(&variables, port: description.port)
                let service = try RunningService.prepare(
                    description, configuration, &variables, loops, .silent, clock: clock,
                    peers: peers
                ) { resources, variables in
                    var parts = try make(resources, &variables)
                    parts.authenticator = parts.authenticator ?? PlainTokens()
                    return parts
                }
                for loop in loops { loop.start() }
                ports.append(try service.listen())
                await service.becomeReady()
                running.append((service, loops))
            }
            let clientLoop = try EventLoop(index: 0)
            clientLoop.start()
            let http = PooledHTTPClient(loop: clientLoop)
            let result: Result<Value, any Error>
            do {
                let test = TestService(
                    database: database, ports: ports, http: http,
                    replicas: running.map(\.service))
                result = .success(try await body(test))
            } catch {
                result = .failure(error)
            }
            clientLoop.execute { http.shutDown() }
            for replica in running {
                await replica.service.stop()
                for loop in replica.loops { loop.stop() }
                let undeclared = replica.service.pipeline.undeclared.withLock { $0 }
                #expect(undeclared.isEmpty, "problems that their endpoints do not declare")
            }
            clientLoop.stop()
            return try result.get()
        }
    }

    /// A client that sends a user's token, or none.
    package func client(_ user: UserID?, replica: Int = 0) -> EndpointClient {
        client(token: user.map { "user \($0)" }, replica: replica)
    }

    /// A client of user `user`.
    package func client(_ user: Int64, replica: Int = 0) -> EndpointClient {
        client(token: "user \(user)", replica: replica)
    }

    /// A client that sends any token, or none.
    package func client(token: String?, replica: Int = 0) -> EndpointClient {
        EndpointClient(
            transport: transport(replica: replica), deadlineSeconds: Self.patience,
            token: { token })
    }

    /// Carries requests to one replica.
    package func transport(replica: Int = 0) -> some EndpointTransport {
        HTTPTransport(http, origin: "http://127.0.0.1:\(ports[replica])")
    }

    /// Stops one replica, as a signal would.
    package func stop(replica: Int) async { await replicas[replica].stop() }

    /// Sends a request as it is, for what no typed client would send.
    package func raw(
        _ method: Route.Method, _ target: String, user: Int64? = nil, body: String? = nil,
        headers: [TransportHeader] = []
    ) async throws -> TransportResponse {
        var request = TransportRequest(
            method: method, target: target, headers: headers, deadlineSeconds: Self.patience)
        if let user {
            request.headers.append(TransportHeader("Authorization", "Bearer user \(user)"))
        }
        if let body {
            request.body = Array(body.utf8)
            request.headers.append(TransportHeader("Content-Type", "application/json"))
        }
        return try await transport().perform(request)
    }
}

/// Takes "user 7" for the token of user 7, and "service parties" for that of a service.
private struct PlainTokens: Authenticator {
    func known(_ token: UnsafeRawBufferPointer) -> Caller? {
        let words = String(decoding: token, as: UTF8.self).split(separator: " ")
        guard words.count == 2 else { return nil }
        if words[0] == "service" { return .service(String(words[1])) }
        guard words[0] == "user" || words[0] == "admin", let id = Int64(words[1]) else {
            return nil
        }
        return .user(UserCaller(id: id, session: id, isAdmin: words[0] == "admin"))
    }

    func verify(_ token: [UInt8]) async throws(Problem) -> Caller {
        throw Problem(.accessTokenInvalid)
    }
}

extension TestDatabase {
    /// Runs statements outside of any service, one after the other.
    package func execute(_ statements: String...) async throws {
        try await MaintenanceConnection.run(configuration) { connection in
            for statement in statements { try connection.execute(statement) }
        }
    }

    /// The first column of the first row, as text.
    package func value(_ statement: String) async throws -> String? {
        try await MaintenanceConnection.run(configuration) { connection in
            try connection.rows(statement).first?.first
        }
    }
}

/// The problem that `body` throws; `nil` and a recorded issue when it throws none.
package func problem<Value>(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> Problem? {
    do {
        let value = try await body()
        Issue.record("expected a problem, got \(value)", sourceLocation: sourceLocation)
    } catch let problem as Problem {
        return problem
    } catch {
        Issue.record("expected a problem, got \(error)", sourceLocation: sourceLocation)
    }
    return nil
}
