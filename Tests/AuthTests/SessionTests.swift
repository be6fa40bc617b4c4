// Refresh tokens and log-out, over two replicas. Cases A1, A2, A4, A5, A6.
import AuthAPI
import Endpoints
import TestSupport
import Testing
import Vocabulary

@Suite struct SessionTests {
    @Test func parallelRefreshesGetTheSameSuccessor() async throws {
        try await withAuth(replicas: 2) { service in
            let first = try await service.newSession()
            let successors = try await withThrowingTaskGroup(of: String.self) { group in
                for attempt in 0..<50 {
                    group.addTask {
                        try await service.refresh(first.refreshToken, replica: attempt % 2)
                            .refreshToken
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(successors.count == 1)
            #expect(
                try await service.database.value("select count(*) from refresh_token") == "2")
            let successor = try #require(successors.first)
            _ = try await service.refresh(successor)
        }
    }

    @Test func anOldTokenClosesItsSessionOnly() async throws {
        let clock = ManualClock(start)
        try await withAuth(replicas: 2, clock: clock.clock) { service in
            let phone = try await service.newSession()
            let tablet = try await service.client(token: nil).send(
                LogIn(email: "kim@example.com", password: "correct horse"))
            let second = try await service.refresh(phone.refreshToken)
            let third = try await service.refresh(second.refreshToken, replica: 1)
            // Within the grace a tab that slept still gets on.
            clock.advance(seconds: 5)
            #expect(
                try await service.refresh(phone.refreshToken).refreshToken == second.refreshToken)
            clock.advance(seconds: 60)
            let reused = await problem { try await service.refresh(phone.refreshToken) }
            #expect(reused?.code == .refreshTokenReused)
            let closed = await problem { try await service.refresh(third.refreshToken) }
            #expect(closed?.code == .sessionEnded)
            _ = try await service.refresh(tablet.refreshToken, replica: 1)
        }
    }

    @Test func aLostAnswerCanBeAskedForAgainLater() async throws {
        let clock = ManualClock(start)
        try await withAuth(clock: clock.clock) { service in
            let first = try await service.newSession()
            let second = try await service.refresh(first.refreshToken)
            clock.advance(seconds: 3600)
            // The successor was never used, so the client never saw it.
            let again = try await service.refresh(first.refreshToken)
            #expect(again.refreshToken == second.refreshToken)
        }
    }

    @Test func loggingOutEndsThisSessionOnly() async throws {
        try await withAuth(replicas: 2) { service in
            let phone = try await service.newSession()
            let tablet = try await service.client(token: nil).send(
                LogIn(email: "kim@example.com", password: "correct horse"))
            _ = try await service.client(token: phone.accessToken).send(LogOut())
            let refused = await problem { try await service.refresh(phone.refreshToken) }
            #expect(refused?.code == .sessionEnded)
            let gone = await problem { try await service.me(phone, replica: 1) }
            #expect(gone?.code == .sessionEnded)
            #expect(try await service.me(tablet).id == phone.user.id)
            _ = try await service.refresh(tablet.refreshToken)
        }
    }

    @Test func sessionsAndTokensExpire() async throws {
        let clock = ManualClock(start)
        try await withAuth(clock: clock.clock) { service in
            let session = try await service.newSession()
            clock.advance(seconds: 901)
            let expired = await problem { try await service.me(session) }
            #expect(expired?.code == .accessTokenExpired)
            #expect(expired?.status == 401)
            let renewed = try await service.refresh(session.refreshToken)
            #expect(try await service.me(renewed).id == session.user.id)
            clock.advance(seconds: 2_592_001)
            let ended = await problem { try await service.refresh(renewed.refreshToken) }
            #expect(ended?.code == .sessionEnded)
        }
    }

    @Test func anOldClientIsAnswered419() async throws {
        let clock = ManualClock(start)
        try await withAuth(clock: clock.clock) { service in
            let session = try await service.newSession()
            clock.advance(seconds: 901)
            let answer = try await service.raw(
                .get, "/v1/auth/me",
                headers: [
                    TransportHeader("Authorization", "Bearer \(session.accessToken)"),
                    TransportHeader("Madang-Expired-Status", "419"),
                ])
            #expect(answer.status == 419)
            let forged = try await service.raw(
                .get, "/v1/auth/me",
                headers: [
                    TransportHeader("Authorization", "Bearer \(session.accessToken)x"),
                    TransportHeader("Madang-Expired-Status", "419"),
                ])
            #expect(forged.status == 401)
        }
    }

    @Test func aSecretIsNeverStoredInClear() async throws {
        try await withAuth { service in
            let session = try await service.newSession()
            let tables = ["account", "session", "refresh_token"]
            for table in tables {
                let text =
                    try await service.database.value(
                        "select string_agg(row_to_json(\(table))::text, ' ') from \(table)") ?? ""
                #expect(!text.contains("correct horse"))
                #expect(!text.contains(session.refreshToken))
            }
        }
    }
}
