// Everything at once, as real processes: the five executables and the edge, on loopback ports of their own.

import DemoScenario
import Endpoints
import Foundation
import MadangClient
import ServiceRuntime
import Synchronization
import TestSupport
import Testing

/// Five services and the edge in front of them. Nothing runs until it is started.
final class Fleet: Sendable {
    /// Of the executables that `swift build` has made beside the tests.
    private static let executables = Bundle.main.executableURL?.deletingLastPathComponent()
    private let databases: [ServiceName: String]
    private let ports: [ServiceName: Int]
    private let edgePort: Int
    private let secrets: [ServiceName: String]
    private let signingKey: String
    private let folder: URL
    private let processes = Mutex<[String: ChildProcess]>([:])

    /// - Parameter databases: the URL of each service's database.
    private init(_ databases: [ServiceName: String]) async throws {
        self.databases = databases
        let free = try FreePort.take(ServiceName.allCases.count + 1)
        ports = Dictionary(uniqueKeysWithValues: zip(ServiceName.allCases, free.dropFirst()))
        edgePort = free[0]
        secrets = Dictionary(
            uniqueKeysWithValues: ServiceName.allCases.map { ($0, "secret-of-\($0)-in-this-test") })
        folder = FileManager.default.temporaryDirectory
            .appending(path: "madang-fleet-\(getpid())-\(edgePort)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        signingKey = folder.appending(path: "signing-key.pem").path()
        let openssl = try ChildProcess(
            ["openssl", "genpkey", "-algorithm", "ed25519", "-out", signingKey],
            environment: ProcessInfo.processInfo.environment)
        guard await openssl.end() == 0 else {
            throw ChildProcess.Failure(description: "openssl made no key")
        }
    }

    /// Makes a fleet, runs `body`, and ends what still runs. What the processes logged is shown when a test failed by
    /// throwing.
    static func with(
        _ databases: [ServiceName: String], _ body: (Fleet) async throws -> Void
    ) async throws {
        let fleet = try await Fleet(databases)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(fleet))
        } catch {
            fleet.showLogs()
            result = .failure(error)
        }
        for process in fleet.processes.withLock({ Array($0.values) }) {
            process.signal(SIGKILL)
            _ = await process.end()
        }
        try? FileManager.default.removeItem(at: fleet.folder)
        try result.get()
    }

    /// A fleet on databases of its own on the tests' server.
    static func with(_ body: (Fleet) async throws -> Void) async throws {
        var made: [ServiceName: TestDatabase] = [:]
        for name in ServiceName.allCases { made[name] = try await TestDatabase.create() }
        let result: Result<Void, any Error>
        do {
            result = .success(try await with(made.mapValues(\.url), body))
        } catch {
            result = .failure(error)
        }
        for database in made.values { try? await database.drop() }
        try result.get()
    }

    var edge: URL { URL(string: "http://127.0.0.1:\(edgePort)") ?? URL(filePath: "/") }

    /// The demo scenario through this fleet's edge, silent.
    func demo() -> Demo { Demo(edge: edge) { _ in } }

    // MARK: - Processes

    /// Starts a service and waits until it lives; it need not be ready.
    /// - Parameter clockOffsetSeconds: how far its clock is ahead.
    func start(_ name: ServiceName, clockOffsetSeconds: Int = 0) async throws {
        guard let executable = Self.executables?.appending(path: name.rawValue).path() else {
            throw ChildProcess.Failure(description: "where are the executables?")
        }
        try launch(
            name.rawValue, [executable], environment(of: name, clockOffsetSeconds))
        guard await eventually(within: 20, { await status(name, "/health/live") == 200 }) else {
            throw ChildProcess.Failure(description: "\(name) does not answer")
        }
    }

    func startEdge() async throws {
        var variables = [
            "EDGE_PORT": "\(edgePort)", "EDGE_ADDRESSES": "127.0.0.1",
            "XDG_CONFIG_HOME": folder.path(), "XDG_DATA_HOME": folder.path(),
        ]
        for (name, port) in ports {
            variables[name.rawValue.uppercased() + "_HOST"] = "127.0.0.1"
            variables[name.rawValue.uppercased() + "_PORT"] = "\(port)"
        }
        let configuration = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docker/Caddyfile").path()
        try launch(
            "edge", ["caddy", "run", "--config", configuration, "--adapter", "caddyfile"],
            variables)
        let address = edge
        guard await eventually(within: 20, { await Self.get(address, "/")?.status == 404 }) else {
            throw ChildProcess.Failure(description: "the edge does not answer")
        }
    }

    /// Starts everything and waits until it is ready.
    func startAll(clockOffsetSeconds: Int = 0) async throws {
        for name in ServiceName.allCases {
            try await start(name, clockOffsetSeconds: clockOffsetSeconds)
        }
        try await startEdge()
        try await becomesReady()
    }

    /// Kills a service with a signal that it can't catch.
    func kill(_ name: ServiceName) async {
        let process = processes.withLock { $0.removeValue(forKey: name.rawValue) }
        process?.signal(SIGKILL)
        _ = await process?.end()
    }

    /// Asks a service to end.
    /// - Returns: its exit status.
    func stop(_ name: ServiceName) async -> Int32? {
        let process = processes.withLock { $0.removeValue(forKey: name.rawValue) }
        process?.signal(SIGTERM)
        return await process?.end()
    }

    /// Whether none of what was started has ended.
    var isWhole: Bool { processes.withLock { $0.values.allSatisfy(\.isRunning) } }

    /// Waits until the services say that they are ready.
    /// - Throws: after 60 seconds.
    func becomesReady(_ names: [ServiceName] = ServiceName.allCases) async throws {
        for name in names {
            guard await eventually(within: 60, { await status(name, "/health/ready") == 200 })
            else { throw ChildProcess.Failure(description: "\(name) is not ready") }
        }
    }

    /// What a service has logged.
    func log(_ name: ServiceName) throws -> String {
        try String(contentsOf: logFile(name.rawValue), encoding: .utf8)
    }

    private func launch(
        _ name: String, _ command: [String], _ variables: [String: String]
    ) throws {
        var variables = variables
        variables["PATH"] = ProcessInfo.processInfo.environment["PATH"]
        let process = try ChildProcess(
            command, environment: variables, output: logFile(name).path())
        processes.withLock { $0[name] = process }
    }

    private func environment(of name: ServiceName, _ offset: Int) -> [String: String] {
        var variables = [
            "HOST": "127.0.0.1", "PORT": "\(ports[name] ?? 0)", "DATABASE_POOL": "4",
            "DATABASE_URL": databases[name] ?? "", "LOOPS": "1", "LOG_FORMAT": "json",
            "REQUESTS_PER_MINUTE": "0", "CLOCK_OFFSET_SECONDS": "\(offset)",
            "DEMO_HISTORY_MINUTES": "120", "DEMO_LEAGUES_PER_COUNTRY": "1",
        ]
        for (peer, port) in ports {
            variables[peer.addressVariable] = "http://127.0.0.1:\(port)"
        }
        if name == .auth {
            variables["SIGNING_KEY_FILE"] = signingKey
            for (client, secret) in secrets where client != .auth {
                variables[client.rawValue.uppercased() + "_CLIENT_SECRET"] = secret
            }
        } else {
            variables["CLIENT_SECRET"] = secrets[name]
        }
        return variables
    }

    private func logFile(_ name: String) -> URL { folder.appending(path: name + ".log") }

    private func showLogs() {
        for name in ServiceName.allCases.map(\.rawValue) + ["edge"] {
            let text = (try? String(contentsOf: logFile(name), encoding: .utf8)) ?? ""
            print("--- \(name)", text.split(separator: "\n").suffix(15).joined(separator: "\n"))
        }
    }

    // MARK: - Requests

    /// The status that a service itself answers, past the edge; `nil` when it does not answer.
    func status(_ name: ServiceName, _ path: String) async -> Int? {
        await answer(name, path)?.status
    }

    /// The answer of a service itself, past the edge; `nil` when it does not answer.
    func answer(_ name: ServiceName, _ path: String) async -> TransportResponse? {
        guard let address = URL(string: "http://127.0.0.1:\(ports[name] ?? 0)") else { return nil }
        return await Self.get(address, path)
    }

    private static func get(_ address: URL, _ path: String) async -> TransportResponse? {
        try? await URLSessionTransport(baseURL: address).perform(
            TransportRequest(method: .get, target: path, deadlineSeconds: 5))
    }
}
