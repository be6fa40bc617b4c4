// The committed pacts are what the consumers' code asks and reads, and no call lacks one.
// `MADANG_WRITE_PACTS=1 swift test --filter PactTests` writes them anew; look at the difference before committing it:
// an expectation that is new must hold for the provider that runs beside this release.

import AuthAPI
import AuthService
import Endpoints
import Foundation
import MarketAPI
import MarketService
import MeetingsAPI
import MeetingsService
import PartiesAPI
import PartiesService
import ServiceRuntime
import SportsAPI
import SportsService
import Testing

@Suite struct PactTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Pacts")

    private static let services = [
        AuthService.description, PartiesService.description, MeetingsService.description,
        MarketService.description, SportsService.description,
    ]

    @Test func pactsAreCurrent() async throws {
        let pacts = try await Pact.all
        for pact in pacts {
            let file = Self.folder.appending(path: pact.name + ".json")
            let text = try pact.text
            if ProcessInfo.processInfo.environment["MADANG_WRITE_PACTS"] == "1" {
                try text.write(to: file)
            }
            #expect(
                (try? Data(contentsOf: file)) == text,
                "Pacts/\(pact.name).json is out of date; see the top of this file")
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
        #expect(files.sorted() == pacts.map { $0.name + ".json" }.sorted())
    }

    @Test func everyPeerHasAPact() async throws {
        let pacts = Set(try await Pact.all.map(\.name))
        for service in Self.services {
            for peer in service.peers {
                #expect(
                    pacts.contains("\(service.name)-\(peer)"),
                    "\(service.name) calls \(peer), and no pact says what it reads there")
            }
            if service.name != "auth" { #expect(pacts.contains("\(service.name)-auth")) }
        }
    }

    @Test func everyInternalEndpointHasAConsumer() async throws {
        var asked: Set<String> = []
        for pact in try await Pact.all {
            for case let request as [String: Any] in pact.interactions.map({ $0["request"] }) {
                asked.insert("\(pact.provider) \(request["method"] ?? "") \(request["path"] ?? "")")
            }
        }
        for service in Self.services {
            for endpoint in service.endpoints {
                let path = endpoint.route.path
                guard path.hasPrefix("/internal/") else { continue }
                let call = "\(service.name) \(endpoint.route.method.rawValue) \(path)"
                #expect(asked.contains(call), "no pact asks \(call)")
            }
        }
    }

    /// The pacts name what is read, and only that.
    @Test func aMemberThatNobodyReadsIsNotExpected() async throws {
        var pact = Pact(.market, .auth)
        try await pact.expectKeys()
        let text = String(decoding: try pact.text, as: UTF8.self)
        #expect(text.contains("\"crv\"") && !text.contains("\"alg\""))
    }
}
