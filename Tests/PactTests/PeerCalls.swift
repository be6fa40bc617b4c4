// Every call from one service to another, by the code that makes it.

import AuthAPI
import Endpoints
import PartiesAPI
import Security
import ServiceRuntime
import Vocabulary

/// What pacts.sh gives every service. The token of a request is put in there, too.
private let secret = "secret-of-the-third-parties"

/// The typed client as a peer uses it.
private func client(_ transport: any EndpointTransport) -> EndpointClient {
    EndpointClient(transport: transport) { "a service token" }
}

/// The code of the problem that a call ends with.
private func code(of call: () async throws -> some Any) async throws -> String {
    do {
        _ = try await call()
        return "none"
    } catch let problem as Problem {
        return "\(problem.code)"
    }
}

extension Pact {
    /// Each service that takes users' tokens verifies them.
    mutating func expectKeys() async throws {
        let key = Key(
            kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", y: nil,
            kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", alg: "EdDSA", use: "sig")
        try await expect(
            "the keys of access tokens", status: 200, example: KeySet(keys: [key])
        ) { transport in
            let keys = PublishedKeys(
                auth: transport, log: Log(service: "pact", level: .error, format: .text))
            return try await !keys.keys(including: nil).isEmpty
        }
    }

    /// Each service that calls others shows them a token.
    mutating func expectServiceToken() async throws {
        let service = consumer.rawValue
        let token = ServiceToken(
            accessToken: "a.b.c", expiresAt: Instant(microseconds: 1_700_000_000_000_000))
        try await expect("a service token", status: 201, example: token) { transport in
            try await client(transport).send(IssueServiceToken(service: service, secret: secret))
        }
        try await expect(
            "a service token for a wrong secret", status: 401,
            example: Problem(.wrongCredentials), matching: .exactly
        ) { transport in
            try await code {
                try await client(transport).send(
                    IssueServiceToken(service: service, secret: "not this service's secret"))
            }
        }
    }

    mutating func expectUserProfiles() async throws {
        let profile = UserProfile(id: UserID(trusted: 1), nickname: "미나", photo: nil)
        try await expect(
            "profiles of users", given: "users 1 and 2 exist", status: 200,
            example: UserProfiles(items: [profile])
        ) { transport in
            try await client(transport).send(
                ListUserProfiles(ids: [UserID(trusted: 1), UserID(trusted: 2)]))
        }
        try await expect(
            "profiles of users who do not exist", status: 200, example: UserProfiles(items: []),
            matching: .exactly
        ) { transport in
            try await client(transport).send(ListUserProfiles(ids: [UserID(trusted: 1_000_000)]))
        }
    }

    mutating func expectAddresses() async throws {
        let address = Address(
            name: "서울특별시 영등포구", language: "ko", precision: .district, distanceMeters: 900,
            source: "gazetteer")
        try await expect("the address of a point", status: 200, example: address) { transport in
            try await client(transport).send(
                FindAddressForPeer(latitude: 37.5284, longitude: 126.9337))
        }
        try await expect(
            "the address of a point in the sea", status: 404, example: Problem(.notFound),
            matching: .exactly
        ) { transport in
            try await code {
                try await client(transport).send(FindAddressForPeer(latitude: 0, longitude: -30))
            }
        }
    }

    /// What every service expects of those it calls.
    static var all: [Pact] {
        get async throws {
            var pacts: [Pact] = []
            for consumer in ServiceName.allCases where consumer != .auth {
                var pact = Pact(consumer, .auth)
                try await pact.expectKeys()
                if consumer == .parties || consumer == .meetings {
                    try await pact.expectServiceToken()
                    try await pact.expectUserProfiles()
                }
                pacts.append(pact)
            }
            var pact = Pact(.meetings, .parties)
            try await pact.expectAddresses()
            pacts.append(pact)
            return pacts
        }
    }
}
