// Ids: their range, their two spellings.

import JSON
import Testing
import Vocabulary

private enum Boat {}
private typealias BoatID = Identifier<Boat>

@Suite struct IdentifierTests {
    @Test func range() {
        #expect(BoatID(rawValue: 0) == nil)
        #expect(BoatID(rawValue: -1) == nil)
        #expect(BoatID(rawValue: .min) == nil)
        #expect(BoatID(rawValue: 1)?.rawValue == 1)
        #expect(BoatID(rawValue: (1 << 53) - 1)?.rawValue == 9_007_199_254_740_991)
        #expect(BoatID(rawValue: 1 << 53) == nil)
        #expect(BoatID(rawValue: .max) == nil)
    }

    @Test func order() {
        #expect(BoatID(trusted: 2) < BoatID(trusted: 10))
        #expect(Set([BoatID(trusted: 7), BoatID(trusted: 7)]).count == 1)
    }

    @Test(arguments: [
        "", "0", "00", "01", "-1", "+1", " 1", "1 ", "1\n", "1.0", "1e3", "0x1", "１", "٣", "1_000",
        "9007199254740992", "9223372036854775807", "9223372036854775808", "18446744073709551617",
        "99999999999999999999999999999999", "1/../2", "1%00", "NaN",
    ])
    func refusedText(text: String) {
        #expect(BoatID(text) == nil)
    }

    @Test(arguments: [1, 9, 10, 42, 9_007_199_254_740_991] as [Int64])
    func textThereAndBack(number: Int64) {
        #expect(BoatID(String(number))?.rawValue == number)
        #expect(BoatID(trusted: number).description == String(number))
    }

    @Test func json() throws {
        let ids = [BoatID(trusted: 1), BoatID(trusted: 9_007_199_254_740_991)]
        #expect(try written(ids) == "[1,9007199254740991]")
        #expect(try read("[1,9007199254740991]") == ids)
    }

    @Test(arguments: ["0", "-1", "9007199254740992", "\"1\"", "1.5", "null", "true"])
    func refusedJSON(number: String) {
        let failure = #expect(throws: JSONFailure.self) {
            try read("[1,\(number)]", as: [BoatID].self)
        }
        #expect(failure?.path == "[1]")
    }

    @Test func theRangeIsNamed() {
        let failure = #expect(throws: JSONFailure.self) { try read("0", as: BoatID.self) }
        #expect(failure?.message.contains("an id is from 1 to 9007199254740991") == true)
    }
}

func read<T: Decodable>(_ text: String, as type: T.Type = T.self) throws -> T {
    try JSONCoder.standard.decode(type, from: [UInt8](text.utf8))
}

func written(_ value: some Encodable) throws -> String {
    String(decoding: try JSONCoder.standard.encode(value), as: UTF8.self)
}
