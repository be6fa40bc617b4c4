// The table of who may import what. SwiftPM does not hold it: an undeclared import of a target in
// the same package compiles, and then a build in another order does not.

import Testing

@Suite struct ImportTests {
    /// C libraries and shims, each with the modules that wrap it for everyone else.
    private static let wrappers: [String: Set<String>] = [
        "CPostgres": ["Postgres"],
        "COpenSSL": ["Security"],
        "CCurl": ["HTTPClient"],
    ]

    /// What the toolchain brings, for server code. Full Foundation brings ICU: only apps and tests.
    private static let system: Set<String> = [
        "Darwin", "FoundationEssentials", "Glibc", "Musl", "Synchronization",
    ]

    private static let systemForAppsAndTests: Set<String> = [
        "Dispatch", "Foundation", "FoundationNetworking", "Testing",
    ]

    @Test func everyImportIsDeclared() throws {
        let manifest = try Manifest.load()
        let targetNames = Set(manifest.targets.map(\.name))
        for file in try Repository.swiftFiles() where file.path != "Package.swift" {
            guard let target = manifest.target(of: file.path) else {
                Issue.record("\(file.path) belongs to no target of Package.swift")
                continue
            }
            for module in file.imports where !target.dependsOn.contains(module) {
                let isApp = target.name == "MadangClient" || target.isTest
                if Self.system.contains(module) { continue }
                if isApp && Self.systemForAppsAndTests.contains(module) { continue }
                let reason =
                    targetNames.contains(module)
                    ? "which \(target.name) does not declare in Package.swift"
                    : "which is not in the table of ImportTests"
                Issue.record("\(file.path) imports \(module), \(reason)")
            }
        }
    }

    @Test func librariesInCHaveOneWrapper() throws {
        for target in try Manifest.load().targets where !target.isTest {
            for (library, wrappers) in Self.wrappers
            where target.dependsOn.contains(library) && !wrappers.contains(target.name) {
                Issue.record("\(target.name) depends on \(library), which \(wrappers) wraps")
            }
        }
    }

    @Test func dependenciesPointDown() throws {
        let targets = try Manifest.load().targets.filter { !$0.isTest }
        let services = Set(targets.map(\.name).filter { $0.hasSuffix("Service") })
        #expect(services.count == 5, "the five services, by their names: \(services.sorted())")
        for target in targets {
            let below = target.dependsOn
            func allow(_ allowed: Set<String>) {
                let surplus = below.subtracting(allowed).sorted()
                if !surplus.isEmpty { Issue.record("\(target.name) depends on \(surplus)") }
            }
            switch target.name {
            case "Vocabulary", "JSON", "HTTP": allow([])
            case "Endpoints": allow(["Vocabulary", "JSON"])
            case "Postgres": allow(["CPostgres", "CLinux", "EventLoop", "Vocabulary"])
            case "MadangClient":
                allow(
                    Set(targets.map(\.name).filter { $0.hasSuffix("API") && $0 != "OpenAPI" })
                        .union(["Endpoints", "JSON", "Vocabulary"]))
            case "OpenAPI": allow(["Endpoints", "JSON", "Vocabulary"])
            case let name where name.hasSuffix("API"): allow(["Endpoints", "Vocabulary"])
            default: break
            }
            // A service takes a peer's API, never the peer; only its own executable takes it.
            let peers = below.intersection(services)
            if peers.contains(where: { $0.lowercased() != target.name + "service" }) {
                Issue.record("\(target.name) depends on \(peers.sorted())")
            }
        }
    }
}
