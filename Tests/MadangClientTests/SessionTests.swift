// Renewing the session: once for all who wait, and never against a login or logout.

import Endpoints
import MadangClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct SessionTests {
    @Test func manyRequestsRenewOnce() async throws {
        let server = FakeServer()
        await server.holdRenewal(untilRefused: 20)
        let store = MemorySessionStore(expired)
        let client = expiredClient(server, store)
        let replies = try await withThrowingTaskGroup(of: Greeting.self) { group in
            for index in 0..<20 {
                group.addTask { try await client.send(Greet(name: "n\(index)")) }
            }
            return try await group.reduce(into: Set<Greeting>()) { $0.insert($1) }
        }
        #expect(replies.count == 20)
        #expect(await server.refusals == 20)
        #expect(await server.renewals == 1)
        #expect(await server.greetings == 20)
        #expect(
            await store.load()
                == SavedSession(accessToken: "access-2", refreshToken: "refresh-2"))
        _ = try await client.send(Greet(name: "again"))
        #expect(await server.renewals == 1)
    }

    @Test func understands419() async throws {
        let server = FakeServer()
        await server.setExpiredStatus(419)
        let client = expiredClient(server, MemorySessionStore(expired))
        #expect(
            try await client.send(Greet(name: "a")) == Greeting(text: "/v1/greeting?name=a"))
        #expect(await server.renewals == 1)
    }

    @Test func refusedRenewalLogsOut() async throws {
        let server = FakeServer()
        await server.setRenewal(.isRefused)
        let store = MemorySessionStore(expired)
        let client = expiredClient(server, store)
        let problem = await #expect(throws: Problem.self) {
            try await client.send(Greet(name: "a"))
        }
        #expect(problem?.code == .loggedOut)
        #expect(await store.load() == nil)
        await #expect(throws: Problem.self) { try await client.send(Greet(name: "a")) }
        #expect(await server.renewals == 1)
    }

    @Test func unreachableRenewalKeepsTheSession() async throws {
        let server = FakeServer()
        await server.setRenewal(.isUnreachable)
        let store = MemorySessionStore(expired)
        let client = expiredClient(server, store)
        await #expect(throws: TransportFailure.self) { try await client.send(Greet(name: "a")) }
        #expect(await store.load() == expired)
        await server.setRenewal(.works)
        _ = try await client.send(Greet(name: "a"))
        #expect(await server.renewals == 2)
    }

    @Test func logoutDuringRenewalWins() async throws {
        let server = FakeServer()
        let store = MemorySessionStore(expired)
        let client = expiredClient(server, store)
        await server.setOnRenewal { try await client.setSession(nil) }
        let problem = await #expect(throws: Problem.self) {
            try await client.send(Greet(name: "a"))
        }
        #expect(problem?.code == .loggedOut)
        #expect(await store.load() == nil)
        #expect(try await client.session == nil)
    }

    @Test func loginDuringRenewalWins() async throws {
        let server = FakeServer()
        let store = MemorySessionStore(expired)
        let client = expiredClient(server, store)
        // What the server will hand out is its second token; the new login has it already.
        let other = SavedSession(accessToken: "access-2", refreshToken: "mine")
        await server.setOnRenewal { try await client.setSession(other) }
        _ = try await client.send(Greet(name: "a"))
        #expect(await store.load() == other)
    }

    @Test func cancelledWaiterLeavesTheRenewalToOthers() async throws {
        let server = FakeServer()
        await server.holdRenewal(untilRefused: 2)
        let client = expiredClient(server, MemorySessionStore(expired))
        let first = Task { try await client.send(Greet(name: "a")) }
        first.cancel()
        let second = try await client.send(Greet(name: "b"))
        #expect(second == Greeting(text: "/v1/greeting?name=b"))
        _ = await first.result
        #expect(await server.renewals == 1)
    }

    @Test func withoutSessionNothingIsSent() async throws {
        let server = FakeServer()
        let client = expiredClient(server, MemorySessionStore())
        let problem = await #expect(throws: Problem.self) {
            try await client.send(Greet(name: "a"))
        }
        #expect(problem?.code == .loggedOut)
        #expect(await server.refusals == 0)
    }
}
