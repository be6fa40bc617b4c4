// The process: configuration, loops, database, server, signals. A service that can't reach its database starts all the
// same, says "not ready", and becomes ready when the database is there.
import CLinux
import Endpoints
package import EventLoop
import Glibc
import HTTPClient
import HTTPServer
import JSON
import Postgres
package import Security
import Synchronization
package import Vocabulary

/// Runs a service as the main program.
package enum ServiceMain {
    /// Runs until SIGTERM or SIGINT, then stops gracefully and exits with 0. Exits with 78 (EX_CONFIG) after naming what is
    /// wrong with the configuration, with 1 when the port can't be had.
    package static func run(
        _ description: ServiceDescription,
        _ make: @escaping @Sendable (ServiceResources, inout Environment) throws -> ServiceParts
    ) -> Never {
        var environment = Environment.process
        if CommandLine.arguments.dropFirst() == ["--health"] {
            exit(HealthCheck.run(&environment, port: description.port))
        }
        let configuration = ServiceConfiguration(&environment, port: description.port)
        let log = Log(
            service: description.name, level: configuration.logLevel,
            format: configuration.logFormat)
        // Before any thread starts, so that every thread leaves the signals to the descriptor.
        let signals = linux_termination_descriptor()
        do {
            let loops = try (0..<configuration.loops).map { try EventLoop(index: $0) }
            let running = try RunningService.prepare(
                description, configuration, &environment, loops, log,
                clock: configuration.clock, make)
            if configuration.clockOffsetSeconds != 0 {
                log.warning(
                    "CLOCK_OFFSET_SECONDS is \(configuration.clockOffsetSeconds): the time is not "
                        + "this machine's; that is for tests only")
            }
            for loop in loops.dropFirst() { loop.start() }
            loops[0].execute {
                running.stop(on: signals)
                loops[0].spawn { await running.start() }
            }
            loops[0].run()
        } catch let error as ConfigurationError {
            for fault in error.faults { log.error("configuration: \(fault)") }
            exit(78)
        } catch {
            log.error("can't start: \(error)")
            exit(1)
        }
        exit(0)
    }
}

/// A service of this process, from its parts to its end.
package final class RunningService: Sendable {
    private let description: ServiceDescription
    private let parts: ServiceParts
    private let database: Database
    private let loops: [EventLoop]
    private let log: Log
    private let server: HTTPServer
    private let readiness: ServiceReadiness
    private let drainSeconds: Int
    /// The pipeline that answers requests; tests look at what it counted.
    package let pipeline: RequestPipeline
    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// Builds everything and starts nothing.
    /// - Parameter peers: tests pass their own.
    /// - Throws: `ConfigurationError`, or what `make` throws.
    package static func prepare(
        _ description: ServiceDescription, _ configuration: ServiceConfiguration,
        _ environment: inout Environment, _ loops: [EventLoop], _ log: Log,
        clock: WallClock = .system, random: RandomSource = .system, peers: Peers? = nil,
        _ make: (ServiceResources, inout Environment) throws -> ServiceParts
    ) throws -> RunningService {
        var databaseConfiguration: DatabaseConfiguration?
        if !configuration.databaseURL.isEmpty {
            do {
                databaseConfiguration = try DatabaseConfiguration(url: configuration.databaseURL)
            } catch {
                environment.reject("DATABASE_URL", "can't be used: \(error)")
            }
        }
        guard var databaseConfiguration else {
            try environment.validate()
            throw ConfigurationError(faults: ["DATABASE_URL is not set"])
        }
        databaseConfiguration.applicationName = "madang \(description.name)"
        databaseConfiguration.maximumConnections = configuration.databasePool
        let database = Database(databaseConfiguration, loops: loops)
        let client = try LoopHTTPClient(loops: loops)
        let resources = ServiceResources(
            database: database, loops: loops, clock: clock, random: random, log: log,
            peers: peers ?? Peers(of: description, &environment, client))
        var parts = try make(resources, &environment)
        try environment.validate()
        if parts.authenticator == nil {
            let auth = HTTPTransport(client, origin: configuration.authURL)
            let keys = PublishedKeys(auth: auth, log: log)
            parts.authenticator = TokenAuthenticator(keys: keys, loops: loops.count, clock: clock)
        }
        return try RunningService(
            description, parts, configuration, database, loops, log, random)
    }

    private init(
        _ description: ServiceDescription, _ parts: ServiceParts,
        _ configuration: ServiceConfiguration, _ database: Database, _ loops: [EventLoop],
        _ log: Log, _ random: RandomSource
    ) throws {
        self.description = description
        self.parts = parts
        self.database = database
        self.loops = loops
        self.log = log
        readiness = ServiceReadiness()
        drainSeconds = configuration.drainSeconds
        var pipelineConfiguration = PipelineConfiguration()
        pipelineConfiguration.trustedProxies = configuration.trustedProxies
        if configuration.requestsPerMinute > 0 {
            pipelineConfiguration.rateLimit = RateLimit(
                "requests", requests: configuration.requestsPerMinute, seconds: 60, per: .user)
        }
        let operations = try Operations(
            description, database, loops, readiness, parts.metrics, log)
        operations.add(to: parts.router)
        pipeline = RequestPipeline(
            router: parts.router, configuration: pipelineConfiguration,
            authenticator: parts.authenticator,
            idempotency: DatabaseIdempotency(database: database),
            log: log, loops: loops.count, seed: random.word())
        var limits = ServerLimits()
        limits.drainDeadline = min(
            limits.drainDeadline, UInt64(Self.stopSeconds - drainSeconds) * 1_000_000_000)
        server = HTTPServer(
            host: configuration.host, port: configuration.port, limits: limits, loops: loops,
            handler: pipeline)
        operations.attach(pipeline, server)
    }

    /// Listens, migrates, and starts the background work. Exits the process when the port can't be had.
    func start() async {
        do {
            let port = try server.start()
            log.notice(
                "listening",
                [("port", .number(JSONNumber(port))), ("loops", .number(JSONNumber(loops.count)))])
        } catch {
            log.error("can't listen: \(error); change PORT or stop what uses it")
            exit(1)
        }
        await becomeReady()
    }

    /// Listens on the port given and returns it; for tests.
    package func listen() throws -> Int { try server.start() }

    /// Migrates and prepares, waiting for the database as long as it takes, and starts the background work.
    package func becomeReady() async {
        var pause: UInt64 = 100_000_000
        while !readiness.isStopping {
            do {
                try await Migrator.run(
                    runtimeMigrations + description.migrations, on: database.configuration)
                try await parts.preparation()
                break
            } catch {
                let error = error as? PostgresError
                if let error, !error.isTemporary {
                    log.error("can't migrate or prepare: \(error)")
                    exit(1)
                }
                log.warning("waiting for the database: \(error.map { "\($0)" } ?? "cancelled")")
                try? await Task.sleep(nanoseconds: pause)
                pause = min(pause * 2, 2_000_000_000)
            }
        }
        if readiness.isStopping { return }
        readiness.databaseIsMigrated()
        log.notice("ready")
        for work in parts.background {
            let task = loops[0].spawn(work)
            tasks.withLock { $0.append(task) }
        }
    }

    /// Stops when the descriptor reports a signal. On the first loop's thread.
    func stop(on signals: Int32) {
        let watcher = SignalWatcher(descriptor: signals) { [self] signal in
            log.notice("stopping", [("signal", .number(JSONNumber(signal)))])
            loops[0].spawn { [self] in
                await stop()
                for loop in loops { loop.stop() }
            }
        }
        loops[0].register(watcher, for: .readable)
    }

    /// Seconds that draining and finishing may take together; whoever stops services waits 10.
    private static let stopSeconds = 9

    /// Says "not ready" and goes on answering for `DRAIN_SECONDS`, finishes what is in flight, then closes everything.
    package func stop() async {
        readiness.beginStopping()
        if drainSeconds > 0, readiness.isMigrated {
            server.drain()
            try? await Task.sleep(for: .seconds(drainSeconds))
        }
        for task in tasks.withLock({ $0 }) { task.cancel() }
        await parts.stopping()
        await server.stop()
        database.shutDown()
        log.notice("stopped")
    }
}

/// Whether a service can do its work.
final class ServiceReadiness: Sendable {
    private let state = Mutex((migrated: false, stopping: false))

    var isMigrated: Bool { state.withLock(\.migrated) }
    var isStopping: Bool { state.withLock(\.stopping) }
    func databaseIsMigrated() { state.withLock { $0.migrated = true } }
    func beginStopping() { state.withLock { $0.stopping = true } }
}

private final class SignalWatcher: Watcher, @unchecked Sendable {
    private var body: ((Int32) -> Void)?

    init(descriptor: Int32, _ body: @escaping (Int32) -> Void) {
        self.body = body
        super.init(descriptor: descriptor)
    }

    override func ready(_ readiness: Readiness) {
        let signal = linux_read_signal(descriptor)
        guard signal != 0 else { return }
        let body = self.body
        self.body = nil
        if let body {
            body(signal)
        } else {
            // A second signal: whoever stops us does not want to wait.
            exit(128 + signal)
        }
    }
}

/// Number of CPUs this process may use.
package func availableCPUs() -> Int { Int(linux_available_cpus()) }
