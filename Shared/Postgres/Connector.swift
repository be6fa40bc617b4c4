// Opens connections on short-lived threads. libpq can connect without blocking except for the name
// look-up and the password proof (SCRAM, some milliseconds of hashing), and both would hold up
// every request of a loop.
import CPostgres
import EventLoop
import Glibc
import Synchronization

/// A libpq connection that is handed from the thread that opened it to the loop that uses it.
struct OpenConnection: @unchecked Sendable {
    let raw: OpaquePointer
}

/// Runs a blocking call on a thread of its own.
func runBlocking(_ body: @escaping @Sendable () -> Void) {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body))
    let code = pthread_create(
        &thread, nil,
        { argument in
            if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
            return nil
        }, box.toOpaque())
    if code == 0 {
        pthread_detach(thread)
    } else {
        // Out of threads: late is better than never.
        box.takeRetainedValue().body()
    }
}

enum Connector {
    /// Connects without blocking the loop and calls `completion` on it.
    static func connect(
        _ configuration: DatabaseConfiguration, as role: ConnectionRole, on loop: EventLoop,
        completion: @escaping @Sendable (Result<OpenConnection, PostgresError>) -> Void
    ) {
        runBlocking {
            let result = Result { () throws(PostgresError) in
                try connect(configuration, as: role)
            }
            loop.execute { completion(result) }
        }
    }

    /// Connects and sets up the session, blocking.
    /// - Throws: `PostgresError.unavailable`.
    static func connect(_ configuration: DatabaseConfiguration, as role: ConnectionRole)
        throws(PostgresError) -> OpenConnection
    {
        let parameters = [
            ("dbname", configuration.url),
            ("connect_timeout", String(configuration.connectTimeout)),
            ("client_encoding", "UTF8"),
            ("fallback_application_name", configuration.applicationName),
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
        ]
        let copies = parameters.map { (strdup($0.0), strdup($0.1)) }
        defer {
            for (name, value) in copies {
                free(name)
                free(value)
            }
        }
        let names = copies.map { UnsafePointer<CChar>($0.0) } + [nil]
        let values = copies.map { UnsafePointer<CChar>($0.1) } + [nil]
        guard let raw = PQconnectdbParams(names, values, 1) else {
            throw .unavailable("out of memory")
        }
        // Notices go to standard error otherwise.
        PQsetNoticeProcessor(raw, { _, _ in }, nil)
        guard PQstatus(raw) == CONNECTION_OK else {
            let reason = message(of: raw)
            PQfinish(raw)
            throw .unavailable(reason)
        }
        guard setUp(raw, configuration, role) else {
            let reason = message(of: raw)
            PQfinish(raw)
            throw .unavailable(reason)
        }
        return OpenConnection(raw: raw)
    }

    private static func setUp(
        _ raw: OpaquePointer, _ configuration: DatabaseConfiguration, _ role: ConnectionRole
    ) -> Bool {
        var commands = "set timezone = 'UTC';"
        if role != .maintenance {
            let statement = configuration.statementTimeout / 1_000_000
            let idle = configuration.idleTransactionTimeout / 1_000_000
            commands += "set statement_timeout = \(statement);"
            commands += "set idle_in_transaction_session_timeout = \(idle);"
        }
        if role == .reads { commands += "set default_transaction_read_only = on;" }
        let result = PQexec(raw, commands)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { return false }
        if role == .maintenance { return true }
        guard PQsetnonblocking(raw, 1) == 0 else { return false }
        return role == .notifications || PQenterPipelineMode(raw) == 1
    }

    /// The first line of libpq's last error.
    static func message(of raw: OpaquePointer) -> String {
        guard let text = PQerrorMessage(raw) else { return "no reason given" }
        let lines = String(cString: text).split(separator: "\n")
        return lines.first.map(String.init) ?? "no reason given"
    }

    /// Cancel requests of the process under way; each has a thread.
    private static let cancels = Atomic(0)
    private static let maximumCancels = 16

    /// Asks the server to cancel what the connection runs. Returns at once; there is no answer, and
    /// with too many requests under way none is sent: the server's own time-out comes anyway.
    static func cancel(_ raw: OpaquePointer) {
        struct Request: @unchecked Sendable { let raw: OpaquePointer }
        guard cancels.load(ordering: .relaxed) < maximumCancels, let copy = PQgetCancel(raw)
        else { return }
        cancels.add(1, ordering: .relaxed)
        let request = Request(raw: copy)
        runBlocking {
            defer { cancels.subtract(1, ordering: .relaxed) }
            var reason = [CChar](repeating: 0, count: 256)
            PQcancel(request.raw, &reason, 256)
            PQfreeCancel(request.raw)
        }
    }
}
