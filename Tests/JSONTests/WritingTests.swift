// Encoding: the order of containers, what is left out, and failures that name their place.

import Foundation
import JSON
import Testing

@Suite struct WritingTests {
    @Test func nilIsLeftOut() throws {
        let group = Group(
            title: "a\"b", members: [Member(name: "x", age: nil), Member(name: "y", age: 3)])
        #expect(
            try write(group)
                == #"{"title":"a\"b","members":[{"name":"x"},{"name":"y","age":3}]}"#)
        #expect(try write([1, nil] as [Int?]) == "[1,null]")
    }

    @Test func omitting() throws {
        let group = Group(title: "t", members: [Member(name: "x", age: nil)])
        let text = try JSONCoder.standard.encode(group, omitting: ["title", "name"])
        #expect(String(decoding: text, as: UTF8.self) == #"{"members":[{"name":"x"}]}"#)
        let none = try JSONCoder.standard.encode(group, omitting: ["title", "members"])
        #expect(String(decoding: none, as: UTF8.self) == "{}")
    }

    @Test func appending() throws {
        var bytes = [UInt8]("data: ".utf8)
        try JSONCoder.standard.encode([1], into: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "data: [1]")
        #expect(throws: JSONFailure.self) {
            try JSONCoder.standard.encode([Double.nan], into: &bytes)
        }
        #expect(String(decoding: bytes, as: UTF8.self) == "data: [1]")
    }

    @Test func placesOfFailures() {
        struct Point: Encodable { var note = "a,b]\"{"; var x: Double }
        let value = ["points": [Point(x: 1), Point(x: .infinity)]]
        #expect { try write(value) } throws: {
            ($0 as? JSONFailure)?.path == "points[1].x"
        }
    }

    @Test func dictionariesAndEmptyTypes() throws {
        struct Nothing: Codable {}
        #expect(try write(["k": 1]) == #"{"k":1}"#)
        #expect(try write([7: "x"]) == #"{"7":"x"}"#)
        #expect(try read(#"{"7":"x"}"#) == [7: "x"])
        #expect(try write([Nothing()]) == "[{}]")
        #expect(try write([String]()) == "[]")
        #expect(try write([String: Int]()) == "{}")
    }

    private class Animal: Codable {
        var name = "cat"
    }

    private final class Pet: Animal {
        var owner = "kim"
        private enum CodingKeys: CodingKey { case owner }
        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            owner = try members.decode(String.self, forKey: .owner)
            try super.init(from: members.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try super.encode(to: members.superEncoder())
            try members.encode(owner, forKey: .owner)
        }
    }

    @Test func superclasses() throws {
        #expect(try write(Pet()) == #"{"super":{"name":"cat"},"owner":"kim"}"#)
        let pet = try read(#"{"owner":"lee","super":{"name":"dog"}}"#, as: Pet.self)
        #expect(pet.name == "dog" && pet.owner == "lee")
    }

    /// Writes nested containers by hand, in order or out of it.
    private struct ByHand: Encodable {
        enum Key: CodingKey { case a, b }
        var isOutOfOrder = false

        func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: Key.self)
            var list = outer.nestedUnkeyedContainer(forKey: .a)
            try list.encode(1)
            var inner = list.nestedContainer(keyedBy: Key.self)
            try inner.encode(true, forKey: .b)
            try list.encodeNil()
            try outer.encode("x", forKey: .b)
            if isOutOfOrder { try list.encode(2) }
        }
    }

    @Test func nestedContainers() throws {
        #expect(try write(ByHand()) == #"{"a":[1,{"b":true},null],"b":"x"}"#)
        let omitted = try JSONCoder.standard.encode(ByHand(), omitting: ["a"])
        #expect(String(decoding: omitted, as: UTF8.self) == #"{"b":"x"}"#)
        #expect(throws: JSONFailure.self) { try write(ByHand(isOutOfOrder: true)) }
    }

    @Test func ownErrors() {
        struct Even: Decodable {
            init(from decoder: any Decoder) throws {
                let scalar = try decoder.singleValueContainer()
                guard try scalar.decode(Int.self) % 2 == 0 else {
                    throw DecodingError.dataCorruptedError(in: scalar, debugDescription: "odd")
                }
            }
        }
        let found = failure(#"{"list":[2,3]}"#, as: [String: [Even]].self)
        #expect(found?.message == "list[1]: odd")
        #expect(found?.kind == .badValue)
    }

    @Test func lentDecoder() throws {
        struct Own: Error {}
        let bytes = [UInt8](#"{"name":"a","x":1}"#.utf8)
        let names = try bytes.withUnsafeBytes { raw in
            try JSONCoder.standard.withDecoder(from: raw) { decoder in
                try decoder.container(keyedBy: MemberKey.self).allKeys.map(\.rawValue)
            }
        }
        #expect(names == ["name"])
        #expect(throws: Own.self) {
            try bytes.withUnsafeBytes { raw in
                try JSONCoder.standard.withDecoder(from: raw) { _ in throw Own() }
            }
        }
        // A decoder that is kept still reads its own copy.
        let kept = try bytes.withUnsafeBytes { raw in
            try JSONCoder.standard.withDecoder(from: raw) { $0 }
        }
        #expect(try Member(from: kept).name == "a")
    }

    private enum MemberKey: String, CodingKey { case name }

    @Test func pretty() throws {
        var value: JSONValue = ["b": [1, 2.5, [:]], "a": ["c": nil, "d": []]]
        #expect(value.description == #"{"b":[1,2.5,{}],"a":{"c":null,"d":[]}}"#)
        let text = String(decoding: value.bytes(isPretty: true, sortsKeys: true), as: UTF8.self)
        #expect(
            text == """
                {
                  "a": {
                    "c": null,
                    "d": []
                  },
                  "b": [
                    1,
                    2.5,
                    {}
                  ]
                }
                """)
        #expect(try JSONValue(parsing: [UInt8](text.utf8)) == value)
        value["b"] = nil
        value["e"] = "x"
        #expect(value.object?.keys == ["a", "e"])
        #expect(value["a"]?["d"]?[0] == nil)
        #expect(JSONNumber("1e5")?.text == "1e5")
        #expect(JSONNumber("1,\"x\":2") == nil && JSONNumber(" 1") == nil && JSONNumber("") == nil)
    }
}
