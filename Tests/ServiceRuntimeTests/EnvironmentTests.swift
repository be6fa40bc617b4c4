// Configuration: every fault is told at once and by the variable's name.
import ServiceRuntime
import Testing

@Suite struct EnvironmentTests {
    private func faults(_ values: [String: String]) -> [String] {
        var environment = Environment(values) { _ in nil }
        _ = ServiceConfiguration(&environment, port: 8081)
        do throws(ConfigurationError) {
            try environment.validate()
            return []
        } catch {
            return error.faults
        }
    }

    @Test func aDatabaseIsEnough() {
        #expect(faults(["DATABASE_URL": "postgres://a:b@localhost/c"]).isEmpty)
    }

    @Test func everyFaultNamesItsVariable() {
        let found = faults([
            "PORT": "99999", "LOG_LEVEL": "loud", "LOG_FORMAT": "xml", "LOOPS": "0",
            "DATABASE_POOL": "many", "REQUESTS_PER_MINUTE": "-1", "AUTH_URL": "auth:8081",
            "TRUSTED_PROXIES": "edge", "DRAIN_SECONDS": "60",
        ])
        for name in [
            "DATABASE_URL", "PORT", "LOG_LEVEL", "LOG_FORMAT", "LOOPS", "DATABASE_POOL",
            "REQUESTS_PER_MINUTE", "AUTH_URL", "TRUSTED_PROXIES", "DRAIN_SECONDS",
        ] {
            #expect(found.contains { $0.contains(name) }, "\(name)")
        }
        #expect(found.count == 10)
    }

    @Test func aSecretMayComeFromAFile() throws {
        var environment = Environment(["KEY_FILE": "/k"]) { $0 == "/k" ? "secret\n" : nil }
        #expect(environment.requiredSecret("KEY", "a key") == "secret")
        try environment.validate()
    }

    @Test func aSecretIsNeverInAFault() {
        var environment = Environment(["KEY": "hush", "KEY_FILE": "/gone"]) { _ in nil }
        _ = environment.requiredSecret("KEY", "a key")
        #expect(throws: ConfigurationError.self) { try environment.validate() }
        do throws(ConfigurationError) {
            try environment.validate()
        } catch {
            #expect(!"\(error)".contains("hush"))
            #expect("\(error)".contains("KEY_FILE"))
        }
    }

    @Test func anEmptyVariableIsUnset() {
        #expect(faults(["DATABASE_URL": "", "PORT": ""]).count == 1)
    }
}
