// What auth gives other services: tokens for their secret, and profiles for their tokens.

import AuthAPI
import AuthService
import Endpoints
import Security
import ServiceRuntime
import TestSupport
import Testing
import Vocabulary

@Suite struct PeerTests {
    private static let secret = "a secret of sixteen or more"

    private func withPeers(_ body: (TestService) async throws -> Void) async throws {
        let key = try SigningKey.generate()
        try await TestService.with(
            AuthService.description, clock: ManualClock(start).clock,
            make: { resources, _ in
                let configuration = AuthConfiguration(
                    signingKey: key, clientSecrets: [.parties: Self.secret])
                return AuthService(
                    resources, configuration: configuration,
                    hasher: PasswordHasher(cost: PasswordCost(logN: 4))
                ).parts()
            }, body)
    }

    private func token(_ service: TestService) async throws -> ServiceToken {
        try await service.client(token: nil).send(
            IssueServiceToken(service: "parties", secret: Self.secret))
    }

    @Test func aServiceGetsProfilesWithItsToken() async throws {
        try await withPeers { service in
            let kim = try await service.newSession("kim@example.com").user
            let lee = try await service.newSession("lee@example.com").user
            let token = try await token(service)
            #expect(token.expiresAt == start.adding(seconds: 600))
            let nobody = UserID(trusted: 9_007_199_254_740_991)
            let answer = try await service.client(token: token.accessToken).send(
                ListUserProfiles(ids: [lee.id, nobody, kim.id, lee.id]))
            #expect(answer.items.map(\.id) == [kim.id, lee.id])
            #expect(answer.items.map(\.nickname) == [kim.nickname, lee.nickname])
        }
    }

    @Test(arguments: [
        ("parties", "a secret of sixteen or mor"), ("parties", ""), ("meetings", secret),
        ("meetings", ""), ("auth", secret), ("nobody", secret), ("", ""),
    ]) func onlyTheRightSecretOpens(name: String, secret: String) async throws {
        try await withPeers { service in
            let refusal = await problem {
                try await service.client(token: nil).send(
                    IssueServiceToken(service: name, secret: secret))
            }
            #expect(refusal?.code == .wrongCredentials)
        }
    }

    @Test func tokensOfUsersAndServicesAreNotExchangeable() async throws {
        try await withPeers { service in
            let session = try await service.newSession()
            let asUser = await problem {
                try await service.client(token: session.accessToken).send(
                    ListUserProfiles(ids: [session.user.id]))
            }
            #expect(asUser?.code == .forbidden)
            let token = try await token(service).accessToken
            let asService = await problem {
                try await service.client(token: token).send(GetMe())
            }
            #expect(asService?.code == .accessTokenInvalid)
        }
    }

    @Test(arguments: [0, ListUserProfiles.most + 1]) func idsAreBounded(count: Int) async throws {
        try await withPeers { service in
            let token = try await token(service).accessToken
            let ids = (0..<count).map { UserID(trusted: Int64($0) + 1) }
            let refusal = await problem {
                try await service.client(token: token).send(ListUserProfiles(ids: ids))
            }
            #expect(refusal?.status == 422)
            #expect(refusal?.field == "ids")
        }
    }
}
