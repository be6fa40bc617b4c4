// The rules of the bounded pool, without a database.

import Testing

@testable import Postgres

@Suite struct LeaseQueueTests {
    private typealias Leases = LeaseQueue<String, Int>

    @Test func opensOnDemandUpToTheMaximum() {
        var leases = Leases(maximum: 2, maximumWaiters: 10)
        #expect(leases.take() == nil)
        #expect(leases.wait(1) == .waiting(open: true))
        #expect(leases.wait(2) == .waiting(open: true))
        #expect(leases.wait(3) == .waiting(open: false))
        #expect(leases.opened("a") == 1)
        #expect(leases.opened("b") == 2)
        #expect(leases.leased == 2 && leases.opening == 0)
        #expect(leases.release("a") == 3)
        #expect(leases.release("b") == nil)
        #expect(leases.idle == ["b"] && leases.leased == 1)
        #expect(leases.take() == "b")
    }

    @Test func servesInTheOrderOfArrival() {
        var leases = Leases(maximum: 1, maximumWaiters: 100)
        for ticket in 0..<50 { _ = leases.wait(ticket) }
        let withdrawn = [leases.withdraw(7), leases.withdraw(7)]
        #expect(withdrawn == [true, false])
        var served: [Int] = []
        var next = leases.opened("a")
        while let ticket = next {
            served.append(ticket)
            next = leases.release("a")
        }
        #expect(served == (0..<50).filter { $0 != 7 })
    }

    @Test func refusesWhenTooManyWait() {
        var leases = Leases(maximum: 1, maximumWaiters: 2)
        _ = leases.wait(1)
        _ = leases.wait(2)
        #expect(leases.wait(3) == .refused)
    }

    @Test func aBrokenResourceIsReplacedForThoseWhoWait() {
        var leases = Leases(maximum: 1, maximumWaiters: 10)
        _ = leases.wait(1)
        #expect(leases.opened("a") == 1)
        #expect(leases.wait(2) == .waiting(open: false))
        let mustReplace = leases.discard()
        #expect(mustReplace)
        #expect(leases.opened("b") == 2)
        let mustReplaceAgain = leases.discard()
        #expect(!mustReplaceAgain)
        #expect(leases.leased == 0 && leases.opening == 0)
    }

    @Test func afterTheLastFailedAttemptNobodyIsLeftWaiting() {
        var leases = Leases(maximum: 2, maximumWaiters: 10)
        for ticket in 1...3 { _ = leases.wait(ticket) }
        #expect(leases.openFailed() == [])
        #expect(leases.openFailed() == [1, 2, 3])
        // While somebody works there is something to wait for.
        _ = leases.wait(4)
        _ = leases.wait(5)
        #expect(leases.opened("a") == 4)
        #expect(leases.openFailed() == [])
        #expect(leases.release("a") == 5)
    }

    @Test func queueKeepsOrderAcrossGrowth() {
        var queue = FIFO<Int>()
        var expected = 0
        for number in 0..<1000 {
            queue.append(number)
            if number.isMultiple(of: 3) {
                #expect(queue.removeFirst() == expected)
                expected += 1
            }
        }
        #expect(queue.removeFirst { $0 == 500 } == 500)
        #expect(queue.removeAll() == (expected..<1000).filter { $0 != 500 })
        #expect(queue.isEmpty && queue.first == nil)
    }
}
