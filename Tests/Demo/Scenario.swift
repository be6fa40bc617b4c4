// A scenario that people can read: each step says what it does, does it through the edge as an app would, and ends the
// program when it fails.
import Foundation
import MadangClient

/// Prints and counts steps.
struct Scenario {
    private var number = 0

    /// Runs one step.
    /// - Parameters:
    ///   - title: what an onlooker should know.
    ///   - body: does it and says in a few words what came of it.
    mutating func step<Value>(
        _ title: String, _ body: () async throws -> (Value, said: String)
    ) async -> Value {
        number += 1
        let prefix = String(format: "%2d", number)
        do {
            let (value, said) = try await body()
            print("\(prefix). \(title): \(said)")
            return value
        } catch {
            print("\(prefix). \(title): FAILED\n    \(error)")
            exit(1)
        }
    }

    /// A failed expectation.
    struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    /// Throws unless something holds.
    static func expect(_ holds: Bool, _ description: String) throws {
        if !holds { throw Unexpected(description: description) }
    }

    func finish() {
        print("All \(number) steps went well.")
    }
}
