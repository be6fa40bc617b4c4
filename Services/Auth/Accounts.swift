// Sign-up, log-in, and who the caller is.
import AuthAPI
import Endpoints
import Postgres
import Security
import ServiceRuntime
import Vocabulary

extension AuthService {
    func signUp(_ request: SignUp, _ context: Context) async throws -> AuthSession {
        let email = try EmailAddress(request.email)
        try checkPassword(request.password)
        let nickname = try self.nickname(request.nickname)
        let hash = try await hashing { try await hasher.hash(request.password) }
        let now = clock.now()
        let random = self.random
        let opened = OpenedSession(random)
        let expires = now.adding(seconds: configuration.refreshTokenSeconds)
        do {
            return try await database.transaction(deadline: context.deadline) { transaction in
                let account = try await transaction.one(
                    Self.insertAccount(email, hash, nickname, now))
                let user = User(
                    id: account, nickname: nickname, email: email.text, photo: nil)
                let session = try await transaction.one(
                    Self.insertSession(account, opened.chainKey, now, expires))
                try await transaction.run(Self.insertToken(opened.token, session, 1))
                return try self.session(
                    session, user, "user", refreshToken: opened.token, now)
            }
        } catch let error as PostgresError
            where error.isUniqueViolation(of: "account_email_key_unique")
        {
            throw Problem(.emailTaken)
        }
    }

    func logIn(_ request: LogIn, _ context: Context) async throws -> AuthSession {
        // An address that can't exist is treated like one that does not, in the same time.
        var account: AccountRow?
        if let email = try? EmailAddress(request.email) {
            account = try await database.row(
                Self.accountByEmail(email), deadline: context.deadline)
        }
        let stored = account?.passwordHash
        let isRight = try await hashing { try await hasher.verify(request.password, stored) }
        guard isRight, let account, let stored else { throw Problem(.wrongCredentials) }
        if hasher.needsRehash(stored) {
            let hash = try await hashing { try await hasher.hash(request.password) }
            try await database.run(
                Self.replaceHash(account.id, from: stored, to: hash), deadline: context.deadline)
        }
        let now = clock.now()
        let opened = OpenedSession(random)
        let expires = now.adding(seconds: configuration.refreshTokenSeconds)
        let id = try await database.transaction(deadline: context.deadline) { transaction in
            let session = try await transaction.one(
                Self.insertSession(account.id, opened.chainKey, now, expires))
            try await transaction.run(Self.insertToken(opened.token, session, 1))
            return session
        }
        return try session(id, account.user, account.role, refreshToken: opened.token, now)
    }

    func getMe(_: GetMe, _ context: Context) async throws -> User {
        let caller = try context.user
        let account = try await database.row(
            Self.accountOfSession(caller.session, caller.id), deadline: context.deadline)
        guard let account else { throw Problem(.sessionEnded) }
        return account.user
    }

    // MARK: Rules

    private func nickname(_ text: String) throws(Problem) -> String {
        do throws(TextFault) {
            return try TextRule(AccountLimits.nickname).apply(text)
        } catch {
            throw Problem(.invalidField, "nickname \(error)", field: "nickname")
        }
    }

    private func checkPassword(_ password: String) throws(Problem) {
        let length = password.count
        guard AccountLimits.password.contains(length), password.utf8.count <= 4096 else {
            let (least, most) = (
                AccountLimits.password.lowerBound, AccountLimits.password.upperBound
            )
            throw Problem(
                .invalidField, "password has \(least) to \(most) characters", field: "password")
        }
    }

    private func hashing<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch is PasswordHasherBusy {
            throw Problem(
                .unavailable, "Too many people are logging in; try again.", retryAfter: 3)
        }
    }
}

/// An e-mail address as it is shown and as it is compared.
struct EmailAddress: Sendable {
    let text: String
    /// Composed and in lower case: two addresses with the same key are one.
    let key: String

    /// - Throws: `invalid_field` for what has not the form of an address.
    init(_ text: String) throws(Problem) {
        let composed: String
        do throws(TextFault) {
            composed = try TextRule(AccountLimits.email).apply(text)
        } catch {
            throw Problem(.invalidField, "email \(error)", field: "email")
        }
        guard EmailForm.matches(composed) else {
            throw Problem(.invalidField, "email is not an address", field: "email")
        }
        self.text = composed
        key = composed.lowercased()
    }
}
