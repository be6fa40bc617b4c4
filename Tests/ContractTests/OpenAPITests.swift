// The committed openapi.json is what the endpoint types say. `MADANG_WRITE_OPENAPI=1 swift test
// --filter OpenAPITests` writes it anew; look at the difference before committing it.

import Endpoints
import Foundation
import ServiceRuntime
import TestSupport
import Testing

@Suite struct CommittedOpenAPITests {
    @Test(arguments: Contract.all) func documentIsCurrent(contract: Contract) throws {
        let name = contract.description.name
        let folder = name.prefix(1).uppercased() + name.dropFirst()
        let path =
            #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
            + "/Services/\(folder)/openapi.json"
        let document = try contract.description.openAPI
        if ProcessInfo.processInfo.environment["MADANG_WRITE_OPENAPI"] == "1" {
            try Data(document).write(to: URL(fileURLWithPath: path))
        }
        let committed = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(
            committed == document,
            "Services/\(folder)/openapi.json is out of date; see the top of this file")
    }

    @Test(arguments: Contract.all) func documentIsServed(contract: Contract) async throws {
        try await contract.run { service in
            let answer = try await service.raw(.get, "/openapi.json")
            #expect(answer.status == 200)
            #expect(answer.body == (try contract.description.openAPI))
        }
    }
}
