// What comes back on a connection, matched with what was sent.
import CPostgres
import EventLoop

extension Connection {
    /// Reads what has arrived and answers the queries it belongs to.
    func receive() {
        guard !isClosed else { return }
        let isAlive = PQconsumeInput(raw) == 1
        let reason = isAlive ? "" : Connector.message(of: raw)
        drain()
        if isClosed { return }
        if !isAlive { return close(reason) }
        if !sent.isEmpty { flush() }
    }

    private func drain() {
        var answered = false
        while !isClosed, let entry = sent.first, PQisBusy(raw) == 0 {
            guard let result = PQgetResult(raw) else { return close("answers out of step") }
            // A NULL follows each result but that of a Sync. It must be taken before anything is
            // sent: while a pipeline is aborted, sending makes libpq pass over it.
            if PQresultStatus(result) != PGRES_PIPELINE_SYNC { skipToSeparator() }
            if PQstatus(raw) == CONNECTION_BAD, PQresultStatus(result) == PGRES_FATAL_ERROR {
                let reason = ServerFailure(result: result).message
                PQclear(result)
                return close(reason.split(separator: "\n").first.map(String.init) ?? reason)
            }
            answered = true
            receive(result, for: entry)
        }
        if answered { headSince = EventLoop.now }
        // Errors that arrive unasked, as at a shutdown, are noticed here.
        if sent.isEmpty && !isClosed { _ = PQisBusy(raw) }
    }

    private func skipToSeparator() {
        while PQisBusy(raw) == 0, let extra = PQgetResult(raw) { PQclear(extra) }
    }

    private func receive(_ result: OpaquePointer, for entry: Sent) {
        switch entry {
        case .sync:
            receiveSync(result)
        case .command:
            sent.removeFirst()
            PQclear(result)
        case .prepare(let statement):
            sent.removeFirst()
            receivePreparation(result, of: statement)
        case .execute(let query):
            sent.removeFirst()
            queryCount -= 1
            if query.isAbandoned { firstCancelledAt = nil }
            receiveAnswer(result, of: query)
        }
    }

    /// The implicit transaction of the statements before it is over: only now is a single write
    /// committed, and a deferred constraint may still refuse it.
    private func receiveSync(_ result: OpaquePointer) {
        defer { PQclear(result) }
        if PQresultStatus(result) == PGRES_FATAL_ERROR {
            // Comes ahead of the Sync's own result.
            let failure = ServerFailure(result: result)
            if let (query, answer) = takeUnconfirmed() {
                answer.discard()
                receiveFailure(failure, of: query)
            } else if failure.endsConnection {
                close(failure.message)
            }
            return
        }
        sent.removeFirst()
        groupFailure = nil
        prepareFailure = nil
        if let (query, answer) = takeUnconfirmed() { query.succeed(answer) }
    }

    private func receivePreparation(_ result: OpaquePointer, of statement: Statement) {
        defer { PQclear(result) }
        guard PQresultStatus(result) != PGRES_COMMAND_OK else { return }
        prepared.forget(statement.number)
        if PQresultStatus(result) == PGRES_FATAL_ERROR {
            prepareFailure = ServerFailure(result: result)
            groupFailure = groupFailure ?? prepareFailure
        }
    }

    private func receiveAnswer(_ result: OpaquePointer, of query: PendingQuery) {
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            let answer = ServerResult(raw: result)
            if role == .reads || isInTransaction {
                query.succeed(answer)
            } else {
                unconfirmed = (query, answer)
            }
        case PGRES_PIPELINE_ABORTED:
            PQclear(result)
            receiveAbort(of: query)
        case PGRES_FATAL_ERROR:
            let failure = ServerFailure(result: result)
            PQclear(result)
            groupFailure = groupFailure ?? failure
            receiveFailure(failure, of: query)
        default:
            PQclear(result)
            query.fail(PostgresError.configuration("COPY is not supported"))
            close("unexpected answer")
        }
    }

    /// The query did not run because of an error before it in the same Sync.
    private func receiveAbort(of query: PendingQuery) {
        if let failure = prepareFailure {
            prepareFailure = nil
            return receiveFailure(failure, of: query)
        }
        if role == .reads, query.takeRepeat() {
            query.isIsolated = true
            return share(query)
        }
        let cause = groupFailure.map { PostgresError.server($0) }
        query.fail(cause ?? PostgresError.connectionLost("cut off by an error before it"))
    }

    private func receiveFailure(_ failure: ServerFailure, of query: PendingQuery) {
        if failure.endsConnection {
            query.fail(PostgresError.connectionLost(failure.message))
            return close(failure.message)
        }
        if failure.isStalePlan {
            forget(query.statement, existsOnServer: failure.sqlState != "26000")
            if !isInTransaction, query.takeRepeat() { return sendAgain(query) }
        } else if failure.isCancellation {
            // Our own cancel request may hit the query after the one it was meant for.
            let isOurs = cancelledAt.map { EventLoop.now - $0 < LoopPool.cancelPatience } ?? false
            if isOurs, !isInTransaction, query.takeRepeat() { return sendAgain(query) }
            if !query.isAbandoned { PoolCounters.count(pool.counters.timeouts) }
            return query.fail(PostgresError.timedOut)
        } else if failure.isReadOnlyRefusal, role == .reads {
            return query.fail(WritesAfterAll())
        }
        query.fail(PostgresError.server(failure))
    }

    private func sendAgain(_ query: PendingQuery) {
        if role == .reads {
            query.isIsolated = true
            share(query)
        } else {
            send(query)
        }
    }
}
