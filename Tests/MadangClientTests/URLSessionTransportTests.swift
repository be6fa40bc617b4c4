// The app's transport against our server, over loopback.

import Endpoints
import EventLoop
import Foundation
import HTTP
import HTTPServer
import MadangClient
import Testing

/// Holds those who wait until it is opened.
private actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }
    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

/// Answers with what it received, or in the way the path asks for.
private struct EchoHandler: HTTPHandler {
    let gate: Gate

    func bodyLimit(for request: HTTPRequest) -> Int { 1 << 20 }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let path = String(decoding: request.path, as: UTF8.self)
        switch path {
        case "/empty": return HTTPResponse(204)
        case "/elsewhere":
            return HTTPResponse(302, fields: [.init("Location", "/echo")])
        case "/slow":
            await gate.wait()
            return HTTPResponse(204)
        default:
            let query = String(decoding: request.query, as: UTF8.self)
            let head = "\(request.method) \(path)?\(query)\n"
            return HTTPResponse(
                200, contentType: "text/plain", fields: [.init("X-Answer", "yes")],
                body: Array(head.utf8) + request.body)
        }
    }

    func respond(to refusal: Refusal) -> HTTPResponse { HTTPResponse(refusal.status) }
}

/// Runs `body` with a transport to a server of its own.
private func withServer(_ body: (URLSessionTransport) async throws -> Void) async throws {
    let loop = try EventLoop()
    let gate = Gate()
    let server = HTTPServer(
        host: "127.0.0.1", port: 0, loops: [loop], handler: EchoHandler(gate: gate))
    let port = try server.start()
    loop.start()
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
    let result: Result<Void, any Error>
    do {
        result = .success(try await body(URLSessionTransport(baseURL: url)))
    } catch {
        result = .failure(error)
    }
    await gate.open()
    await server.stop()
    loop.stop()
    try result.get()
}

private func request(
    _ method: Route.Method, _ target: String, body: String? = nil, seconds: Double = 10
) -> TransportRequest {
    TransportRequest(
        method: method, target: target, headers: [TransportHeader("Accept", "text/plain")],
        body: body.map { Array($0.utf8) }, deadlineSeconds: seconds)
}

@Suite(.timeLimit(.minutes(1))) struct URLSessionTransportTests {
    @Test func keepsTheTargetAsItIs() async throws {
        try await withServer { transport in
            let target = "/v1/a%2Fb%20%ED%95%9C/c?x=1%2B2&x=%26"
            let response = try await transport.perform(request(.get, target))
            #expect(response.status == 200)
            #expect(String(decoding: response.body, as: UTF8.self).contains(target))
            #expect(response.header("x-answer") == "yes")
        }
    }

    @Test(arguments: [Route.Method.post, .put, .patch, .delete])
    func sendsBodies(method: Route.Method) async throws {
        try await withServer { transport in
            let response = try await transport.perform(request(method, "/echo", body: "한글"))
            let text = String(decoding: response.body, as: UTF8.self)
            #expect(text.lowercased().hasPrefix("\(method.rawValue.lowercased()) /echo"))
            #expect(text.hasSuffix("\n한글"))
        }
    }

    @Test func emptyAnswersAndRedirects() async throws {
        try await withServer { transport in
            let empty = try await transport.perform(request(.get, "/empty"))
            #expect(empty.status == 204 && empty.body.isEmpty)
            #expect(try await transport.perform(request(.get, "/elsewhere")).status == 302)
        }
    }

    @Test func deadline() async throws {
        try await withServer { transport in
            let failure = await #expect(throws: TransportFailure.self) {
                try await transport.perform(request(.get, "/slow", seconds: 0.2))
            }
            #expect(failure?.kind == .timedOut)
        }
    }

    @Test func cancellation() async throws {
        try await withServer { transport in
            let task = Task { try await transport.perform(request(.get, "/slow")) }
            task.cancel()
            let failure = await #expect(throws: TransportFailure.self) { try await task.value }
            #expect(failure?.kind == .cancelled)
        }
    }

    @Test func nobodyListens() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let failure = await #expect(throws: TransportFailure.self) {
            try await URLSessionTransport(baseURL: url).perform(request(.get, "/"))
        }
        #expect(failure?.kind == .unreachable)
    }
}
