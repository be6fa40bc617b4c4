// Clients of the last release still work with today's services, unless the version says otherwise.

import Endpoints
import Foundation
import JSON
import ServiceRuntime
import Testing

@Suite struct CompatibilityTests {
    @Test(arguments: Contract.all) func lastReleasesClientsWork(contract: Contract) throws {
        let name = contract.description.name
        let release = try #require(try Release.newest(), "there is no release in Tests/Releases")
        guard try release.services.contains(name) else { return }
        let released = try release.document(name)
        let document = try JSONValue(parsing: try contract.description.openAPI)
        let version = try #require(Version(contract.description.version))
        let before = try #require(Version(released["info"]?["version"]?.string ?? ""))
        #expect(version >= before, "\(name) \(version) is older than the release of \(before)")
        if version.mayBreak(clientsOf: before) { return }
        let accepted = try release.accepted
        for finding in DocumentComparison(from: released, to: document).findings
        where !accepted.contains(where: { Release.accepts("\(name): \(finding)", by: $0) }) {
            Issue.record(
                """
                \(name): \(finding). Clients of release \(release.version) may break: keep them \
                working, or raise the service's version.
                """)
        }
    }

    @Test func everyReleasedServiceExists() throws {
        let release = try #require(try Release.newest())
        let services = try release.services
        #expect(services.count >= 5)
        let today = Contract.all.map(\.description.name)
        #expect(services.filter { !today.contains($0) } == [])
    }

    @Test func acceptedFindingsAreFound() throws {
        let release = try #require(try Release.newest())
        var found: Set<String> = []
        for contract in Contract.all where try release.services.contains(contract.description.name)
        {
            let name = contract.description.name
            let document = try JSONValue(parsing: try contract.description.openAPI)
            let comparison = DocumentComparison(from: try release.document(name), to: document)
            found.formUnion(comparison.findings.map { "\(name): \($0)" })
        }
        let stale = try release.accepted.filter { line in
            !found.contains { Release.accepts($0, by: line) }
        }
        #expect(stale == [], "take these lines out of accepted.txt")
    }

    @Test(arguments: [
        ("a: b", "a: b", true), ("a: b", "a: c", false), ("a: b", "a: b c", false),
        ("*: b", "a: b", true), ("a: *", "a: b", true), ("a*d*g", "abcdefg", true),
        ("a*x*g", "abcdefg", false), ("a*g*g", "abcdefg", false), ("*", "a: b", true),
    ]) func starsStandForAnyText(line: String, finding: String, isAccepted: Bool) {
        #expect(Release.accepts(finding, by: line) == isAccepted)
    }

    @Test func versionsSayWhatBreaks() throws {
        func mayBreak(_ older: String, _ newer: String) throws -> Bool {
            try #require(Version(newer)).mayBreak(clientsOf: try #require(Version(older)))
        }
        #expect(try mayBreak("0.1.0", "0.2.0"))
        #expect(try mayBreak("0.9.3", "1.0.0"))
        #expect(try mayBreak("1.4.0", "2.0.0"))
        #expect(try !mayBreak("0.1.0", "0.1.9"))
        #expect(try !mayBreak("1.0.0", "1.9.0"))
        #expect(try !mayBreak("1.0.0", "0.9.0"))
        #expect(Version("1.0") == nil)
        #expect(try #require(Version("0.10.0")) > #require(Version("0.9.9")))
    }
}
