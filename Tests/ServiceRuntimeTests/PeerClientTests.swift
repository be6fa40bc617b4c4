// Calls to peers: what goes with them, when they are repeated, and what a handler learns of a failure.

import AuthAPI
import Endpoints
import EventLoop
import ServiceRuntime
import Synchronization
import TestSupport
import Testing
import Vocabulary

@Suite struct PeerClientTests {
    private let lookUp = ListUserProfiles(ids: [UserID(trusted: 1)])

    /// A peer that gives one prepared answer after the other, the last one for good, and remembers what it was asked.
    private final class Script: Sendable {
        private let answers: [@Sendable () throws -> TransportResponse]
        private let seen = Mutex<[TransportRequest]>([])
        var requests: [TransportRequest] { seen.withLock { $0 } }

        init(_ answers: (@Sendable () throws -> TransportResponse)...) { self.answers = answers }

        var client: PeerClient {
            PeerClient(
                "auth",
                transport: FakePeer { [self] request in
                    let turn = seen.withLock { seen in
                        seen.append(request)
                        return seen.count - 1
                    }
                    return try answers[min(turn, answers.count - 1)]()
                })
        }
    }

    private static let fine: @Sendable () throws -> TransportResponse = {
        try .json(UserProfiles(items: []))
    }
    private static let busy: @Sendable () throws -> TransportResponse = {
        try .problem(Problem(.unavailable))
    }
    private static let unreachable: @Sendable () throws -> TransportResponse = {
        throw TransportFailure(.unreachable, "refused")
    }
    private static let interrupted: @Sendable () throws -> TransportResponse = {
        throw TransportFailure(.interrupted, "reset")
    }

    private var soon: UInt64 { EventLoop.now + 20_000_000_000 }

    private func failure(_ body: () async throws(PeerFailure) -> Void) async -> PeerFailure? {
        do throws(PeerFailure) {
            try await body()
        } catch {
            return error
        }
        return nil
    }

    @Test func aReadIsRepeatedWhileThePeerIsBusy() async throws {
        let script = Script(Self.busy, Self.interrupted, Self.fine)
        let answer = try await script.client.send(lookUp, deadline: soon)
        #expect(answer.items.isEmpty)
        #expect(script.requests.count == 3)
    }

    @Test func aPostWithoutKeyIsSentOnce() async throws {
        let script = Script(Self.busy, Self.fine)
        let post = IssueServiceToken(service: "parties", secret: "secret")
        let failure = await failure { () async throws(PeerFailure) in
            _ = try await script.client.send(post, deadline: soon)
        }
        guard case .unavailable = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(script.requests.count == 1)
    }

    @Test func aPostWithKeyIsRepeatedWithIt() async throws {
        let token = ServiceToken(accessToken: "t", expiresAt: Instant(microseconds: 0))
        let script = Script(Self.busy, { try .json(token, status: 201) })
        let post = IssueServiceToken(service: "parties", secret: "secret")
        let answer = try await script.client.send(post, deadline: soon, idempotencyKey: "k")
        #expect(answer == token)
        let keys = script.requests.map { request in
            request.headers.first { $0.name == "Idempotency-Key" }?.value
        }
        #expect(keys == ["k", "k"])
    }

    @Test func aRefusalIsNotRepeatedAndKeepsItsCode() async throws {
        let script = Script({ try .problem(Problem(.notFound)) })
        let failure = await failure { () async throws(PeerFailure) in
            _ = try await script.client.send(lookUp, deadline: soon)
        }
        #expect(failure?.code == .notFound)
        #expect(script.requests.count == 1)
    }

    @Test func whoAsksToWaitLongerThanThereIsTimeIsNotAskedAgain() async throws {
        let script = Script({ try .problem(Problem(.rateLimited, retryAfter: 119)) }, Self.fine)
        let failure = await failure { () async throws(PeerFailure) in
            _ = try await script.client.send(lookUp, deadline: soon)
        }
        guard case .unavailable(_, retryAfter: 119) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(script.requests.count == 1)
    }

    @Test func aPeerThatIsDownIsLeftAlone() async throws {
        let script = Script(Self.unreachable)
        let client = script.client
        for _ in 0..<20 {
            let failure = await failure { () async throws(PeerFailure) in
                _ = try await client.send(lookUp, deadline: soon)
            }
            guard case .unavailable = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
        #expect(script.requests.count == CircuitBreaker.threshold)
    }

    @Test func theDeadlineGoesAlongAndAPastOneSendsNothing() async throws {
        let script = Script(Self.fine)
        _ = try await script.client.send(lookUp, deadline: EventLoop.now + 3_000_000_000)
        let field = script.requests[0].headers.first { $0.name == "Madang-Deadline-Milliseconds" }
        let granted = try #require(Int(field?.value ?? ""))
        #expect((1...3000).contains(granted))
        let late = await failure { () async throws(PeerFailure) in
            _ = try await script.client.send(lookUp, deadline: EventLoop.now)
        }
        guard case .timedOut = late else {
            Issue.record("\(String(describing: late))")
            return
        }
        #expect(script.requests.count == 1)
    }

    @Test func aTokenThatIsRefusedIsReplacedOnce() async throws {
        let auth = Script(
            {
                try .json(
                    ServiceToken(accessToken: "old", expiresAt: Instant(microseconds: 0)),
                    status: 201)
            },
            {
                try .json(
                    ServiceToken(accessToken: "new", expiresAt: Instant(microseconds: 0)),
                    status: 201)
            })
        let keeper = ServiceTokenKeeper(service: "parties", secret: "s", auth: auth.client)
        let peer = Script({ try .problem(Problem(.accessTokenInvalid)) }, Self.fine)
        let client = peer.client.with(tokens: keeper)
        _ = try await client.send(lookUp, deadline: soon)
        let sent = peer.requests.map { request in
            request.headers.first { $0.name == "Authorization" }?.value
        }
        #expect(sent == ["Bearer old", "Bearer new"])
        _ = try await client.send(lookUp, deadline: soon)
        #expect(auth.requests.count == 2, "the token is kept")
    }

    @Test func callersWaitTogetherForTheFirstToken() async throws {
        let auth = Script(
            {
                try .json(
                    ServiceToken(accessToken: "t", expiresAt: Instant(microseconds: 0)), status: 201
                )
            })
        let keeper = ServiceTokenKeeper(service: "parties", secret: "s", auth: auth.client)
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask { try await keeper.token(instead: nil, deadline: soon) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(tokens == Array(repeating: "t", count: 20))
        #expect(auth.requests.count == 1)
    }

    @Test func withoutTokenThePeerIsNotBlamed() async throws {
        let keeper = ServiceTokenKeeper(
            service: "parties", secret: "s",
            auth: PeerClient("auth", transport: FakePeer.absent))
        let peer = Script(Self.fine)
        let client = peer.client.with(tokens: keeper)
        for _ in 0..<10 {
            let failure = await failure { () async throws(PeerFailure) in
                _ = try await client.send(lookUp, deadline: soon)
            }
            guard case .unavailable = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
        #expect(peer.requests.isEmpty)
    }
}
