// URLSession as the transport of an app: its connections, proxies and trust settings are the
// system's. Servers do not use it.

public import Endpoints
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Performs requests with `URLSession`. Neither cookies, caches nor redirects are used.
public final class URLSessionTransport: EndpointTransport {
    private let origin: String
    private let session: URLSession

    /// A transport to one origin, such as `https://madang.example`.
    ///
    /// - Parameter configuration: where the app sets proxies or waits for connectivity.
    public init(
        baseURL: URL, configuration: URLSessionConfiguration = .ephemeral
    ) {
        var text = baseURL.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        origin = text
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        session = URLSession(
            configuration: configuration, delegate: RedirectRefusal(), delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Performs the request.
    ///
    /// - Throws: `TransportFailure`.
    public func perform(_ request: TransportRequest) async throws -> TransportResponse {
        guard let url = URL(string: origin + request.target) else {
            throw TransportFailure(.unreachable, "\(request.target) does not make a URL")
        }
        var outgoing = URLRequest(url: url, timeoutInterval: request.deadlineSeconds)
        outgoing.httpMethod = request.method.rawValue
        outgoing.httpBody = request.body.map { Data($0) }
        for header in request.headers {
            outgoing.addValue(header.value, forHTTPHeaderField: header.name)
        }
        do {
            return try await response(to: outgoing, within: request.deadlineSeconds)
        } catch let error as URLError {
            throw Self.failure(error)
        } catch is CancellationError {
            throw TransportFailure(.cancelled, "cancelled")
        }
    }

    /// `timeoutInterval` bounds the pauses of an exchange, so the whole has a clock of its own.
    private func response(
        to request: URLRequest, within seconds: Double
    ) async throws -> TransportResponse {
        try await withThrowingTaskGroup(of: TransportResponse?.self) { group in
            group.addTask { try await self.response(to: request) }
            group.addTask {
                try await Task.sleep(for: .seconds(seconds))
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let response = first else {
                throw TransportFailure(.timedOut, "no answer within \(seconds) seconds")
            }
            return response
        }
    }

    private func response(to request: URLRequest) async throws -> TransportResponse {
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else {
            throw TransportFailure(.invalidResponse, "not an HTTP response")
        }
        let headers = response.allHeaderFields.map { field in
            TransportHeader("\(field.key)", "\(field.value)")
        }
        return TransportResponse(
            status: response.statusCode, headers: headers, body: [UInt8](data))
    }

    private static func failure(_ error: URLError) -> TransportFailure {
        let kind: TransportFailure.Kind
        switch error.code {
        case .cancelled: kind = .cancelled
        case .timedOut: kind = .timedOut
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
            .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate:
            kind = .unreachable
        default: kind = .interrupted
        }
        return TransportFailure(kind, error.localizedDescription)
    }
}

/// The API never redirects, and a token must not follow to another host.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
