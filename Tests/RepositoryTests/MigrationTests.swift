// Migrations are append-only: a database that has run one never sees a change to it. The record is
// `migrations.txt`, a line each of git's id of the content and the path, in order of addition.

import Testing

@Suite struct MigrationTests {
    private static let record = "Tests/RepositoryTests/migrations.txt"

    private func recorded() throws -> [(id: String, path: String)] {
        try SourceFile(path: Self.record).lines
            .filter { !$0.hasPrefix("#") }
            .map { line in
                let parts = line.split(separator: " ")
                return (String(parts.first ?? ""), String(parts.last ?? ""))
            }
    }

    @Test func migrationsAreAsRecorded() throws {
        let recorded = try recorded()
        let paths = try Repository.files().filter {
            $0.contains("/Migrations/") && $0.hasSuffix(".sql")
        }
        for path in paths {
            let id = try Repository.run("git", "hash-object", path).filter { !$0.isNewline }
            guard let line = recorded.first(where: { $0.path == path }) else {
                Issue.record("A new migration; append to \(Self.record):\n\(id) \(path)")
                continue
            }
            if line.id != id {
                Issue.record("\(path) was changed. Leave it as it was and add a migration.")
            }
        }
        for line in recorded where !paths.contains(line.path) {
            Issue.record("\(line.path) is gone. Migrations stay.")
        }
    }

    @Test func namesAreInOrder() throws {
        for path in try Repository.files() where path.contains("/Migrations/") {
            let name = path.split(separator: "/").last ?? ""
            // Embedding a resource eats a leading digit, hence the letter.
            if name.wholeMatch(of: /m\d{4}_[a-z0-9_]+\.sql/) == nil {
                Issue.record("\(path): migrations are called m0001_what_it_does.sql")
            }
        }
        let numbers = try Repository.files().filter { $0.contains("/Migrations/m") }
            .map { path in path.prefix { $0 != "_" } }
        #expect(Set(numbers).count == numbers.count, "two migrations of a service share a number")
    }
}
