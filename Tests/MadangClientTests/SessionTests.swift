// Renewing the session: once for all who wait, and never against a login or logout.

import AuthAPI
import Endpoints
import MadangClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct SessionTests {
    @Test func manyRequestsRenewOnce() async throws {
        let server = FakeServer()
        await server.holdRenewal(untilRefused: 20)
        let store = MemorySessionStore(expired)
        let client = makeClient(server, store)
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
                == makeSession("access-2", "refresh-2"))
        _ = try await client.send(Greet(name: "again"))
        #expect(await server.renewals == 1)
    }

    @Test func understands419() async throws {
        let server = FakeServer()
        await server.setExpiredStatus(419)
        let client = makeClient(server, MemorySessionStore(expired))
        #expect(
            try await client.send(Greet(name: "a")) == Greeting(text: "/v1/greeting?name=a"))
        #expect(await server.renewals == 1)
    }

    @Test func refusedRenewalLogsOut() async throws {
        let server = FakeServer()
        await server.setRenewal(.isRefused)
        let store = MemorySessionStore(expired)
        let client = makeClient(server, store)
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
        let client = makeClient(server, store)
        await #expect(throws: TransportFailure.self) { try await client.send(Greet(name: "a")) }
        #expect(await store.load() == expired)
        await server.setRenewal(.works)
        _ = try await client.send(Greet(name: "a"))
        #expect(await server.renewals == 2)
    }

    @Test func logoutDuringRenewalComesAfterIt() async throws {
        let server = FakeServer()
        await server.holdRenewal(untilRefused: 2)
        let store = MemorySessionStore(expired)
        let client = makeClient(server, store)
        async let greeting = client.send(Greet(name: "a"))
        try await client.logOut()
        _ = try? await greeting
        #expect(await store.load() == nil)
        #expect(try await client.session == nil)
        #expect(await server.logOuts == 1)
        #expect(await server.renewals == 1)
    }

    @Test func logOutForgetsWithoutNetwork() async throws {
        let server = FakeServer()
        await server.setRenewal(.isUnreachable)
        let store = MemorySessionStore(expired)
        let client = makeClient(server, store)
        await #expect(throws: TransportFailure.self) { try await client.logOut() }
        #expect(await store.load() == nil)
    }

    @Test func logInAndUseIt() async throws {
        let server = FakeServer()
        await server.accept("access-9")
        let store = MemorySessionStore()
        let client = makeClient(server, store)
        let user = try await client.logIn(email: "a@example.org", password: "password")
        #expect(user.nickname == "마당")
        #expect(await store.load() == makeSession("access-9", "refresh-9"))
        _ = try await client.send(Greet(name: "a"))
        #expect(await server.renewals == 0)
    }

    @Test func endedSessionIsForgotten() async throws {
        let server = FakeServer()
        await server.endSession()
        let store = MemorySessionStore(makeSession("access-1", "refresh-1"))
        let problem = await #expect(throws: Problem.self) {
            try await makeClient(server, store).send(Greet(name: "a"))
        }
        #expect(problem?.code == .loggedOut)
        #expect(await store.load() == nil)
    }

    @Test func loginDuringRenewalWins() async throws {
        let server = FakeServer()
        let store = MemorySessionStore(expired)
        let client = makeClient(server, store)
        await server.setOnRenewal {
            try await client.logIn(email: "a@example.org", password: "password")
            await server.accept("access-9")
        }
        _ = try await client.send(Greet(name: "a"))
        #expect(await store.load() == makeSession("access-9", "refresh-9"))
    }

    @Test func cancelledWaiterLeavesTheRenewalToOthers() async throws {
        let server = FakeServer()
        await server.holdRenewal(untilRefused: 2)
        let client = makeClient(server, MemorySessionStore(expired))
        let first = Task { try await client.send(Greet(name: "a")) }
        first.cancel()
        let second = try await client.send(Greet(name: "b"))
        #expect(second == Greeting(text: "/v1/greeting?name=b"))
        _ = await first.result
        #expect(await server.renewals == 1)
    }

    @Test func withoutSessionNothingIsSent() async throws {
        let server = FakeServer()
        let client = makeClient(server, MemorySessionStore())
        let problem = await #expect(throws: Problem.self) {
            try await client.send(Greet(name: "a"))
        }
        #expect(problem?.code == .loggedOut)
        #expect(await server.refusals == 0)
    }
}
