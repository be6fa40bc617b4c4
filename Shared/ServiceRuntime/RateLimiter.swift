// Request budgets by the generic cell rate algorithm: one number a caller, no timers. Counts are those of one process;
// what must hold over replicas is counted in the database by its owner.
package import Endpoints
import Synchronization

/// Whose requests are counted together. No text for a user: it would have to be made for every request.
package enum BudgetHolder: Sendable, Hashable {
    case user(Int64)
    case address(String)
}

/// The budgets of all callers of a process.
package final class RateLimiter: Sendable {
    /// Callers remembered at most, about 3 MB; those whose budget is full again are dropped first.
    private static let capacity = 65_536

    private let arrivals = Mutex<[Key: UInt64]>([:])

    private struct Key: Hashable {
        var limit: String
        var holder: BudgetHolder
    }

    package init() {}

    /// Counts one request against a budget.
    /// - Parameter now: monotonic nanoseconds.
    /// - Returns: seconds to wait, at least 1, when the budget is used up; `nil` when the request may go on.
    package func spend(_ limit: RateLimit, of holder: BudgetHolder, now: UInt64) -> Int? {
        let window = UInt64(limit.seconds) * 1_000_000_000
        let interval = window / UInt64(limit.requests)
        let key = Key(limit: limit.name, holder: holder)
        return arrivals.withLock { arrivals in
            let arrival = max(arrivals[key] ?? 0, now)
            let next = arrival + interval
            if next > now + window {
                return Int((next - now - window + 999_999_999) / 1_000_000_000)
            }
            if arrivals.count >= Self.capacity && arrivals[key] == nil {
                arrivals = arrivals.filter { $0.value > now }
                // Everybody is busy: forgetting all is kinder than refusing newcomers.
                if arrivals.count >= Self.capacity { arrivals.removeAll() }
            }
            arrivals[key] = next
            return nil
        }
    }
}
