// Every endpoint is called by every kind of caller, and with tokens that are none any more.

import Endpoints
import JSON
import ServiceRuntime
import TestSupport
import Testing

@Suite struct AccessTests {
    private static let matrices: [AccessMatrix] = [
        .auth, .parties, .meetings, .market, .sports,
    ]

    @Test(arguments: matrices) func everyCallerGetsTheAnswerOfTheTable(
        matrix: AccessMatrix
    ) async throws {
        let contract = try #require(
            Contract.all.first { $0.description.name == matrix.service })
        let endpoints = contract.description.endpoints
        let answers = try matrix.answers()
        for gap in AccessMatrix.gaps(
            between: Array(answers.keys), and: endpoints, of: matrix.service)
        {
            Issue.record("\(gap)")
        }
        try await contract.run(tokens: .signed) { service in
            for endpoint in endpoints {
                for caller in CallerKind.allCases {
                    guard let expected = answers[endpoint.name]?[caller] else { continue }
                    let scene = try await matrix.scene(service)
                    let request = try #require(
                        scene.requests.first { type(of: $0) == endpoint },
                        "\(matrix.service): the scene has no \(endpoint.name)")
                    let answer = try await service.answer(
                        to: request, token: try scene.token(of: caller))
                    #expect(
                        answer == expected, "\(endpoint.name) by \(caller): not as in the table")
                }
            }
        }
    }

    @Test func everyServiceHasATable() {
        #expect(
            Self.matrices.map(\.service).sorted() == Contract.all.map(\.description.name).sorted())
    }

    @Test(arguments: Contract.all) func noEndpointTakesAnExpiredToken(
        contract: Contract
    ) async throws {
        try await contract.run(tokens: .signed) { service in
            for endpoint in contract.description.endpoints where endpoint.access != .public {
                let token =
                    try endpoint.access == .service
                    ? AccessToken.service("parties", expired: true)
                    : AccessToken.user(7, role: "admin", expired: true)
                let path = endpoint.path(with: "1")
                let authorization = TransportHeader("Authorization", "Bearer \(token)")
                let answer = try await service.raw(
                    endpoint.route.method, path, headers: [authorization])
                #expect(
                    AccessMatrix.Answer(answer)
                        == AccessMatrix.Answer(status: 401, code: "access_token_expired"),
                    "\(endpoint.name)")
                let old = try await service.raw(
                    endpoint.route.method, path,
                    headers: [authorization, TransportHeader("Madang-Expired-Status", "419")])
                #expect(old.status == 419, "\(endpoint.name)")
            }
        }
    }

    @Test(arguments: Contract.all) func noEndpointTakesAForgedToken(
        contract: Contract
    ) async throws {
        let forged = try AccessToken.forged()
        try await contract.run(tokens: .signed) { service in
            for endpoint in contract.description.endpoints where endpoint.access != .public {
                for (fault, token) in forged {
                    let answer = try await service.raw(
                        endpoint.route.method, endpoint.path(with: "1"),
                        headers: [TransportHeader("Authorization", "Bearer \(token)")])
                    #expect(
                        AccessMatrix.Answer(answer)
                            == AccessMatrix.Answer(status: 401, code: "access_token_invalid"),
                        "\(endpoint.name) with a token that has \(fault)")
                }
            }
        }
    }

    // MARK: The tables themselves

    @Test func anEndpointWithoutARowIsNamed() throws {
        let endpoints = try #require(
            Contract.all.first { $0.description.name == "parties" }
        ).description.endpoints
        var rows = Array(try AccessMatrix.parties.answers().keys)
        #expect(AccessMatrix.gaps(between: rows, and: endpoints, of: "parties") == [])
        rows.removeAll { $0 == "JoinParty" }
        rows.append("LeaveParty")
        let gaps = AccessMatrix.gaps(between: rows, and: endpoints, of: "parties")
        #expect(gaps.count == 2)
        #expect(gaps.first?.contains("JoinParty is not in the table") == true)
        #expect(gaps.last?.contains("LeaveParty is in the table and no endpoint") == true)
    }

    @Test(arguments: [
        "| A | 401 | 200 | 200 | 200 | 200 |",
        "| A | 401 | 200 | 200 | 200 | 200 | yes |",
        "| A | 401 | 200 | 200 | 200 | 200 | 409 |",
        "| A | 401 | 200 | 200 | 200 | 200 | 401 |\n| A | 401 | 200 | 200 | 200 | 200 | 401 |",
        "| endpoint | anonymous | member | other | owner | admin | service |",
    ]) func malformedTablesAreRefused(table: String) {
        let matrix = AccessMatrix(service: "parties", table: table) { _ in Scene(requests: []) }
        #expect(throws: AccessMatrix.MalformedTable.self) { try matrix.answers() }
    }
}

extension AccessMatrix.Answer {
    /// What came over the wire.
    init(_ response: TransportResponse) {
        let body = try? JSONValue(parsing: response.body)
        let isProblem = response.header("Content-Type") == Problem.mediaType
        self.init(
            status: response.status, code: isProblem ? body?["code"]?.string : nil)
    }
}

extension TestService {
    /// The status, and the code of a problem, that a request is answered with.
    fileprivate func answer<E: Endpoint>(
        to request: E, token: String?
    ) async throws -> AccessMatrix.Answer {
        let encoded = try RequestCoding().encode(request)
        var headers = [TestService.anotherAddress]
        if let token { headers.append(TransportHeader("Authorization", "Bearer \(token)")) }
        return AccessMatrix.Answer(
            try await raw(
                encoded.method, encoded.target,
                body: encoded.body.map { String(decoding: $0, as: UTF8.self) }, headers: headers))
    }
}
