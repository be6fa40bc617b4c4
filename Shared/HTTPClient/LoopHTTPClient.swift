// The client a service holds: one value for all its loops and both kinds of peers.
package import EventLoop

/// Sends over the connections of the loop that calls: `http` over the pool, `https` over libcurl. A
/// caller on no loop of this client uses the first one's.
package final class LoopHTTPClient: HTTPClient {
    private let loops: [EventLoop]
    private let pools: [PooledHTTPClient]
    private let outbound: [CurlHTTPClient]

    /// - Parameter loops: at least one, ordered by `EventLoop.index` from 0.
    /// - Throws: `HTTPClientError.connect` when libcurl cannot start.
    package init(
        loops: [EventLoop], pool: PoolLimits = PoolLimits(),
        outbound limits: CurlLimits = CurlLimits()
    ) throws(HTTPClientError) {
        precondition(!loops.isEmpty, "a client needs a loop")
        self.loops = loops
        pools = loops.map { PooledHTTPClient(loop: $0, limits: pool) }
        var outbound: [CurlHTTPClient] = []
        for loop in loops { outbound.append(try CurlHTTPClient(loop: loop, limits: limits)) }
        self.outbound = outbound
    }

    package func send(
        _ request: HTTPClientRequest
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        var position = 0
        if let current = EventLoop.current, current.index < loops.count,
            loops[current.index] === current
        {
            position = current.index
        }
        switch request.url.origin.scheme {
        case .http: return try await pools[position].send(request)
        case .https: return try await outbound[position].send(request)
        }
    }

    /// Connections and waiting requests of one loop's pool. That loop's thread only.
    package func usage(on loop: EventLoop) -> (connections: Int, waiting: Int) {
        pools[loop.index].usage
    }
}
