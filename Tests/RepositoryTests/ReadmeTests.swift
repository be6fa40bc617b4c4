// The README's table of configuration is complete: every variable that the sources read is in it.

import Foundation
import Testing

@Suite struct ReadmeTests {
    /// What Swift sources read: `environment.integer("NAME"`, and names that go there by a list.
    private func variablesOfServices() throws -> Set<String> {
        var names: Set<String> = []
        let literal = /"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)"/
        for file in try Repository.swiftFiles()
        where file.path.hasPrefix("Services/") || file.path.hasPrefix("Shared/ServiceRuntime/") {
            let text = file.lines.joined(separator: "\n")
            guard text.contains("inout Environment") else { continue }
            names.formUnion(text.matches(of: literal).map { String($0.1) })
        }
        return names
    }

    /// What scripts and the edge read from outside: `${NAME:-default}` and `{$NAME:default}`.
    private func variablesOfScripts() throws -> Set<String> {
        var names: Set<String> = []
        let use = /(?:\$\{|\{\$)([A-Z]+_[A-Z_]+):/
        for path in try Repository.files()
        where path.hasPrefix("docker/") {
            let file = try SourceFile(path: path)
            names.formUnion(file.lines.flatMap { $0.matches(of: use) }.map { String($0.1) })
        }
        return names.subtracting(["BASH_SOURCE"])
    }

    @Test func configurationIsComplete() throws {
        let readme = try SourceFile(path: "README.md")
        let table = readme.lines.filter { $0.hasPrefix("| `") }.joined()
        let services = try variablesOfServices()
        let scripts = try variablesOfScripts()
        #expect(services.contains("DATABASE_URL"))
        #expect(scripts.contains("EDGE_PORT"))
        for name in services.union(scripts).sorted() where !table.contains("`\(name)`") {
            Issue.record("README.md does not tell of \(name)")
        }
    }
}
