// A real HTTP server on a free port of this machine, for tests that need sockets.
package import EventLoop
package import HTTP
package import HTTPServer

/// Serves a closure on loops of its own until `stop`.
package final class LoopbackServer: Sendable {
    package let port: Int
    package let loops: [EventLoop]
    package let server: HTTPServer

    package init(
        loops count: Int = 1, limits: ServerLimits = ServerLimits(), bodyLimit: Int = 1_048_576,
        _ respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) throws {
        loops = try (0..<count).map { try EventLoop(index: $0) }
        server = HTTPServer(
            host: "127.0.0.1", port: 0, limits: limits, loops: loops,
            handler: ClosureHandler(bodyLimit: bodyLimit, respond: respond))
        port = try server.start()
        for loop in loops { loop.start() }
    }

    /// Stops gracefully, then ends the loops.
    package func stop() async {
        await server.stop()
        for loop in loops { loop.stop() }
    }
}

/// An `HTTPHandler` made of a closure; refusals become plain text.
package struct ClosureHandler: HTTPHandler {
    private let bodyLimit: Int
    private let respond: @Sendable (HTTPRequest) async -> HTTPResponse

    package init(
        bodyLimit: Int, respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) {
        self.bodyLimit = bodyLimit
        self.respond = respond
    }

    package func bodyLimit(for request: HTTPRequest) -> Int { bodyLimit }

    package func respond(to request: HTTPRequest) async -> HTTPResponse { await respond(request) }

    package func respond(to refusal: Refusal) -> HTTPResponse {
        HTTPResponse(
            refusal.status, contentType: "text/plain", body: Array(refusal.detail.utf8))
    }
}

extension HTTPResponse {
    /// A 200 with text.
    package static func text(_ text: String) -> HTTPResponse {
        HTTPResponse(200, contentType: "text/plain", body: Array(text.utf8))
    }
}
