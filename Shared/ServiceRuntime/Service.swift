// What a service is to its runtime, and its life from start to stop.
package import Endpoints
package import EventLoop
import Glibc
import HTTP
import OpenAPI
package import Postgres
package import Security
package import Vocabulary

/// The fixed facts of a service.
package struct ServiceDescription: Sendable {
    /// Lower case, also the executable's name.
    package var name: String
    /// One sentence for the OpenAPI document.
    package var summary: String
    package var version: String
    package var port: Int
    package var endpoints: [any Endpoint.Type]
    package var migrations: [Migration]
    /// The services it calls.
    package var peers: [ServiceName]

    package init(
        name: String, summary: String, version: String, port: Int,
        endpoints: [any Endpoint.Type], migrations: [Migration], peers: [ServiceName] = []
    ) {
        self.name = name
        self.summary = summary
        self.version = version
        self.port = port
        self.endpoints = endpoints
        self.migrations = migrations
        self.peers = peers
    }

    /// The OpenAPI 3.1 document as it is served and committed, with a final newline.
    package var openAPI: [UInt8] {
        get throws {
            try OpenAPIDocument.text(
                service: name, version: version, summary: summary, endpoints: endpoints)
        }
    }
}

/// What the runtime gives a service to work with.
package struct ServiceResources: Sendable {
    package let database: Database
    package let loops: [EventLoop]
    package let clock: WallClock
    package let random: RandomSource
    package let log: Log
    /// Clients of the services that the description names.
    package let peers: Peers

    package init(
        database: Database, loops: [EventLoop], clock: WallClock, random: RandomSource, log: Log,
        peers: Peers
    ) {
        self.database = database
        self.loops = loops
        self.clock = clock
        self.random = random
        self.log = log
        self.peers = peers
    }
}

/// What a service gives its runtime to run.
package struct ServiceParts: Sendable {
    /// Sealed.
    package var router: Router
    /// Verifies tokens; `nil` lets the runtime use auth's published keys.
    package var authenticator: (any Authenticator)?
    /// Run after migration, before the service is ready; again when the database is lost in the middle of it, so what it has
    /// done must be harmless to do twice. Replicas run it at the same time.
    package var preparation: @Sendable () async throws -> Void
    /// Started on the first loop when the service is ready; cancelled at the stop.
    package var background: [@Sendable () async -> Void]
    /// Read on each scrape of `/metrics`.
    package var metrics: @Sendable () async -> [MetricSample]
    /// Called first at a stop: closes long-lived sockets.
    package var stopping: @Sendable () async -> Void

    package init(
        router: Router, authenticator: (any Authenticator)? = nil,
        preparation: @escaping @Sendable () async throws -> Void = {},
        background: [@Sendable () async -> Void] = [],
        metrics: @escaping @Sendable () async -> [MetricSample] = { [] },
        stopping: @escaping @Sendable () async -> Void = {}
    ) {
        self.router = router
        self.authenticator = authenticator
        self.preparation = preparation
        self.background = background
        self.metrics = metrics
        self.stopping = stopping
    }
}
