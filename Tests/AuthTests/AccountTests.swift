// Sign-up and log-in. Cases A8, A14, A17.
import AuthAPI
import Endpoints
import TestSupport
import Testing

@Suite struct AccountTests {
    @Test func signUpLogInAndMe() async throws {
        try await withAuth { service in
            let first = try await service.newSession()
            #expect(first.user.email == "kim@example.com")
            #expect(try await service.me(first) == first.user)
            let second = try await service.client(token: nil).send(
                LogIn(email: "kim@example.com", password: "correct horse"))
            #expect(second.user == first.user)
            #expect(second.refreshToken != first.refreshToken)
        }
    }

    @Test func oneAccountWhateverTheCase() async throws {
        try await withAuth { service in
            _ = try await service.newSession("Kim@Example.com")
            let taken = await problem { try await service.newSession("kim@example.com") }
            #expect(taken?.code == .emailTaken)
            let session = try await service.client(token: nil).send(
                LogIn(email: "KIM@EXAMPLE.COM", password: "correct horse"))
            #expect(session.user.email == "Kim@Example.com")
        }
    }

    @Test func twentySignUpsAtOnceMakeOneAccount() async throws {
        try await withAuth(replicas: 2) { service in
            let results = await withTaskGroup(of: Problem.Code?.self) { group in
                for attempt in 0..<20 {
                    group.addTask {
                        do {
                            _ = try await service.newSession(replica: attempt % 2)
                            return nil
                        } catch {
                            return (error as? Problem)?.code ?? .internal
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.filter { $0 == nil }.count == 1)
            #expect(results.filter { $0 == .emailTaken }.count == 19)
            let accounts = try await service.database.value("select count(*) from account")
            #expect(accounts == "1")
        }
    }

    @Test func unknownAddressAndWrongPasswordLookTheSame() async throws {
        try await withAuth { service in
            _ = try await service.newSession()
            let client = service.client(token: nil)
            let wrong = await problem {
                try await client.send(LogIn(email: "kim@example.com", password: "wrong horse"))
            }
            let unknown = await problem {
                try await client.send(LogIn(email: "lee@example.com", password: "wrong horse"))
            }
            let impossible = await problem {
                try await client.send(LogIn(email: "not an address", password: "wrong horse"))
            }
            #expect(wrong?.code == .wrongCredentials)
            #expect(wrong?.detail == unknown?.detail && unknown?.code == .wrongCredentials)
            #expect(wrong?.detail == impossible?.detail)
        }
    }

    @Test(arguments: [
        (
            #"{"email":"kim@example.com","password":"correct horse","nickname":"a\u0000b"}"#,
            "nickname"
        ),
        (
            #"{"email":"kim@example.com","password":"correct horse","nickname":"\u3164\u3164"}"#,
            "nickname"
        ),
        (
            #"{"email":"kim@example.com","password":"correct horse","nickname":"\u200b"}"#,
            "nickname"
        ),
        (#"{"email":"kim@example.com","password":"short","nickname":"kim"}"#, "password"),
        (#"{"email":"kim","password":"correct horse","nickname":"kim"}"#, "email"),
        (#"{"email":"a@b@c","password":"correct horse","nickname":"kim"}"#, "email"),
        (
            #"{"email":"k\u0000m@example.com","password":"correct horse","nickname":"kim"}"#,
            "email"
        ),
        (#"{"email":"kim@example.com","password":"correct horse"}"#, "nickname"),
        (#"{"email":7,"password":"correct horse","nickname":"kim"}"#, "email"),
    ])
    func badInputNamesItsField(body: String, field: String) async throws {
        try await withAuth { service in
            let answer = try await service.raw(.post, "/v1/auth/users", body: body)
            #expect(answer.status == 422)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(#""field":"\#(field)""#))
        }
    }

    @Test func nicknamesAreCountedAsPeopleCount() async throws {
        try await withAuth { service in
            let family = String(repeating: "👨‍👩‍👧‍👦", count: 20)
            let client = service.client(token: nil)
            let session = try await client.send(
                SignUp(email: "a@example.com", password: "correct horse", nickname: family))
            #expect(session.user.nickname == family)
            let longer = await problem {
                try await client.send(
                    SignUp(
                        email: "b@example.com", password: "correct horse",
                        nickname: family + "👨‍👩‍👧‍👦"))
            }
            #expect(longer?.field == "nickname")
            // Decomposed Hangul counts as the syllables it spells and is stored composed.
            let decomposed = "\u{1100}\u{1161}\u{11A8}"
            let composed = try await client.send(
                SignUp(email: "c@example.com", password: "correct horse", nickname: decomposed))
            #expect(composed.user.nickname.unicodeScalars.elementsEqual("각".unicodeScalars))
        }
    }
}
