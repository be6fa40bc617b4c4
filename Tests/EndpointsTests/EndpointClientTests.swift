// The typed client over a transport that is a closure.

import Endpoints
import Testing

private struct ClosureTransport: EndpointTransport {
    let answer: @Sendable (TransportRequest) throws -> TransportResponse

    func perform(_ request: TransportRequest) async throws -> TransportResponse {
        try answer(request)
    }
}

private func client(
    token: String? = "t0ken",
    _ answer: @escaping @Sendable (TransportRequest) throws -> TransportResponse
) -> EndpointClient {
    EndpointClient(
        transport: ClosureTransport(answer: answer),
        headers: [TransportHeader("Accept-Language", "ko")], token: { token })
}

private func json(_ status: Int, _ body: String, _ type: String = "application/json")
    -> TransportResponse
{
    TransportResponse(
        status: status, headers: [TransportHeader("content-type", type)], body: Array(body.utf8))
}

@Suite struct EndpointClientTests {
    @Test func sendsAndDecodes() async throws {
        let client = client { request in
            #expect(request.method == .post && request.target == "/v1/things")
            let headers = Dictionary(
                uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
            #expect(headers["Authorization"] == "Bearer t0ken")
            #expect(headers["Content-Type"] == "application/json")
            #expect(headers["Accept"] == "application/json")
            #expect(headers["Accept-Language"] == "ko")
            #expect(headers["Idempotency-Key"] == "k1")
            return json(201, #"{"text":"hello"}"#)
        }
        let reply = try await client.send(
            AddThing(title: "a", count: 1), idempotencyKey: "k1")
        #expect(reply == Reply(text: "hello"))
    }

    @Test func publicEndpointsCarryNoToken() async throws {
        let client = client { request in
            #expect(!request.headers.contains { $0.name == "Authorization" })
            #expect(!request.headers.contains { $0.name == "Content-Type" })
            return json(200, #"{"text":""}"#)
        }
        _ = try await client.send(GetNothing())
    }

    @Test func emptySuccess() async throws {
        let client = client { _ in TransportResponse(status: 204) }
        #expect(try await client.send(TouchNothing()) == NoContent())
    }

    @Test func throwsTheServersProblem() async throws {
        let full = Problem.Code("shelf_full", status: 409, title: "Full")
        let client = client { _ in
            json(
                409,
                """
                {"type":"urn:x","title":"Full","status":409,"detail":"No room","code":"shelf_full",
                "field":"shelf","requestId":"r1","extra":[1]}
                """, "application/problem+json; charset=utf-8")
        }
        let error = await #expect(throws: Problem.self) {
            try await client.send(TouchNothing())
        }
        #expect(error?.code == full && error?.status == 409 && error?.detail == "No room")
        #expect(error?.field == "shelf" && error?.requestId == "r1")
    }

    @Test func edgeErrorsBecomeProblems() async throws {
        let client = client { _ in
            TransportResponse(
                status: 502,
                headers: [
                    TransportHeader("Content-Type", "text/html"),
                    TransportHeader("retry-after", "7"),
                ], body: Array("<html>".utf8))
        }
        let error = await #expect(throws: Problem.self) {
            try await client.send(TouchNothing())
        }
        #expect(error?.code == .unavailable && error?.retryAfter == 7)
    }

    @Test(arguments: [(200, "{}"), (200, "nope"), (418, ""), (302, "")])
    func unexpectedAnswers(status: Int, body: String) async throws {
        let client = client { _ in json(status, body) }
        let error = await #expect(throws: TransportFailure.self) {
            try await client.send(GetNothing())
        }
        #expect(error?.kind == .invalidResponse)
    }

    @Test func transportFailuresPassThrough() async throws {
        let client = client { _ in throw TransportFailure(.unreachable, "refused") }
        let error = await #expect(throws: TransportFailure.self) {
            try await client.send(GetNothing())
        }
        #expect(error?.kind == .unreachable)
    }
}
