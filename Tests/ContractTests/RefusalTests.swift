// What every endpoint of every service refuses in the same way: no token, a bad one, bytes that are
// no request of its.

import Endpoints
import ServiceRuntime
import TestSupport
import Testing

@Suite struct RefusalTests {
    @Test(arguments: Contract.all) func everyEndpointWantsItsToken(
        contract: Contract
    ) async throws {
        try await contract.run { service in
            for endpoint in contract.description.endpoints where endpoint.access != .public {
                let path = endpoint.path(with: "1")
                let nobody = try await service.raw(endpoint.route.method, path)
                expectProblem(nobody, 401, "access_token_missing", endpoint)
                #expect(nobody.header("WWW-Authenticate")?.hasPrefix("Bearer") == true)
                let forged = try await service.raw(
                    endpoint.route.method, path,
                    headers: [TransportHeader("Authorization", "Bearer e30.e30.e30")])
                expectProblem(forged, 401, "access_token_invalid", endpoint)
                let basic = try await service.raw(
                    endpoint.route.method, path,
                    headers: [TransportHeader("Authorization", "Basic dTpw")])
                expectProblem(basic, 401, "access_token_invalid", endpoint)
            }
        }
    }

    @Test(arguments: Contract.all) func idsOutOfRangeAreNotFound(
        contract: Contract
    ) async throws {
        try await contract.run { service in
            for endpoint in contract.description.endpoints
            where !endpoint.route.parameterNames.isEmpty {
                for id in ["18446744073709551615", "9223372036854775808", "-1", "%00", "a%2Fb"] {
                    let answer = try await service.raw(
                        endpoint.route.method, endpoint.path(with: id), user: 1, body: nil)
                    #expect(
                        answer.status == 404 || answer.status == 422,
                        "\(endpoint.route) with \(id): \(answer.status)")
                    #expect(answer.header("Content-Type") == Problem.mediaType)
                }
            }
        }
    }

    @Test(arguments: Contract.all) func bodiesThatAreNoneAreTheCallersFault(
        contract: Contract
    ) async throws {
        let deep = String(repeating: "[", count: 100_000)
        let bodies = [
            "{", "[]", "null", "7", #""text""#, "\u{0}", #"{"a":1,"a":2}"#, #"{"a":NaN}"#, deep,
            #"{"\u0000":"\u0000"}"#, "{} {}", "\u{FEFF}{}",
        ]
        try await contract.run { service in
            for endpoint in contract.description.endpoints where endpoint.route.method.hasBody {
                for body in bodies where takesBody(endpoint) {
                    let answer = try await service.raw(
                        endpoint.route.method, endpoint.path(with: "1"), user: 1, body: body)
                    #expect(
                        (400..<500).contains(answer.status),
                        "\(endpoint.route) with \(body.prefix(20)): \(answer.status)")
                    #expect(answer.header("Content-Type") == Problem.mediaType)
                }
                let form = try await service.transport().perform(
                    TransportRequest(
                        method: endpoint.route.method, target: endpoint.path(with: "1"),
                        headers: [
                            TransportHeader("Authorization", "Bearer user 1"),
                            TransportHeader("Content-Type", "application/x-www-form-urlencoded"),
                        ], body: Array("a=b".utf8), deadlineSeconds: 10))
                expectProblem(form, 415, "unsupported_media_type", endpoint)
            }
        }
    }

    @Test(arguments: Contract.all) func otherPathsAndMethodsAreProblems(
        contract: Contract
    ) async throws {
        try await contract.run { service in
            for path in ["/", "/v1", "/v1/nothing", "/internal/nothing"] {
                let answer = try await service.raw(.get, path)
                #expect(answer.status == 404, "\(path)")
                #expect(answer.header("Content-Type") == Problem.mediaType)
            }
            for endpoint in contract.description.endpoints {
                let used = contract.description.endpoints
                    .filter { $0.route.path == endpoint.route.path }
                    .map { $0.route.method }
                guard !used.contains(.patch) else { continue }
                let answer = try await service.raw(.patch, endpoint.path(with: "1"), user: 1)
                expectProblem(answer, 405, "method_not_allowed", endpoint)
                let allowed = answer.header("Allow") ?? ""
                for method in used {
                    #expect(allowed.contains(method.rawValue), "\(endpoint.route): \(allowed)")
                }
            }
        }
    }

    /// Whether a request has fields beside those in its path: without, a body is not looked at.
    private func takesBody(_ endpoint: any Endpoint.Type) -> Bool {
        func hasFields<E: Endpoint>(_: E.Type) -> Bool {
            let empty = PathParameters.none
            guard E.route.parameterNames.isEmpty else { return MemoryLayout<E>.size > 8 }
            let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
            let decoded = try? RequestCoding().decode(
                E.self, parameters: empty, query: nothing, body: nothing)
            return decoded == nil
        }
        return hasFields(endpoint)
    }

    private func expectProblem(
        _ answer: TransportResponse, _ status: Int, _ code: String,
        _ endpoint: any Endpoint.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(
            answer.status == status && text.contains(#""code":"\#(code)""#)
                && answer.header("Content-Type") == Problem.mediaType
                && text.contains(#""requestId":""#),
            "\(endpoint.route): \(answer.status) \(text)", sourceLocation: sourceLocation)
    }
}
