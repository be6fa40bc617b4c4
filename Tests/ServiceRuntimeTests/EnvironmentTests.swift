// Configuration: every fault is told at once and by the variable's name.
import ServiceRuntime
import Testing
import Vocabulary

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
            "TRUSTED_PROXIES": "edge", "DRAIN_SECONDS": "60", "CLOCK_OFFSET_SECONDS": "1h",
        ])
        for name in [
            "DATABASE_URL", "PORT", "LOG_LEVEL", "LOG_FORMAT", "LOOPS", "DATABASE_POOL",
            "REQUESTS_PER_MINUTE", "AUTH_URL", "TRUSTED_PROXIES", "DRAIN_SECONDS",
            "CLOCK_OFFSET_SECONDS",
        ] {
            #expect(found.contains { $0.contains(name) }, "\(name)")
        }
        #expect(found.count == 11)
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

    @Test func theClockIsTheMachinesUnlessMoved() {
        func ahead(_ values: [String: String]) -> Double {
            var environment = Environment(values) { _ in nil }
            let clock = ServiceConfiguration(&environment, port: 8081).clock
            let microseconds = clock.now().microseconds - WallClock.system.now().microseconds
            return Double(microseconds) / 1e6
        }
        #expect(abs(ahead([:])) < 10)
        #expect(abs(ahead(["CLOCK_OFFSET_SECONDS": "3600"]) - 3600) < 10)
        #expect(abs(ahead(["CLOCK_OFFSET_SECONDS": "-3600"]) + 3600) < 10)
    }

    @Test func anEmptyVariableIsUnset() {
        #expect(faults(["DATABASE_URL": "", "PORT": ""]).count == 1)
    }
}
