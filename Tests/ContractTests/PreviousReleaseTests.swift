// During a rolling update the last release goes on beside the new one, on the schema that the new one has
// migrated: what it sent then is still understood, and the rows that it wrote are still taken.

import Foundation
import ServiceRuntime
import TestSupport
import Testing

@Suite struct PreviousReleaseTests {
    @Test(arguments: Contract.all) func theLastReleaseWorksOnTodaysSchema(
        contract: Contract
    ) async throws {
        let release = try #require(try Release.newest(), "there is no release in Tests/Releases")
        guard try release.services.contains(contract.description.name) else { return }
        let refusal = try await replay(release, contract)
        #expect(refusal == nil, "release \(release.version) would break while it is replaced")
    }

    /// A test of the test above.
    @Test(arguments: [
        ("alter table party rename column title to name", "title"),
        ("alter table party add column must integer not null", "must"),
        ("alter table party drop column note", "note"),
        ("drop table party_member", "party_member"),
        ("alter table party alter column title type integer using 0", "integer"),
    ]) func aMigrationThatBreaksItIsNoticed(change: String, name: String) async throws {
        let release = try #require(try Release.newest())
        let parties = try #require(Contract.all.first { $0.description.name == "parties" })
        let refusal = try await replay(release, parties, after: change)
        #expect(refusal?.contains(name) == true, "\(refusal ?? "nothing was refused")")
    }

    /// Sends what a release sent to a database with today's schema.
    /// - Returns: what PostgreSQL said against it.
    private func replay(
        _ release: Release, _ contract: Contract, after change: String = ""
    ) async throws -> String? {
        let name = contract.description.name
        let statements = try release.statements(name)
        try #require(!statements.isEmpty, "no statements of \(name) were recorded")
        var script = "begin;\n\(change);\n"
        for (number, statement) in statements.enumerated() {
            script += "prepare statement_\(number) as \(statement);\n"
        }
        // The dump names the columns of each table, as the statements did; those that are new get
        // their defaults. Rows come in the order of tables' names, so references are not looked at.
        script += "set local session_replication_role = replica;\n"
        let (tables, copies) = try rows(in: try release.data(name))
        script += "truncate \(tables.joined(separator: ", ")) cascade;\n\(copies)rollback;\n"
        return try await TestDatabase.with(
            runtimeMigrations + contract.description.migrations
        ) { database in try await run(script, on: database) }
    }

    /// The tables of a dump and the part that fills them.
    private func rows(in dump: String) throws -> (tables: [String], copies: String) {
        var tables: [String] = []
        var copies = ""
        var inside = false
        for line in dump.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("COPY "), !line.contains("schema_migration") {
                inside = true
                tables.append(String(line.split(separator: " ")[1]))
            }
            if inside { copies += line + "\n" }
            if line == "\\." { inside = false }
        }
        try #require(!tables.isEmpty, "the dump has no rows")
        return (tables, copies)
    }

    private func run(_ script: String, on database: TestDatabase) async throws -> String? {
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appending(path: "\(database.name).sql")
        let output = folder.appending(path: "\(database.name).log")
        defer { for path in [file, output] { try? FileManager.default.removeItem(at: path) } }
        try script.write(to: file, atomically: true, encoding: .utf8)
        let psql = try ChildProcess(
            [
                "psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1",
                "--dbname=\(database.url)", "--file=\(file.path())",
            ], environment: ProcessInfo.processInfo.environment, output: output.path())
        if await psql.end() == 0 { return nil }
        return try String(contentsOf: output, encoding: .utf8)
    }
}
