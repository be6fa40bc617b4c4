// JSONTestSuite (github.com/nst/JSONTestSuite): what a parser must accept and must refuse.

import Foundation
import JSON
import Testing

@Suite struct ConformanceTests {
    /// The files of the suite, or none where the data is not there.
    static let files: [URL] = {
        let folder = URL(filePath: #filePath)
            .appending(path: "../../../../shared/data/JSONTestSuite/test_parsing").standardized
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path())
        return (names ?? []).filter { $0.hasSuffix(".json") }.sorted()
            .map { folder.appending(path: $0) }
    }()

    /// Accepted by the suite, which follows RFC 8259's "should be unique"; refused here, because
    /// readers that differ in which of two values they take can be played against each other.
    static let refusedOnPurpose: Set = [
        "y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json",
    ]

    @Test(.enabled(if: !files.isEmpty, "shared/data/JSONTestSuite is not there"), arguments: files)
    func suite(_ file: URL) throws {
        let bytes = [UInt8](try Data(contentsOf: file))
        let outcome = Result { try JSONValue(parsing: bytes) }
        switch file.lastPathComponent.prefix(2) {
        case _ where Self.refusedOnPurpose.contains(file.lastPathComponent):
            #expect { try outcome.get() } throws: { ($0 as? JSONFailure)?.kind == .duplicateKey }
        case "y_":
            let value = try outcome.get()
            #expect(try JSONValue(parsing: value.bytes()) == value)
        case "n_":
            #expect(throws: JSONFailure.self) { try outcome.get() }
        default:
            if case .failure(let error) = outcome { #expect(error is JSONFailure) }
        }
    }

    @Test(.enabled(if: !files.isEmpty, "shared/data/JSONTestSuite is not there"))
    func suiteIsWhole() {
        #expect(Self.files.count > 300)
    }
}
