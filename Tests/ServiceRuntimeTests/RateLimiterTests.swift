// Budgets by the generic cell rate algorithm.
import Endpoints
import ServiceRuntime
import Testing

@Suite struct RateLimiterTests {
    private let limit = RateLimit("test", requests: 10, seconds: 60, per: .user)
    private let second: UInt64 = 1_000_000_000

    @Test func aBudgetIsSpentAndComesBack() {
        let limiter = RateLimiter()
        let now = 1000 * second
        for _ in 0..<10 { #expect(limiter.spend(limit, of: .user(1), now: now) == nil) }
        #expect(limiter.spend(limit, of: .user(1), now: now) == 6)
        // A refused request costs nothing.
        #expect(limiter.spend(limit, of: .user(1), now: now) == 6)
        #expect(limiter.spend(limit, of: .user(1), now: now + 6 * second) == nil)
        #expect(limiter.spend(limit, of: .user(1), now: now + 6 * second) == 6)
    }

    @Test func everybodyHasABudgetOfTheirOwn() {
        let limiter = RateLimiter()
        for _ in 0..<10 { _ = limiter.spend(limit, of: .user(1), now: second) }
        #expect(limiter.spend(limit, of: .user(1), now: second) != nil)
        #expect(limiter.spend(limit, of: .user(2), now: second) == nil)
        #expect(limiter.spend(limit, of: .address("1"), now: second) == nil)
        let other = RateLimit("other", requests: 10, seconds: 60, per: .user)
        #expect(limiter.spend(other, of: .user(1), now: second) == nil)
    }

    @Test func manyCallersAreForgottenNotRefused() {
        let limiter = RateLimiter()
        for user in 0..<100_000 {
            #expect(limiter.spend(limit, of: .user(Int64(user)), now: second) == nil)
        }
    }
}
