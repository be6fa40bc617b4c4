// One libpq connection in pipeline mode on its loop. Sending half; Connection+Receiving.swift has
// the other.
//
// libpq returns a NULL between the results of two queries and says "not busy" when idle, so the
// connection keeps its own list of what it has sent. Queries between two Syncs share an implicit
// transaction: an error undoes and cuts off the others, which is why only reads share one.
import CPostgres
import EventLoop

final class Connection: Watcher, Deferred, @unchecked Sendable {
    let raw: OpaquePointer
    let pool: LoopPool
    let role: ConnectionRole
    let openedAt: UInt64
    var idleSince: UInt64

    /// What was sent and is not answered, in order.
    enum Sent {
        case execute(PendingQuery)
        case prepare(Statement)
        /// A statement whose answer nobody needs.
        case command
        case sync
    }
    var sent = FIFO<Sent>()
    /// Executions in `sent`.
    var queryCount = 0
    /// When the oldest query in `sent` became the one that the server works on.
    var headSince: UInt64 = 0
    /// Why the statement being prepared was refused; goes to the execution behind it.
    var prepareFailure: ServerFailure?
    /// The first error since the last Sync.
    var groupFailure: ServerFailure?
    /// A write that has run and is not committed before its Sync is answered.
    var unconfirmed: (query: PendingQuery, answer: ServerResult)?
    var prepared: PreparedStatements

    /// Whether a transaction block is open, so that nothing of our own may come between.
    var isInTransaction = false
    var isClosed = false
    /// When the server was asked to cancel an abandoned query, and when first.
    var cancelledAt: UInt64?
    var firstCancelledAt: UInt64?

    private var groupIsOpen = false
    private var isFlushDue = false
    private var wantsWrite = false
    private var evicted: [Int] = []
    private var parameters = ParameterBuffers()

    init(_ connection: OpenConnection, pool: LoopPool, role: ConnectionRole) {
        raw = connection.raw
        self.pool = pool
        self.role = role
        openedAt = EventLoop.now
        idleSince = openedAt
        prepared = PreparedStatements(limit: pool.configuration.preparedStatements)
        super.init(descriptor: PQsocket(connection.raw))
        pool.loop.register(self, for: [.readable])
    }

    /// Whether the server has worked on the same query for longer than reads should wait behind.
    func isHeldUp(at now: UInt64) -> Bool {
        queryCount > 0 && now > headSince && now - headSince > LoopPool.holdUpLimit
    }

    /// Whether nothing is under way and the next user finds a clean session.
    var isClean: Bool {
        !isClosed && queryCount == 0 && unconfirmed == nil && !groupIsOpen && !isInTransaction
    }

    func takeUnconfirmed() -> (query: PendingQuery, answer: ServerResult)? {
        defer { unconfirmed = nil }
        return unconfirmed
    }

    // MARK: Sending

    /// Sends a read that shares the Sync of this turn with others.
    func share(_ query: PendingQuery) {
        if query.isIsolated { endGroup() }
        guard submit(query, preparingAlone: true) else { return }
        if query.isIsolated { return endGroup() }
        if !groupIsOpen || isFlushDue { return }
        isFlushDue = true
        pool.loop.atEndOfTurn(self)
    }

    /// Sends a statement that stands alone, or follows `opening` in the same Sync.
    func send(_ query: PendingQuery, after opening: PendingQuery? = nil) {
        if let opening {
            guard submit(opening, preparingAlone: false) else { return query.fail(lostError) }
            isInTransaction = true
        }
        if submit(query, preparingAlone: false) { endGroup() }
    }

    private var lostError: PostgresError { .connectionLost("the connection is closed") }

    func endOfTurn() {
        isFlushDue = false
        endGroup()
    }

    /// Queues the execution in libpq, with its preparation the first time.
    private func submit(_ query: PendingQuery, preparingAlone: Bool) -> Bool {
        guard !isClosed else {
            query.fail(lostError)
            return false
        }
        if case .new(let victim) = prepared.use(query.statement.number) {
            if let victim { evicted.append(victim) }
            if preparingAlone {
                endGroup()
                query.isIsolated = true
            }
            guard deallocateEvicted(), prepare(query.statement) else {
                query.fail(lostError)
                return false
            }
        }
        return execute(query)
    }

    private func prepare(_ statement: Statement) -> Bool {
        let count = Int32(statement.parameterTypes.count)
        let types = statement.parameterTypes.map { Oid($0) }
        guard PQsendPrepare(raw, statement.name, statement.text, count, types) == 1 else {
            close(Connector.message(of: raw))
            return false
        }
        groupIsOpen = true
        sent.append(.prepare(statement))
        return true
    }

    private func execute(_ query: PendingQuery) -> Bool {
        let statement = query.statement
        let count = parameters.fill(from: query.sql)
        let accepted = query.sql.values.bytes.withUnsafeBytes { bytes in
            parameters.rebase(to: bytes, count: count)
            return PQsendQueryPrepared(
                raw, statement.name, Int32(count), parameters.values, parameters.lengths,
                parameters.formats, 1)
        }
        guard accepted == 1 else {
            let reason = Connector.message(of: raw)
            query.fail(PostgresError.connectionLost(reason))
            close(reason)
            return false
        }
        if queryCount == 0 { headSince = pool.now }
        queryCount += 1
        groupIsOpen = true
        sent.append(.execute(query))
        return true
    }

    /// Closes statements that made place for others; outside of transaction blocks, where an error
    /// would do harm.
    @discardableResult
    func deallocateEvicted() -> Bool {
        guard !isInTransaction, !groupIsOpen else { return true }
        let numbers = evicted
        evicted.removeAll(keepingCapacity: true)
        for number in numbers {
            let command = "deallocate s\(number)"
            guard PQsendQueryParams(raw, command, 0, nil, nil, nil, nil, 0) == 1 else {
                close(Connector.message(of: raw))
                return false
            }
            groupIsOpen = true
            sent.append(.command)
            endGroup()
            if isClosed { return false }
        }
        return true
    }

    /// Forgets a statement that the server refused as stale, and closes it there when it still
    /// exists.
    func forget(_ statement: Statement, existsOnServer: Bool) {
        prepared.forget(statement.number)
        if existsOnServer { evicted.append(statement.number) }
    }

    /// Ends the implicit transaction and writes everything out.
    private func endGroup() {
        guard groupIsOpen, !isClosed else { return }
        groupIsOpen = false
        guard PQpipelineSync(raw) == 1 else { return close(Connector.message(of: raw)) }
        sent.append(.sync)
        flush()
    }

    func flush() {
        let state = PQflush(raw)
        if state < 0 { return close(Connector.message(of: raw)) }
        let isBlocked = state == 1
        guard isBlocked != wantsWrite else { return }
        wantsWrite = isBlocked
        pool.loop.update(self, for: isBlocked ? [.readable, .writable] : [.readable])
    }

    override func ready(_ readiness: Readiness) {
        receive()
    }

    // MARK: Deadlines

    /// Fails the queries whose deadline has passed and has the server cancel what it does for them.
    ///
    /// Returns the next instant at which the connection must be looked at.
    func expire(at now: UInt64) -> UInt64 {
        var next = UInt64.max
        var isHead = true
        var headIsAbandoned = false
        sent.forEach { entry in
            guard case .execute(let query) = entry else { return }
            if !query.isAbandoned {
                if query.deadline <= now {
                    PoolCounters.count(pool.counters.timeouts)
                    query.fail(PostgresError.timedOut)
                } else {
                    next = min(next, query.deadline)
                }
            }
            if isHead { headIsAbandoned = query.isAbandoned && query.deadline <= now }
            isHead = false
        }
        if headIsAbandoned {
            cancelHead(at: now)
            next = min(next, now + LoopPool.cancelInterval)
        }
        return isClosed ? UInt64.max : next
    }

    private func cancelHead(at now: UInt64) {
        if let first = firstCancelledAt, now - first > LoopPool.cancelPatience {
            return close("no answer to a cancel request")
        }
        if let last = cancelledAt, now - last < LoopPool.cancelInterval { return }
        cancelledAt = now
        if firstCancelledAt == nil { firstCancelledAt = now }
        Connector.cancel(raw)
    }

    // MARK: Closing

    /// Gives the connection up with whatever it is doing.
    func abandon() {
        if isClosed { return }
        if queryCount > 0 { Connector.cancel(raw) }
        close("given up")
    }

    /// Ends the connection: reads that the server did not start on are sent elsewhere, the others
    /// fail.
    func close(_ reason: String, isLoss: Bool = true) {
        guard !isClosed else { return }
        isClosed = true
        pool.loop.unregister(self)
        PQfinish(raw)
        if isLoss { PoolCounters.count(pool.counters.losses) }
        if let (query, answer) = takeUnconfirmed() {
            answer.discard()
            query.fail(PostgresError.connectionLost(reason))
        }
        let orphans = sent.removeAll()
        queryCount = 0
        pool.connectionClosed(self)
        var isHead = true
        for case .execute(let query) in orphans {
            defer { isHead = false }
            if !isHead, role == .reads, query.takeRepeat() {
                pool.submitRead(query)
            } else {
                query.fail(PostgresError.connectionLost(reason))
            }
        }
    }
}

/// The arrays that libpq takes parameters in, kept between queries.
struct ParameterBuffers: ~Copyable {
    private(set) var values: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private(set) var lengths: UnsafeMutablePointer<Int32>
    private(set) var formats: UnsafeMutablePointer<Int32>
    private var offsets: UnsafeMutablePointer<Int32>
    private var capacity = 16
    /// What an empty value points to: libpq takes a null pointer as NULL.
    private let nothing = UnsafeMutablePointer<CChar>.allocate(capacity: 1)

    init() {
        values = .allocate(capacity: capacity)
        lengths = .allocate(capacity: capacity)
        formats = .allocate(capacity: capacity)
        offsets = .allocate(capacity: capacity)
        nothing.pointee = 0
    }

    deinit {
        deallocate()
        nothing.deallocate()
    }

    private func deallocate() {
        values.deallocate()
        lengths.deallocate()
        formats.deallocate()
        offsets.deallocate()
    }

    /// Notes lengths, formats and places of the values of `sql`. Returns their number.
    mutating func fill(from sql: SQL) -> Int {
        if sql.pieces.count > capacity {
            deallocate()
            capacity = sql.pieces.count * 2
            values = .allocate(capacity: capacity)
            lengths = .allocate(capacity: capacity)
            formats = .allocate(capacity: capacity)
            offsets = .allocate(capacity: capacity)
        }
        var count = 0
        for piece in sql.pieces where piece.isValue {
            lengths[count] = max(piece.count, 0)
            formats[count] = piece.format
            offsets[count] = piece.count < 0 ? -1 : piece.offset
            count += 1
        }
        return count
    }

    /// Turns the places into addresses within `bytes`.
    mutating func rebase(to bytes: UnsafeRawBufferPointer, count: Int) {
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        for position in 0..<count {
            let offset = Int(offsets[position])
            values[position] =
                offset < 0
                ? nil : UnsafePointer(start.map { $0 + offset } ?? UnsafePointer(nothing))
        }
    }
}
