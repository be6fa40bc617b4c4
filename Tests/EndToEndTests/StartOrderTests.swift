// Any start order works, the database last among them; and what ran goes on when the database is back.

import DemoScenario
import Endpoints
import MadangClient
import MarketAPI
import ServiceRuntime
import TestSupport
import Testing

extension EndToEndTests {
    /// Orders in which a pair of any two services stands both ways round.
    static let orders: [[ServiceName]] = [
        [.auth, .parties, .meetings, .market, .sports],
        [.sports, .market, .meetings, .parties, .auth],
        [.meetings, .sports, .auth, .parties, .market],
    ]

    @Test(arguments: orders) func anyStartOrder(_ order: [ServiceName]) async throws {
        try await Fleet.with { fleet in
            try await fleet.startEdge()
            for name in order { try await fleet.start(name) }
            try await fleet.becomesReady()
            try await fleet.demo().run()
            for name in order.reversed() {
                #expect(await fleet.stop(name) == 0, "\(name) did not end well")
            }
        }
    }

    @Test func theDatabaseComesLastAndComesBack() async throws {
        let cluster = try TestCluster()
        defer { cluster.remove() }
        var databases: [ServiceName: String] = [:]
        for name in ServiceName.allCases {
            try cluster.execute("create database \(name.rawValue)")
            databases[name] = TestDatabase.replacingDatabase(of: cluster.url, by: name.rawValue)
        }
        try cluster.stop("fast")
        try await Fleet.with(databases) { fleet in
            try await fleet.startEdge()
            for name in ServiceName.allCases { try await fleet.start(name) }
            try await expectNothingWithoutDatabase(fleet)
            try cluster.start()
            try await fleet.becomesReady()
            try await fleet.demo().run()

            // Twice: the second finds pools that have lost everything before.
            for _ in 0..<2 {
                try cluster.stop("immediate")
                try await expectNothingWithoutDatabase(fleet)
                try cluster.start()
                try await fleet.becomesReady()
                try await fleet.demo().run()
            }
            #expect(fleet.isWhole, "a process ended, and nobody restarts it here")
        }
    }

    /// Every service lives, says that it is not ready, and refuses with the time to try again.
    private func expectNothingWithoutDatabase(_ fleet: Fleet) async throws {
        for name in ServiceName.allCases {
            #expect(await fleet.status(name, "/health/live") == 200, "\(name)")
            let ready = try #require(await fleet.answer(name, "/health/ready"))
            #expect(ready.status == 503, "\(name)")
            #expect(ready.header("Retry-After") != nil, "\(name)")
        }
        let problem = try #require(
            await problem { try await fleet.demo().stranger().send(ListCoins()) })
        #expect(problem.status == 503)
        #expect(problem.retryAfter != nil)
    }
}
