// A blocking connection for work outside of request handling: migrations, and databases for tests.
import CPostgres

/// Runs statements one at a time and waits for each. Not for loops.
package final class MaintenanceConnection {
    private let raw: OpaquePointer

    /// - Throws: `PostgresError.unavailable`.
    package init(_ configuration: DatabaseConfiguration) throws(PostgresError) {
        raw = try Connector.connect(configuration, as: .maintenance).raw
    }

    deinit {
        PQfinish(raw)
    }

    /// Runs `body` with a connection on a thread of its own and waits for it without blocking the
    /// caller's.
    package static func run<Value: Sendable>(
        _ configuration: DatabaseConfiguration,
        _ body: @escaping @Sendable (MaintenanceConnection) throws -> Value
    ) async throws -> Value {
        try await withUnsafeThrowingContinuation { continuation in
            runBlocking {
                continuation.resume(
                    with: Result { try body(MaintenanceConnection(configuration)) })
            }
        }
    }

    /// Runs one or several statements without values, in one transaction unless the text has its
    /// own.
    /// - Throws: `PostgresError.server` or `.connectionLost`.
    package func execute(_ text: [UInt8]) throws(PostgresError) {
        let terminated = text + [0]
        let result = terminated.withUnsafeBytes { bytes in
            PQexec(raw, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
        PQclear(try check(result))
    }

    package func execute(_ text: String) throws(PostgresError) {
        try execute(Array(text.utf8))
    }

    /// Runs one statement and returns its rows as text, NULL as an empty string.
    package func rows(_ text: String, _ values: [String] = []) throws(PostgresError) -> [[String]] {
        let result = try check(query(text, values))
        defer { PQclear(result) }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                PQgetvalue(result, row, column).map { String(cString: $0) } ?? ""
            }
        }
    }

    /// Prepares a statement without running it: whether it fits the schema, and what it answers.
    /// - Throws: `PostgresError.server` when the server refuses it.
    package func describe(_ sql: SQL) throws(PostgresError) -> [(name: String, type: UInt32)] {
        let types = sql.pieces.filter(\.isValue).map { Oid($0.detail) }
        PQclear(try check(PQprepare(raw, "", sql.text, Int32(types.count), types)))
        let result = try check(PQdescribePrepared(raw, ""))
        defer { PQclear(result) }
        return (0..<PQnfields(result)).map { column in
            (PQfname(result, column).map { String(cString: $0) } ?? "", PQftype(result, column))
        }
    }

    private func query(_ text: String, _ values: [String]) -> OpaquePointer? {
        let copies = values.map { Array($0.utf8CString) }
        var pointers: [UnsafePointer<CChar>?] = []
        func send(_ rest: ArraySlice<[CChar]>) -> OpaquePointer? {
            guard let first = rest.first else {
                return PQexecParams(
                    raw, text, Int32(pointers.count), nil, pointers, nil, nil, 0)
            }
            return first.withUnsafeBufferPointer { buffer in
                pointers.append(buffer.baseAddress)
                return send(rest.dropFirst())
            }
        }
        return send(copies[...])
    }

    private func check(_ result: OpaquePointer?) throws(PostgresError) -> OpaquePointer {
        guard let result else { throw .connectionLost(Connector.message(of: raw)) }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return result
        default: break
        }
        let failure = ServerFailure(result: result)
        PQclear(result)
        if PQstatus(raw) == CONNECTION_BAD { throw .connectionLost(failure.message) }
        throw .server(failure)
    }
}
