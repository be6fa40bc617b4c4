// What the client's tests share: a pool on a loop of its own, and short ways to ask.

import EventLoop
import HTTP
import HTTPClient
import TestSupport

/// A pool with its loop. `end` when done.
final class ClientFixture: Sendable {
    let loop: EventLoop
    let pool: PooledHTTPClient

    init(limits: PoolLimits = PoolLimits()) throws {
        loop = try EventLoop()
        pool = PooledHTTPClient(loop: loop, limits: limits)
        loop.start()
    }

    func end() {
        let (loop, pool) = (loop, pool)
        loop.execute {
            pool.shutDown()
            loop.stop()
        }
    }

    func send(
        _ method: HTTPMethod = .get, port: Int, target: String = "/",
        fields: [(name: String, value: String)] = [], body: [UInt8]? = nil, seconds: Double = 10,
        maximumBody: Int = 1_048_576, replay: HTTPClientRequest.Replay = .byMethod
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        let origin = try HTTPOrigin(.http, host: "127.0.0.1", port: port)
        let request = HTTPClientRequest(
            method, try HTTPURL(origin, target: target), fields: fields, body: body,
            deadline: EventLoop.now + UInt64(seconds * 1e9), maximumBody: maximumBody,
            replay: replay)
        return try await pool.send(request)
    }

    /// How the request fails; `nil` when it does not.
    func failure(
        _ method: HTTPMethod = .get, port: Int, body: [UInt8]? = nil, seconds: Double = 10,
        maximumBody: Int = 1_048_576
    ) async -> HTTPClientError? {
        do {
            _ = try await send(
                method, port: port, body: body, seconds: seconds, maximumBody: maximumBody)
            return nil
        } catch {
            return error
        }
    }

    /// Connections and waiting requests, read on the loop.
    func usage() async -> (connections: Int, waiting: Int) {
        let (loop, pool) = (loop, pool)
        return await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: pool.usage) }
        }
    }
}

extension HTTPClientResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

let chunkedHead = "HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n"
let emptyOK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
