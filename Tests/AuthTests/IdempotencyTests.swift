// `Idempotency-Key` as every service has it. Case X3.
import AuthAPI
import Endpoints
import Security
import TestSupport
import Testing

@Suite struct IdempotencyTests {
    private let body = #"{"email":"kim@example.com","password":"correct horse","nickname":"kim"}"#

    private func signUp(
        _ service: TestService, _ key: String, _ body: String
    ) async throws -> TransportResponse {
        try await service.raw(
            .post, "/v1/auth/users", body: body,
            headers: [TransportHeader("Idempotency-Key", key)])
    }

    @Test func aRepetitionIsAnsweredAsBefore() async throws {
        try await withAuth { service in
            let first = try await signUp(service, "one", body)
            let second = try await signUp(service, "one", body)
            #expect(first.status == 201)
            #expect(second.status == 201)
            #expect(first.body == second.body)
        }
    }

    @Test func anotherRequestUnderTheKeyIsAConflict() async throws {
        try await withAuth { service in
            _ = try await signUp(service, "one", body)
            let other = try await signUp(
                service, "one", body.replacing("kim@example.com", with: "lee@example.com"))
            #expect(other.status == 409)
            #expect(String(decoding: other.body, as: UTF8.self).contains("idempotency_key_reused"))
        }
    }

    @Test func aRefusedRequestMayBePutRight() async throws {
        try await withAuth { service in
            let bad = body.replacing("correct horse", with: "short")
            let refused = try await signUp(service, "one", bad)
            #expect(refused.status == 422)
            let accepted = try await signUp(service, "one", body)
            #expect(accepted.status == 201)
        }
    }

    @Test func parallelRepetitionsDoItOnce() async throws {
        try await withAuth(replicas: 1) { service in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await signUp(service, "one", body).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // Whoever comes while it is being done is told so; nobody is told that the address is taken.
            #expect(statuses.allSatisfy { $0 == 201 || $0 == 409 })
            #expect(statuses.contains(201))
            let accounts = try await service.database.value("select count(*) from account")
            #expect(accounts == "1")
            let later = try await signUp(service, "one", body)
            #expect(later.status == 201)
        }
    }

    @Test func neitherKeyNorPasswordNorTokenIsStored() async throws {
        try await withAuth { service in
            let answer = try await signUp(service, "a-key-of-mine", body)
            let session = String(decoding: answer.body, as: UTF8.self)
            let token = try #require(session.split(separator: "\"").first { $0.hasPrefix("eyJ") })
            let stored = try await service.database.value(
                "select key || encode(body, 'escape') from idempotency_key")
            let row = try #require(stored)
            #expect(!row.contains("a-key-of-mine"))
            #expect(!row.contains(token))
            let fingerprint = try await service.database.value(
                "select encode(fingerprint, 'hex') from idempotency_key")
            #expect(
                fingerprint != hexadecimal(sha256(Array("/v1/auth/users".utf8) + [0] + body.utf8)))
        }
    }

    @Test func keysAreForgottenAfterADay() async throws {
        try await withAuth { service in
            _ = try await signUp(service, "one", body)
            try await service.database.execute(
                "update idempotency_key set claimed_at = now() - interval '25 hours'")
            let other = body.replacing("kim@example.com", with: "lee@example.com")
            _ = try await signUp(service, "two", other)
            let rows = try await service.database.value("select count(*) from idempotency_key")
            #expect(rows == "1")
        }
    }
}
