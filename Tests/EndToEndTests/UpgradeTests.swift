// Today's services on the data of every release there was: what people had then, they have now.

import AuthAPI
import DemoScenario
import Endpoints
import Foundation
import MadangClient
import MarketAPI
import MeetingsAPI
import PartiesAPI
import ServiceRuntime
import SportsAPI
import TestSupport
import Testing
import Vocabulary

extension EndToEndTests {
    /// A folder of Tests/Releases.
    struct Release: Sendable, CustomTestStringConvertible {
        let folder: URL
        var testDescription: String { folder.lastPathComponent }

        /// The databases as they were after the demo scenario.
        func data(_ name: ServiceName) -> String {
            folder.appending(path: "data/\(name.rawValue).sql").path()
        }
    }

    static let releases: [Release] = {
        let folder = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Releases")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
        return names.sorted().map { Release(folder: folder.appending(path: $0)) }
            .filter { FileManager.default.fileExists(atPath: $0.data(.auth)) }
    }()

    @Test func thereAreReleases() {
        #expect(!Self.releases.isEmpty, "else the upgrade is not tested")
    }

    @Test(arguments: releases) func anUpgradeKeepsWhatPeopleHad(_ release: Release) async throws {
        var databases: [ServiceName: TestDatabase] = [:]
        for name in ServiceName.allCases {
            let database = try await TestDatabase.create()
            databases[name] = database
            try await restore(release.data(name), to: database)
        }
        let email = try #require(
            try await databases[.auth]?.value(
                "select email from account where nickname = '민지' order by id limit 1"))
        try await Fleet.with(databases.mapValues(\.url)) { fleet in
            try await fleet.startAll()
            let minji = fleet.demo().stranger()
            let user = try await minji.logIn(email: email, password: "a long password")
            #expect(user.nickname == "민지")
            try await expectWhatTheDemoLeft(minji, user)
            // And everything goes on from there.
            try await fleet.demo().run()
            for name in ServiceName.allCases { #expect(await fleet.stop(name) == 0) }
        }
        for database in databases.values { try await database.drop() }
    }

    /// What the scenario makes, by the ids of an empty database.
    private func expectWhatTheDemoLeft(_ minji: Madang, _ user: User) async throws {
        let party = try await minji.send(GetParty(party: Party.ID(trusted: 1)))
        #expect(party.title == "인천공항 같이 가요")
        #expect(party.owner.id == user.id)
        #expect(party.members.count == 2)

        let meetings = try await minji.send(ListMeetings())
        let meeting = try #require(meetings.items.first { $0.title == "한강 소풍" })
        #expect(meeting.memberCount == 2)
        let members = try await minji.send(GetMeeting(meeting: meeting.id)).members
        #expect(members.map(\.user.nickname) == ["민지", "Jun"])

        #expect(try await minji.send(ListFollows()).items.count == 1)

        let coin = try #require(try await minji.send(ListCoins(limit: 1)).items.first)
        let candles = try await minji.send(ListCandles(coin: coin.id, limit: 60))
        #expect(!candles.items.isEmpty)
    }

    private func restore(_ file: String, to database: TestDatabase) async throws {
        let log = FileManager.default.temporaryDirectory
            .appending(path: "madang-restore-\(database.name).log")
        defer { try? FileManager.default.removeItem(at: log) }
        let psql = try ChildProcess(
            [
                "psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction",
                "--dbname=\(database.url)", "--file=\(file)",
            ], environment: ProcessInfo.processInfo.environment, output: log.path())
        guard await psql.end() == 0 else {
            let text = try String(contentsOf: log, encoding: .utf8)
            throw ChildProcess.Failure(description: "can't restore \(file): \(text)")
        }
    }
}
