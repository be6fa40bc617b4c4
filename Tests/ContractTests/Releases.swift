// What was released before: a folder a release in Tests/Releases, with the OpenAPI document of each
// service as it was. The README tells how one is made.

import Foundation
import JSON

/// A version by semantic versioning, without pre-releases.
struct Version: Comparable, CustomStringConvertible {
    let major: Int
    let minor: Int
    let patch: Int

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let major = parts[0], let minor = parts[1], let patch = parts[2]
        else { return nil }
        (self.major, self.minor, self.patch) = (major, minor, patch)
    }

    var description: String { "\(major).\(minor).\(patch)" }

    static func < (one: Version, other: Version) -> Bool {
        (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
    }

    /// Whether a step from `older` to this says that clients may break: a new major version, and
    /// before 1.0.0 a new minor one.
    func mayBreak(clientsOf older: Version) -> Bool {
        major > older.major || major == 0 && older.major == 0 && minor > older.minor
    }
}

/// A release.
struct Release {
    let version: Version
    private let folder: URL

    /// The newest of all.
    static func newest() throws -> Release? { try all().last }

    /// From the oldest on.
    static func all() throws -> [Release] {
        let releases = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Releases")
        return try FileManager.default.contentsOfDirectory(atPath: releases.path)
            .compactMap { name in
                Version(name).map {
                    Release(version: $0, folder: releases.appendingPathComponent(name))
                }
            }.sorted { $0.version < $1.version }
    }

    /// The names of the services that were released.
    var services: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(
                atPath: folder.appendingPathComponent("openapi").path
            ).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
        }
    }

    /// The document of a service.
    func document(_ service: String) throws -> JSONValue {
        let file = folder.appendingPathComponent("openapi/\(service).json")
        return try JSONValue(parsing: [UInt8](try Data(contentsOf: file)))
    }

    /// A dump of a service's database, after the demo scenario.
    func data(_ service: String) throws -> String {
        try String(
            contentsOf: folder.appendingPathComponent("data/\(service).sql"), encoding: .utf8)
    }

    /// The statements that the service sent in that scenario.
    func statements(_ service: String) throws -> [String] {
        let file = folder.appendingPathComponent("data/\(service).statements.sql")
        return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n;\n")
            .filter { !$0.isEmpty }
    }

    /// Findings that are none, of the form "service: finding" with `*` for any text. They are in
    /// `accepted.txt` beside the documents, below the reason.
    var accepted: [String] {
        get throws {
            let file = folder.appendingPathComponent("openapi/accepted.txt")
            guard FileManager.default.fileExists(atPath: file.path) else { return [] }
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .filter { !$0.hasPrefix("#") && !$0.isEmpty }.map(String.init)
        }
    }

    /// Whether a finding is one of a line of ``accepted``.
    static func accepts(_ finding: String, by line: String) -> Bool {
        let parts = line.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, finding.hasPrefix(first) else {
            return false
        }
        if parts.count == 1 { return finding == line }
        var rest = finding.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
