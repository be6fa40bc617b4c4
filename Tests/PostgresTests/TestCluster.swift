// A PostgreSQL of its own for tests that stop it: nobody else's may be harmed.
import Foundation
import Postgres

/// A throw-away cluster in a temporary folder, reached over loopback.
final class TestCluster: Sendable {
    let folder: String
    let port: Int
    private let binaries: String

    var url: String { "postgres://postgres@127.0.0.1:\(port)/postgres" }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Creates and starts a cluster. PostgreSQL refuses to run as root: root drops to `postgres`.
    init() throws {
        binaries = try Self.run(["pg_config", "--bindir"]).trimmingCharacters(
            in: .whitespacesAndNewlines)
        folder = "/tmp/madang-cluster-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        port = try Self.freePort()
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

    func start() throws {
        try command("pg_ctl", ["-D", data, "-l", folder + "/log", "-w", "start"])
    }

    /// Ends every process of the server at once, as a crash would.
    func stop(_ mode: String = "immediate") throws {
        try command("pg_ctl", ["-D", data, "-m", mode, "-w", "stop"])
    }

    /// Stops the server and removes its files.
    func remove() {
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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let words = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        guard posix_spawnp(&child, arguments[0], &actions, nil, words + [nil], environ) == 0 else {
            throw Failure(description: "cannot run \(arguments[0])")
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        let text = try String(contentsOfFile: output, encoding: .utf8)
        guard status == 0 else {
            throw Failure(description: "\(arguments.joined(separator: " ")): \(text)")
        }
        return text
    }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0
                    ? getsockname(descriptor, generic, &length) : -1
            }
        }
        guard code == 0 else { throw Failure(description: "no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
