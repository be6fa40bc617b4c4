// Requests to the outside: TLS with verified certificates and HTTP/2 by libcurl, whose sockets and
// timers the loop watches, so that waiting for a provider costs no thread.
package import EventLoop

/// The outbound connections of one loop. Redirects are not followed, cookies not kept.
package final class CurlHTTPClient: HTTPClient {
    private let loop: EventLoop
    private let engine: CurlEngine

    /// - Throws: `HTTPClientError.connect` when libcurl cannot start.
    package init(loop: EventLoop, limits: CurlLimits = CurlLimits()) throws(HTTPClientError) {
        self.loop = loop
        engine = try CurlEngine(loop: loop, limits: limits)
    }

    deinit {
        let engine = self.engine
        loop.execute { engine.shutDown() }
    }

    /// Runs on the loop, whichever thread calls. Both `http` and `https`.
    ///
    /// A request that may not be replayed gets a connection of its own, because libcurl sends again
    /// what a kept connection lost.
    package func send(
        _ request: HTTPClientRequest
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        try request.checkFields()
        let transfer = CurlTransfer(request)
        let (loop, engine) = (loop, engine)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute {
                    transfer.continuation = continuation
                    engine.begin(transfer)
                }
            }
        } onCancel: {
            loop.execute { engine.cancel(transfer) }
        }
        return try result.get()
    }
}
