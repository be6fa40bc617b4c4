// WebSockets as endpoints of a service: a refused handshake is answered with a problem like any other
// request.
import Endpoints
package import HTTPServer
package import WebSocket

extension WebSocketServer {
    /// The response of a raw endpoint that turns its request into a WebSocket.
    ///
    /// - Parameter open: called on the loop when the socket is open; it may send already.
    /// - Throws: `Problem`: `upgradeRequired`, `badRequest` for a bad key, `unavailable` when the
    ///   loop has all the sockets it may have or the service stops.
    package func accept(
        _ context: Context, protocols: [String] = [],
        open: @escaping @Sendable (WebSocketConnection) -> WebSocketDelegate
    ) throws -> HTTPResponse {
        do throws(HandshakeRefusal) {
            return try accept(context.request, protocols: protocols, open: open)
        } catch {
            let code: Problem.Code =
                switch error.status {
                case 426: .upgradeRequired
                case 503: .unavailable
                default: .badRequest
                }
            throw Problem(code, error.detail)
        }
    }
}
