// Connections for one caller at a time: first come, first served, with a deadline, cancellable.
import EventLoop

/// A caller in line for a connection.
final class LeaseWaiter: Equatable, @unchecked Sendable {
    let deadline: UInt64
    /// Whether the caller's own deadline comes before the limit for waiting.
    let isCutShort: Bool
    private var continuation: UnsafeContinuation<Connection, any Error>?
    var isCancelled = false

    init(deadline: UInt64, isCutShort: Bool) {
        self.deadline = deadline
        self.isCutShort = isCutShort
    }

    func suspend(_ continuation: UnsafeContinuation<Connection, any Error>) {
        self.continuation = continuation
    }

    func succeed(_ connection: Connection) {
        continuation?.resume(returning: connection)
        continuation = nil
    }

    func fail(_ error: any Error) {
        continuation?.resume(throwing: error)
        continuation = nil
    }

    static func == (left: LeaseWaiter, right: LeaseWaiter) -> Bool { left === right }
}

extension LoopPool {
    /// A connection that nobody else uses until `giveBack`. Loop thread only.
    /// - Throws: `PostgresError.poolExhausted`, `.unavailable`, `.timedOut`, or `CancellationError`
    ///   when the task is cancelled in line.
    func lease(until deadline: UInt64) async throws -> Connection {
        if let connection = leases.take() {
            leasedConnections[ObjectIdentifier(connection)] = connection
            countLeases()
            return connection
        }
        if leases.leased == 0, leases.opening == 0, channels[0].retry != nil {
            throw PostgresError.unavailable(lastFailure ?? "reconnecting")
        }
        let limit = EventLoop.now &+ configuration.waitLimit
        let waiter = LeaseWaiter(deadline: min(deadline, limit), isCutShort: deadline < limit)
        defer { countLeases() }
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                waiter.suspend(continuation)
                standInLine(waiter)
            }
        } onCancel: {
            loop.execute { [self] in
                waiter.isCancelled = true
                if leases.withdraw(waiter) { waiter.fail(CancellationError()) }
            }
        }
    }

    private func standInLine(_ waiter: LeaseWaiter) {
        if waiter.isCancelled { return waiter.fail(CancellationError()) }
        if isShutDown { return waiter.fail(PostgresError.unavailable("shutting down")) }
        switch leases.wait(waiter) {
        case .refused: waiter.fail(PostgresError.poolExhausted)
        case .waiting(let open):
            watch(waiter.deadline)
            if open { openConnection() }
        }
        countLeases()
    }

    private func openConnection() {
        Connector.connect(configuration, as: .leased, on: loop) { [self] result in
            switch result {
            case .success(let open):
                PoolCounters.count(counters.connects)
                serverIsBack()
                let connection = Connection(open, pool: self, role: .leased)
                hand(connection, to: leases.opened(connection))
            case .failure(let error):
                if case .unavailable(let reason) = error { lastFailure = reason }
                for waiter in leases.openFailed() { waiter.fail(error) }
            }
            countLeases()
        }
    }

    /// Takes a leased connection back: into the pool when it is clean, away with it otherwise.
    func giveBack(_ connection: Connection) {
        leasedConnections[ObjectIdentifier(connection)] = nil
        if connection.isClean { connection.deallocateEvicted() }
        if connection.isClean && !isShutDown {
            connection.idleSince = now
            hand(connection, to: leases.release(connection))
        } else {
            let shouldOpen = leases.discard()
            connection.abandon()
            if shouldOpen { openConnection() }
        }
        countLeases()
    }

    private func hand(_ connection: Connection, to waiter: LeaseWaiter?) {
        guard let waiter else {
            if isShutDown {
                for idle in leases.removeIdle(where: { $0 === connection }) {
                    idle.close("shut down", isLoss: false)
                }
            }
            return scheduleReaping()
        }
        leasedConnections[ObjectIdentifier(connection)] = connection
        waiter.succeed(connection)
    }
}
