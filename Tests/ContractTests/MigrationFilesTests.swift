// Writes every migration that a service runs into the folder MIGRATIONS_FOLDER, for a linter to read:
// those of the runtime are not files of their own.

import Foundation
import Postgres
import ServiceRuntime
import Testing

@Suite struct MigrationFilesTests {
    private static let folder = ProcessInfo.processInfo.environment["MIGRATIONS_FOLDER"]

    @Test(.enabled(if: folder != nil, "nobody wants them"), arguments: Contract.all)
    func migrationsAreWritten(contract: Contract) throws {
        let folder = URL(fileURLWithPath: try #require(Self.folder))
            .appendingPathComponent(contract.description.name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let migrations = runtimeMigrations + contract.description.migrations
        #expect(migrations.count >= 2)
        for migration in migrations {
            try Data(migration.sql).write(
                to: folder.appendingPathComponent(migration.name + ".sql"))
        }
    }
}
