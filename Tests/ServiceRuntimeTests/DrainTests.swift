// What a service that is told to stop says to those who ask whether it is ready, and to everybody else.
import Endpoints
import HTTP
import ServiceRuntime
import TestSupport
import Testing

@Suite struct DrainTests {
    private let description = ServiceDescription(
        name: "probe", summary: "A service of a test.", version: "0", port: 0, endpoints: [],
        migrations: [])

    private func status(_ service: TestService, _ path: String) async throws -> Int {
        try await service.raw(.get, path).status
    }

    @Test func aServiceAnswersWhileItDrainsAndIsNotReady() async throws {
        try await TestService.with(
            description, environment: ["DRAIN_SECONDS": "2"],
            make: { _, _ in ServiceParts(router: Router().sealed([])) }
        ) { service in
            let port = service.ports[0]
            #expect(try await status(service, "/health/ready") == 200)
            #expect(HealthCheck.fault(host: "127.0.0.1", port: port) == nil)
            async let stopped: Void = service.stop(replica: 0)
            #expect(
                await eventually { (try? await status(service, "/health/ready")) == 503 })
            let answer = try await service.raw(.get, "/health/live")
            #expect(answer.status == 200)
            #expect(answer.header("Connection") == "close")
            let fault = HealthCheck.fault(host: "0.0.0.0", port: port)
            #expect(fault?.contains("The service is stopping.") == true)
            await stopped
            #expect(HealthCheck.fault(host: "127.0.0.1", port: port) != nil)
        }
    }
}
