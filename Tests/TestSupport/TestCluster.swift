// A PostgreSQL of its own for tests that stop it: nobody else's may be harmed.
import Foundation
import Postgres

/// A throw-away cluster in a temporary folder, reached over loopback.
package final class TestCluster: Sendable {
    private let folder: String
    private let port: Int
    private let binaries: String

    package var url: String { "postgres://postgres@127.0.0.1:\(port)/postgres" }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Creates and starts a cluster. PostgreSQL refuses to run as root: root drops to `postgres`.
    package init() throws {
        binaries = try Self.run(["pg_config", "--bindir"]).trimmingCharacters(
            in: .whitespacesAndNewlines)
        folder = "/tmp/madang-cluster-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        port = try FreePort.take()[0]
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if getuid() == 0 { try Self.run(["chown", "postgres", folder]) }
        try command("initdb", ["-D", data, "-A", "trust", "-U", "postgres", "--no-sync"])
        let settings = """
            port = \(port)
            listen_addresses = '127.0.0.1'
            unix_socket_directories = '\(folder)'
            fsync = off
            max_connections = 50
            shared_buffers = 16MB
            """
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: data + "/postgresql.conf"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(settings.utf8))
        try handle.close()
        try start()
    }

    private var data: String { folder + "/data" }

    package func start() throws {
        try command("pg_ctl", ["-D", data, "-l", folder + "/log", "-w", "start"])
    }

    /// Ends every process of the server at once, as a crash would.
    package func stop(_ mode: String = "immediate") throws {
        try command("pg_ctl", ["-D", data, "-m", mode, "-w", "stop"])
    }

    /// Runs a statement as the superuser.
    package func execute(_ statement: String) throws {
        try MaintenanceConnection(try DatabaseConfiguration(url: url)).execute(statement)
    }

    /// Stops the server and removes its files.
    package func remove() {
        try? stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func command(_ name: String, _ arguments: [String]) throws {
        let prefix = getuid() == 0 ? ["runuser", "-u", "postgres", "--"] : []
        try Self.run(prefix + ["\(binaries)/\(name)"] + arguments)
    }

    @discardableResult
    private static func run(_ arguments: [String]) throws -> String {
        // A file, not a pipe, and not Foundation's Process: the server that pg_ctl leaves behind
        // would keep open what they wait for.
        let output = "/tmp/madang-cluster-output-\(UInt64.random(in: 0...UInt64.max))"
        defer { try? FileManager.default.removeItem(atPath: output) }
        let child = ChildProcess.spawn(arguments, ProcessInfo.processInfo.environment, output)
        guard child > 0 else { throw Failure(description: "cannot run \(arguments[0])") }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        let text = try String(contentsOfFile: output, encoding: .utf8)
        guard status == 0 else {
            throw Failure(description: "\(arguments.joined(separator: " ")): \(text)")
        }
        return text
    }
}
