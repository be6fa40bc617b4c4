// The project's files as git sees them, for the tests that read the project itself.
//
// Git decides what belongs to the project: a build folder or a developer's notes do not.

import Foundation

/// The project that this file lies in.
enum Repository {
    /// The top folder, from the place of this file.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Paths from the top folder, sorted: what is committed and what would be by `git add`.
    static func files() throws -> [String] {
        let output = try run("git", "ls-files", "--cached", "--others", "--exclude-standard")
        return Set(output.split(separator: "\n").map(String.init))
            .filter { FileManager.default.fileExists(atPath: root.appending(path: $0).path()) }
            .sorted()
    }

    static func swiftFiles() throws -> [SourceFile] { try allSwiftFiles.get() }

    private static let allSwiftFiles = Result {
        try files().filter { $0.hasSuffix(".swift") }.map { try SourceFile(path: $0) }
    }

    /// The standard output of a command run in the top folder; throws when it fails.
    static func run(_ command: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = root
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CommandFailure(command: command.joined(separator: " "))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    struct CommandFailure: Error {
        var command: String
    }
}

/// One text file and its lines.
struct SourceFile {
    /// From the top folder.
    var path: String
    var lines: [Substring]

    init(path: String) throws {
        self.path = path
        let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
    }

    /// The modules that it imports, whatever the access level, once each.
    var imports: Set<String> {
        // Regexes are slow in a debug build, so only lines that may match meet one. An "#else" leads
        // to what another platform has instead.
        let modules = lines.indices.compactMap { index -> String? in
            guard lines[index].contains("import "), index == 0 || lines[index - 1] != "#else"
            else { return nil }
            return lines[index].wholeMatch(of: Self.importLine).map { String($0.module) }
        }
        return Set(modules)
    }

    private static var importLine: Regex<(Substring, module: Substring)> {
        /\s*(?:@\w+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?<module>\w+)/
    }
}
