// What Package.swift declares, as SwiftPM itself evaluates it.

import Foundation

/// The targets of the package.
struct Manifest: Decodable {
    var targets: [Target]

    struct Target: Decodable {
        var name: String
        var type: String
        /// From the top folder.
        var path: String?
        var dependencies: [Dependency]
        var isTest: Bool { type == "test" || path?.hasPrefix("Tests/") == true }
        /// Names of the targets that it depends on.
        var dependsOn: Set<String> { Set(dependencies.compactMap(\.name)) }
    }

    /// `{"byName": ["JSON", null]}` and its kin: the name comes first.
    struct Dependency: Decodable {
        var name: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let kinds = try container.decode([String: [Part?]].self)
            name = kinds.values.first?.first??.text
        }

        /// A name, or a condition that does not matter here.
        private struct Part: Decodable {
            var text: String?

            init(from decoder: any Decoder) throws {
                text = try? decoder.singleValueContainer().decode(String.self)
            }
        }
    }

    /// The manifest, evaluated once.
    static func load() throws -> Manifest { try evaluated.get() }

    /// In a build folder of its own: the one of the running tests is locked. With the fuzzers.
    private static let evaluated = Result {
        let scratch = FileManager.default.temporaryDirectory
            .appending(path: "madang-manifest-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let output = try Repository.run(
            "FUZZ=1", "swift", "package", "--scratch-path", scratch.path(), "dump-package")
        return try JSONDecoder().decode(Manifest.self, from: Data(output.utf8))
    }

    /// The target that a file belongs to: the one with the longest folder above it.
    func target(of path: String) -> Target? {
        targets
            .filter { path.hasPrefix(($0.path ?? "?") + "/") }
            .max { ($0.path ?? "").count < ($1.path ?? "").count }
    }
}
