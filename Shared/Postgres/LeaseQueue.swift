// The bookkeeping of a bounded pool as a value: who waits, what is idle, how many are open. No I/O,
// so that its rules are tested without a database.

/// Hands at most `maximum` resources to callers in the order they asked.
struct LeaseQueue<Resource, Ticket: Equatable> {
    let maximum: Int
    let maximumWaiters: Int
    private(set) var idle: [Resource] = []
    private(set) var waiting = FIFO<Ticket>()
    private(set) var leased = 0
    private(set) var opening = 0

    init(maximum: Int, maximumWaiters: Int) {
        self.maximum = maximum
        self.maximumWaiters = maximumWaiters
    }

    enum Wait: Equatable {
        /// Too many wait already.
        case refused
        /// The ticket is in line; with `open`, the pool must open one more resource.
        case waiting(open: Bool)
    }

    /// An idle resource: the one used last, so that those not needed become old.
    mutating func take() -> Resource? {
        guard waiting.isEmpty, let resource = idle.popLast() else { return nil }
        leased += 1
        return resource
    }

    mutating func wait(_ ticket: Ticket) -> Wait {
        guard waiting.count < maximumWaiters else { return .refused }
        waiting.append(ticket)
        return .waiting(open: shouldOpen())
    }

    private mutating func shouldOpen() -> Bool {
        guard opening < waiting.count, leased + idle.count + opening < maximum else { return false }
        opening += 1
        return true
    }

    /// A resource was opened. Returns who gets it; `nil` when it is idle.
    mutating func opened(_ resource: Resource) -> Ticket? {
        opening -= 1
        leased += 1
        return release(resource)
    }

    /// A resource could not be opened. Returns those for whom nothing is left to wait for.
    mutating func openFailed() -> [Ticket] {
        opening -= 1
        guard opening == 0, leased == 0 else { return [] }
        return waiting.removeAll()
    }

    /// A resource came back in order. Returns who gets it next; `nil` when it is idle.
    mutating func release(_ resource: Resource) -> Ticket? {
        if let ticket = waiting.removeFirst() { return ticket }
        leased -= 1
        idle.append(resource)
        return nil
    }

    /// A leased resource broke. Returns whether the pool must open another for those who wait.
    mutating func discard() -> Bool {
        leased -= 1
        return shouldOpen()
    }

    /// Takes a ticket out of line. Returns `false` when it is not in line any more.
    mutating func withdraw(_ ticket: Ticket) -> Bool {
        waiting.removeFirst { $0 == ticket } != nil
    }

    /// Takes every ticket out of line that matches.
    mutating func withdraw(where matches: (Ticket) -> Bool) -> [Ticket] {
        var kept = FIFO<Ticket>()
        var withdrawn: [Ticket] = []
        while let ticket = waiting.removeFirst() {
            if matches(ticket) { withdrawn.append(ticket) } else { kept.append(ticket) }
        }
        waiting = kept
        return withdrawn
    }

    /// Takes idle resources out of the pool.
    mutating func removeIdle(where matches: (Resource) -> Bool) -> [Resource] {
        let removed = idle.filter(matches)
        if !removed.isEmpty { idle.removeAll(where: matches) }
        return removed
    }
}
