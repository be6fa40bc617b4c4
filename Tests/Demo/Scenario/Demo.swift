// The demo scenario: what apps of four kinds do in one sitting, in parts that can be run alone. `make demo` runs it for
// people to watch, the end to end tests to see whether the whole works.
package import AuthAPI
import Endpoints
package import Foundation
package import MadangClient
import Synchronization

/// A sitting, through one edge.
package final class Demo: Sendable {
    private let edge: URL
    private let say: @Sendable (String) -> Void
    private let count = Mutex(0)

    /// What belongs together, each part for people who have signed up.
    package enum Part: CaseIterable, Sendable {
        case shareATaxi, arrangeAMeeting, watchTheMarket, followFootball
    }

    /// The two who are in it, signed in.
    package struct People: Sendable {
        package let minji: Madang
        package let jun: Madang
        package let junsUser: User
    }

    /// A step that went wrong, after it was said.
    package struct Failure: Error, CustomStringConvertible {
        package let step: String
        /// What the client threw, or an `Unexpected`.
        package let cause: any Error
        package var description: String { "\(step): \(cause)" }
    }

    /// An answer that is not as it should be.
    struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameters:
    ///   - edge: one origin for all services.
    ///   - say: takes a line for each step.
    package init(edge: URL, say: @escaping @Sendable (String) -> Void) {
        self.edge = edge
        self.say = say
    }

    /// How many steps were begun.
    package var steps: Int { count.withLock { $0 } }

    /// The whole sitting.
    /// - Throws: `Failure`.
    package func run() async throws {
        let people = try await signUp()
        for part in Part.allCases { try await run(part, people) }
    }

    /// One part of it.
    /// - Throws: `Failure`.
    package func run(_ part: Part, _ people: People) async throws {
        switch part {
        case .shareATaxi: try await shareATaxi(people)
        case .arrangeAMeeting: try await arrangeAMeeting(people)
        case .watchTheMarket: try await watchTheMarket(people)
        case .followFootball: try await followFootball(people)
        }
    }

    /// New people on each call, so that it can be repeated.
    /// - Throws: `Failure`.
    package func signUp() async throws -> People {
        let run = UUID().uuidString.prefix(8).lowercased()
        let minji = stranger()
        let jun = stranger()
        try await step("Minji signs up") {
            let user = try await minji.signUp(
                email: "minji-\(run)@example.com", password: "a long password", nickname: "민지")
            return ((), "user \(user.id), \(user.nickname)")
        }
        let user = try await step("Jun signs up and logs in again") {
            let user = try await jun.signUp(
                email: "jun-\(run)@example.com", password: "a long password", nickname: "Jun")
            let again = try await jun.logIn(
                email: "JUN-\(run)@example.com", password: "a long password")
            try expect(again.id == user.id, "another account")
            return (again, "user \(again.id), whatever the case of the address")
        }
        try await step("A wrong password is refused") {
            do {
                _ = try await stranger().logIn(
                    email: "jun-\(run)@example.com", password: "not the password")
                throw Unexpected(description: "it was accepted")
            } catch let problem as Problem {
                try expect(problem.code == .wrongCredentials, "\(problem)")
                return ((), "\(problem.status) \(problem.code)")
            }
        }
        return People(minji: minji, jun: jun, junsUser: user)
    }

    /// An app that nobody is logged in to.
    package func stranger() -> Madang {
        Madang(baseURL: edge, store: MemorySessionStore())
    }

    /// Runs one step, numbers it, and says what came of it.
    /// - Parameters:
    ///   - title: what an onlooker should know.
    ///   - body: does it and says in a few words what came of it.
    func step<Value>(
        _ title: String, _ body: () async throws -> (Value, said: String)
    ) async throws -> Value {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let prefix = String(format: "%2d", number)
        do {
            let (value, said) = try await body()
            say("\(prefix). \(title): \(said)")
            return value
        } catch {
            say("\(prefix). \(title): FAILED")
            throw Failure(step: title, cause: error)
        }
    }

    /// Throws unless something holds.
    func expect(_ holds: Bool, _ description: String) throws {
        if !holds { throw Unexpected(description: description) }
    }
}
