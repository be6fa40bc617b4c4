// Outbound requests against TLS servers of this machine: Python's for HTTP/1.1 and nginx, where it is
// installed, for HTTP/2. Certificates are made for the occasion.

import EventLoop
import Foundation
import HTTP
import HTTPClient
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite(.serialized) struct CurlTests {
    private let loop: EventLoop

    init() throws {
        loop = try EventLoop()
        loop.start()
    }

    private func send(
        _ url: String, _ method: HTTPMethod = .get, trusting file: String? = nil,
        fields: [(name: String, value: String)] = [], body: [UInt8]? = nil, seconds: Double = 10,
        maximumBody: Int = 1_048_576
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        var limits = CurlLimits()
        limits.certificateFile = file
        limits.proxy = .none
        let client = try CurlHTTPClient(loop: loop, limits: limits)
        return try await client.send(
            HTTPClientRequest(
                method, try HTTPURL(url), fields: fields, body: body,
                deadline: EventLoop.now + UInt64(seconds * 1e9), maximumBody: maximumBody))
    }

    private func failure(
        _ url: String, trusting file: String? = nil, seconds: Double = 10,
        maximumBody: Int = 1_048_576
    ) async -> HTTPClientError? {
        do {
            _ = try await send(url, trusting: file, seconds: seconds, maximumBody: maximumBody)
            return nil
        } catch {
            return error
        }
    }

    @Test func verifiesCertificatesAndNames() async throws {
        let server = try TLSServer.python()
        defer { server.stop() }
        let response = try await send(
            "https://localhost:\(server.port)/a/../b?c=d", .post, trusting: server.authority,
            fields: [("X-A", "1"), ("X-Empty", "")], body: Array("body\0 of POST".utf8))
        #expect(response.status == 201)
        #expect(response.field("x-method") == "POST")
        #expect(response.field("x-path") == "/a/../b?c=d")
        #expect(response.field("x-sent") == "a=1 empty= type=none expect=none")
        #expect(response.text == "body\0 of POST")

        for (url, file) in [
            ("https://localhost:\(server.port)/", nil),
            ("https://127.0.0.1:\(server.port)/", server.authority),
        ] {
            guard case .connect = await failure(url, trusting: file) else {
                Issue.record("an untrusted server was spoken to: \(url)")
                continue
            }
        }
        loop.stop()
    }

    @Test func speaksHTTP2() async throws {
        guard let server = try TLSServer.nginx() else {
            print("skipped: nginx is not installed, so HTTP/2 is not tried")
            return
        }
        defer { server.stop() }
        let response = try await send(
            "https://localhost:\(server.port)/", trusting: server.authority)
        #expect(response.status == 200)
        #expect(response.text == "HTTP/2.0")
        loop.stop()
    }

    @Test func doesNotFollowRedirectsOrKeepSecrets() async throws {
        let server = try LoopbackServer { request in
            request.path.text == "/from"
                ? HTTPResponse(307, fields: [.init("Location", "/to")], body: .bytes([]))
                : .text("followed")
        }
        let response = try await send("http://127.0.0.1:\(server.port)/from")
        #expect(response.status == 307)
        #expect(response.field("location") == "/to")
        await server.stop()
        loop.stop()
    }

    @Test(arguments: [HTTPMethod.get, .put, .patch, .delete, .options, .post, .head])
    func sendsEachMethod(method: HTTPMethod) async throws {
        let server = try LoopbackServer { request in
            let length = request.text("content-length") ?? "none"
            return HTTPResponse(
                200, fields: [.init("X-Seen", "\(request.method.rawValue) \(length)")],
                body: .bytes([]))
        }
        let response = try await send("http://127.0.0.1:\(server.port)/", method)
        let length = [.put, .patch, .post].contains(method) ? "0" : "none"
        #expect(response.field("x-seen") == "\(method.rawValue) \(length)")
        await server.stop()
        loop.stop()
    }

    @Test func boundsBodiesAndHeads() async throws {
        let server = try LoopbackServer { request in
            if request.path.text == "/head" {
                let long = String(repeating: "a", count: 16_000)
                return HTTPResponse(
                    200, fields: ["A", "B", "C"].map { .init($0, long) }, body: .bytes([]))
            }
            return .text(String(repeating: "a", count: 2000))
        }
        let url = "http://127.0.0.1:\(server.port)"
        #expect(await failure(url, maximumBody: 1999) == .bodyTooLarge)
        #expect(await failure(url, maximumBody: 2000) == nil)
        guard case .badResponse = await failure(url + "/head") else {
            Issue.record("a head of 48 kB was taken")
            return
        }
        await server.stop()
        loop.stop()
    }

    @Test func tellsHowItFailed() async throws {
        let silent = try ScriptedServer { connection, _ in _ = connection.readToEnd() }
        defer { silent.stop() }
        #expect(await failure("http://127.0.0.1:\(silent.port)/", seconds: 0.1) == .timedOut)
        #expect(await failure("http://127.0.0.1:\(silent.port)/", seconds: 0) == .timedOut)
        let port = silent.port
        let task = Task { await failure("http://127.0.0.1:\(port)/", seconds: 60) }
        try await Task.sleep(for: .milliseconds(5))
        task.cancel()
        #expect(await task.value == .cancelled)

        let rude = try ScriptedServer { connection, _ in _ = connection.read() }
        defer { rude.stop() }
        #expect(
            await failure("http://127.0.0.1:\(rude.port)/")
                == .connectionClosed(mayHaveBeenProcessed: true))
        rude.stop()
        #expect(
            await eventually {
                if case .connect = await failure("http://127.0.0.1:\(rude.port)/") { return true }
                return false
            })
        loop.stop()
    }

    @Test func doesNotReplayWhatMayNotBe() async throws {
        let count = Mutex(0)
        let server = try ScriptedServer { connection, _ in
            while connection.read() != nil {
                count.withLock { $0 += 1 }
                if count.withLock({ $0 }) > 1 { break }
                connection.send(emptyOK)
            }
            connection.end()
        }
        defer { server.stop() }
        var limits = CurlLimits()
        limits.proxy = .none
        let client = try CurlHTTPClient(loop: loop, limits: limits)
        let url = try HTTPURL("http://127.0.0.1:\(server.port)/")
        for _ in 0..<2 {
            _ = try? await client.send(
                HTTPClientRequest(.post, url, deadline: EventLoop.now + 5_000_000_000))
        }
        #expect(count.withLock { $0 } == 2)
        loop.stop()
    }

    @Test func theLoopClientTakesBothSchemes() async throws {
        let secure = try TLSServer.python()
        defer { secure.stop() }
        let plain = try LoopbackServer { _ in .text("plain") }
        var limits = CurlLimits()
        limits.certificateFile = secure.authority
        limits.proxy = .none
        let client = try LoopHTTPClient(loops: [loop], outbound: limits)
        for (url, text) in [
            ("http://127.0.0.1:\(plain.port)/", "plain"),
            ("https://localhost:\(secure.port)/", ""),
        ] {
            let request = HTTPClientRequest(
                .get, try HTTPURL(url), deadline: EventLoop.now + 10_000_000_000)
            let loop = self.loop
            let stayed = try await withCheckedThrowingContinuation { continuation in
                loop.spawn {
                    let result = await Result { try await client.send(request).text == text }
                    continuation.resume(with: result.map { $0 && loop.isCurrent })
                }
            }
            #expect(stayed)
        }
        await plain.stop()
        loop.stop()
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
