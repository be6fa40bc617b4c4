// Endpoints over a service's own HTTP client.
package import Endpoints
import EventLoop
import HTTP
package import HTTPClient

/// Carries endpoints to one origin.
package struct HTTPTransport: EndpointTransport {
    private let client: any HTTPClient
    private let origin: String

    /// - Parameter origin: `http://host:port` or `https://host`.
    package init(_ client: any HTTPClient, origin: String) {
        self.client = client
        self.origin = origin
    }

    package func perform(_ request: TransportRequest) async throws -> TransportResponse {
        guard let method = HTTPMethod(rawValue: request.method.rawValue) else {
            throw TransportFailure(.unreachable, "no method \(request.method)")
        }
        do throws(HTTPClientError) {
            let answer = try await client.send(
                HTTPClientRequest(
                    method, try HTTPURL(origin + request.target),
                    fields: request.headers.map { ($0.name, $0.value) }, body: request.body,
                    deadline: EventLoop.now &+ UInt64(max(0, request.deadlineSeconds) * 1e9)))
            return TransportResponse(
                status: answer.status,
                headers: answer.fields.map { TransportHeader($0.name, $0.value) },
                body: answer.body)
        } catch {
            throw TransportFailure(Self.kind(error), "\(error)")
        }
    }

    private static func kind(_ error: HTTPClientError) -> TransportFailure.Kind {
        switch error {
        case .connect, .tooManyWaiting, .invalidRequest: .unreachable
        case .connectionClosed(let mayHaveBeenProcessed):
            mayHaveBeenProcessed ? .interrupted : .unreachable
        case .timedOut: .timedOut
        case .cancelled: .cancelled
        case .badResponse, .bodyTooLarge: .invalidResponse
        }
    }
}
