// When calls to a peer are held back and when one may probe.

import ServiceRuntime
import Testing

@Suite struct CircuitBreakerTests {
    private let pause = CircuitBreaker.shortestPause

    /// A breaker that expectations may change.
    private final class Held {
        var value = CircuitBreaker()
        func mayCall(at now: UInt64) -> Bool { value.mayCall(at: now) }
        func failed(at now: UInt64) { value.failed(at: now) }
        func succeeded() { value.succeeded() }
    }

    private func opened(at now: UInt64) -> Held {
        let breaker = Held()
        for _ in 0..<CircuitBreaker.threshold { breaker.failed(at: now) }
        return breaker
    }

    @Test func failuresInARowHoldCallsBack() {
        let breaker = Held()
        for _ in 1..<CircuitBreaker.threshold { breaker.failed(at: 0) }
        #expect(breaker.mayCall(at: 0))
        breaker.failed(at: 0)
        #expect(!breaker.mayCall(at: 0))
        #expect(!breaker.mayCall(at: pause - 1))
    }

    @Test func anAnswerBetweenStartsTheCountAgain() {
        let breaker = Held()
        for _ in 1..<CircuitBreaker.threshold { breaker.failed(at: 0) }
        breaker.succeeded()
        for _ in 1..<CircuitBreaker.threshold { breaker.failed(at: 0) }
        #expect(breaker.mayCall(at: 0))
    }

    @Test func oneCallAPauseProbes() {
        let breaker = opened(at: 0)
        #expect(breaker.mayCall(at: pause))
        #expect(!breaker.mayCall(at: pause), "one is enough")
        #expect(breaker.mayCall(at: 2 * pause), "a probe that never reports is not waited for")
    }

    @Test func aProbeThatIsAnsweredLetsAllThrough() {
        let breaker = opened(at: 0)
        #expect(breaker.mayCall(at: pause))
        breaker.succeeded()
        #expect(breaker.mayCall(at: pause))
        #expect(breaker.mayCall(at: pause))
    }

    @Test func probesThatFailBecomeRareButNeverEnd() {
        let breaker = opened(at: 0)
        var now: UInt64 = pause
        for _ in 0..<20 {
            #expect(breaker.mayCall(at: now))
            breaker.failed(at: now)
            #expect(!breaker.mayCall(at: now))
            now += CircuitBreaker.longestPause
        }
        #expect(breaker.mayCall(at: now))
    }
}
