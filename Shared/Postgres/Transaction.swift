// A transaction on a connection of its own.
import EventLoop

/// An open transaction. Valid inside of the closure it is passed to, and only on its loop.
package final class Transaction: Session, @unchecked Sendable {
    private let pool: LoopPool
    private let connection: Connection
    private let isolation: Isolation
    private let deadline: UInt64?
    private var isOver = false
    /// The first error of the server, which an aborted commit does not repeat.
    private var failure: PostgresError?

    static let rollbackLimit: UInt64 = 1_000_000_000

    init(_ pool: LoopPool, _ connection: Connection, _ isolation: Isolation, _ deadline: UInt64?) {
        self.pool = pool
        self.connection = connection
        self.isolation = isolation
        self.deadline = deadline
    }

    package func perform(_ sql: SQL, deadline: UInt64?) async throws -> ServerResult {
        precondition(pool.loop.isCurrent, "a transaction stays on its loop")
        if isOver { throw PostgresError.configuration("the transaction is over") }
        let limit = deadline ?? self.deadline.map { min($0, statementDeadline) }
        do {
            return try await pool.perform(
                sql, on: connection, after: connection.isInTransaction ? nil : isolation.begin,
                deadline: limit)
        } catch let error as PostgresError {
            if case .server = error, failure == nil { failure = error }
            throw error
        }
    }

    private var statementDeadline: UInt64 { EventLoop.now &+ pool.configuration.statementTimeout }

    func commit() async throws {
        isOver = true
        guard connection.isInTransaction else { return }
        let tag: String
        do {
            tag = try await pool.perform("commit", on: connection, deadline: deadline).commandTag()
        } catch PostgresError.server(let failure) {
            // A deferred constraint or a serialization failure: the server has rolled back.
            connection.isInTransaction = false
            throw PostgresError.server(failure)
        }
        connection.isInTransaction = false
        if tag == "COMMIT" { return }
        throw failure
            ?? .server(ServerFailure(sqlState: "25P02", message: "the transaction was aborted"))
    }

    /// Rolls back; a connection on which that fails is not used again.
    func rollBack() async {
        isOver = true
        guard connection.isInTransaction, !connection.isClosed, connection.queryCount == 0
        else { return }
        let limit = EventLoop.now &+ Self.rollbackLimit
        let answer = try? await pool.perform("rollback", on: connection, deadline: limit)
        guard let answer else { return }
        answer.discard()
        connection.isInTransaction = false
    }
}

extension LoopPool {
    /// Runs `body` in a transaction, again after conflicts. Loop thread only.
    func transaction<Value: Sendable>(
        _ isolation: Isolation, _ retries: Int, _ deadline: UInt64?,
        _ body: @Sendable (Transaction) async throws -> Value
    ) async throws -> Value {
        var attempt = 0
        while true {
            do {
                return try await transaction(isolation, deadline, body)
            } catch PostgresError.server(let failure)
                where failure.isRetryable && attempt < retries
            {
                attempt += 1
                await pause(upTo: 5_000_000 << UInt64(min(attempt, 4)))
            }
        }
    }

    private func transaction<Value: Sendable>(
        _ isolation: Isolation, _ deadline: UInt64?,
        _ body: @Sendable (Transaction) async throws -> Value
    ) async throws -> Value {
        if isShutDown { throw PostgresError.unavailable("shutting down") }
        let limit = deadline ?? EventLoop.now &+ configuration.statementTimeout
        let connection = try await lease(until: limit)
        defer { giveBack(connection) }
        let transaction = Transaction(self, connection, isolation, deadline)
        let value: Value
        do {
            value = try await body(transaction)
        } catch {
            await transaction.rollBack()
            throw error
        }
        try await transaction.commit()
        return value
    }

    /// Waits for a random part of `nanoseconds`, so that the transactions that met do not meet
    /// again.
    private func pause(upTo nanoseconds: UInt64) async {
        let delay = UInt64.random(in: 0...nanoseconds)
        await withUnsafeContinuation { continuation in
            loop.schedule(after: delay) { continuation.resume() }
        }
    }
}
