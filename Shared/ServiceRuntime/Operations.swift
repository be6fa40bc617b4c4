// The paths every service answers for those who run it: health, metrics, its OpenAPI document.
import CLinux
import Endpoints
import EventLoop
import HTTP
import HTTPServer
import JSON
import Postgres
import Synchronization
import Vocabulary

/// `/health/live`, `/health/ready`, `/metrics` and `/openapi.json`.
final class Operations: Sendable {
    private let description: ServiceDescription
    private let database: Database
    private let loops: [EventLoop]
    private let readiness: ServiceReadiness
    private let extra: @Sendable () async -> [MetricSample]
    private let log: Log
    private let attached = Mutex<Attached?>(nil)
    private let document: [UInt8]
    private let started = Double(WallClock.system.now().secondsSince1970)

    private struct Attached {
        let pipeline: RequestPipeline
        let server: HTTPServer
    }

    init(
        _ description: ServiceDescription, _ database: Database, _ loops: [EventLoop],
        _ readiness: ServiceReadiness, _ extra: @escaping @Sendable () async -> [MetricSample],
        _ log: Log
    ) throws {
        self.description = description
        self.database = database
        self.loops = loops
        self.readiness = readiness
        self.extra = extra
        self.log = log
        document = try description.openAPI
    }

    func attach(_ pipeline: RequestPipeline, _ server: HTTPServer) {
        attached.withLock { $0 = Attached(pipeline: pipeline, server: server) }
    }

    func add(to router: Router) {
        router.operation(.get("/health/live"), name: "Live") { _ in
            Self.status("live", 200)
        }
        router.operation(.get("/health/ready"), name: "Ready") { [self] context in
            try await ready(context)
        }
        router.operation(.get("/metrics"), name: "Metrics") { [self] _ in
            HTTPResponse(
                200, contentType: "text/plain; version=0.0.4; charset=utf-8",
                body: Array(await metrics().utf8))
        }
        router.operation(.get("/openapi.json"), name: "OpenAPI") { [self] context in
            let tag = entityTag(document)
            let fields = [
                HTTPResponse.Field("ETag", tag),
                HTTPResponse.Field("Cache-Control", "public, max-age=300"),
            ]
            if let wanted = context.request.text("if-none-match"), matches(wanted, tag) {
                return HTTPResponse(304, fields: fields)
            }
            return HTTPResponse(
                200, contentType: "application/json", fields: fields, body: document)
        }
    }

    private static func status(_ word: String, _ status: Int) -> HTTPResponse {
        HTTPResponse(
            status, contentType: "application/json",
            fields: [HTTPResponse.Field("Cache-Control", "no-store")],
            body: Array("{\"status\":\"\(word)\"}".utf8))
    }

    /// Ready means: migrated, the database answers, and no stop has begun.
    private func ready(_ context: Context) async throws -> HTTPResponse {
        if readiness.isStopping { throw Problem(.unavailable, "The service is stopping.") }
        guard readiness.isMigrated else {
            throw Problem(.unavailable, "The database is not reachable or not migrated yet.")
        }
        guard await database.isReachable() else {
            throw Problem(.unavailable, "The database does not answer.")
        }
        return Self.status("ready", 200)
    }

    private func metrics() async -> String {
        var text = PrometheusText()
        guard let attached = attached.withLock({ $0 }) else { return "" }
        let pipeline = attached.pipeline
        var totals = [EndpointCounts](
            repeating: EndpointCounts(), count: pipeline.router.entries.count + 1)
        var samples: [MetricSample] = []
        for loop in loops {
            let server = attached.server
            let (counts, connections, inFlight, turn) = await loop.read {
                (
                    pipeline.counts(on: loop), server.openConnections(on: loop),
                    server.requestsInFlight(on: loop), loop.lastTurnNanoseconds
                )
            }
            for position in totals.indices { totals[position].add(counts[position]) }
            Self.add("madang_open_connections", Double(connections), to: &samples)
            Self.add("madang_requests_in_flight", Double(inFlight), to: &samples)
            Self.add("madang_loop_lag_seconds", Double(turn) / 1e9, to: &samples)
        }
        let names = pipeline.router.entries.map(\.name) + ["unmatched"]
        text.endpoints(zip(names, totals).map { (name: $0, counts: $1) })
        samples.append(contentsOf: await processSamples())
        samples.append(contentsOf: poolSamples())
        samples.append(contentsOf: await extra())
        text.samples(samples)
        return text.text
    }

    private func processSamples() async -> [MetricSample] {
        var ready = readiness.isMigrated && !readiness.isStopping
        if ready { ready = await database.isReachable() }
        return [
            MetricSample(
                "process_resident_memory_bytes", .gauge, Double(linux_resident_bytes()),
                help: "Resident memory of the process."),
            MetricSample(
                "process_start_time_seconds", .gauge, started,
                help: "When the process started, in seconds since 1970."),
            MetricSample(
                "madang_ready", .gauge, ready ? 1 : 0,
                help: "1 when /health/ready says so: migrated, the database answers, not stopping."),
        ]
    }

    private func poolSamples() -> [MetricSample] {
        var total = PoolStatistics.zero
        for pool in database.statistics {
            total.inUse += pool.inUse
            total.idle += pool.idle
            total.waiting += pool.waiting
            total.queries += pool.queries
            total.losses += pool.losses
            total.timeouts += pool.timeouts
        }
        return [
            MetricSample(
                "madang_database_connections_in_use", .gauge, Double(total.inUse),
                help: "Connections leased to a caller."),
            MetricSample(
                "madang_database_connections_idle", .gauge, Double(total.idle),
                help: "Open connections that nobody uses."),
            MetricSample(
                "madang_database_waiting", .gauge, Double(total.waiting),
                help: "Callers that wait for a connection."),
            MetricSample(
                "madang_database_queries_total", .counter, Double(total.queries),
                help: "Statements sent."),
            MetricSample(
                "madang_database_connections_lost_total", .counter, Double(total.losses),
                help: "Connections that broke."),
            MetricSample(
                "madang_database_timeouts_total", .counter, Double(total.timeouts),
                help: "Statements that ran out of time."),
        ]
    }

    /// Sums over loops, except the lag, of which the worst counts.
    private static func add(_ name: String, _ value: Double, to samples: inout [MetricSample]) {
        if let position = samples.firstIndex(where: { $0.name == name }) {
            let worst = name == "madang_loop_lag_seconds"
            samples[position].value =
                worst ? max(samples[position].value, value) : samples[position].value + value
            return
        }
        let help =
            switch name {
            case "madang_open_connections": "Open HTTP connections, without upgraded ones."
            case "madang_requests_in_flight": "Requests being handled."
            default: "Seconds that the last turn of the busiest loop took."
            }
        samples.append(MetricSample(name, .gauge, value, help: help))
    }
}

extension Router {
    /// A path for those who run the service: public, outside of the endpoint list.
    func operation(
        _ route: Route, name: String,
        _ handler: @escaping @Sendable (Context) async throws -> HTTPResponse
    ) {
        add(
            RouteEntry(route, name: name, access: .public, index: entries.count) { _, context in
                try await handler(context)
            })
    }
}
