// Decoding: types, exactness, and failures that name their place.

import Foundation
import JSON
import Testing

func read<T: Decodable>(_ text: String, as type: T.Type = T.self) throws -> T {
    try JSONCoder.standard.decode(type, from: [UInt8](text.utf8))
}

func failure<T: Decodable>(_ text: String, as type: T.Type) -> JSONFailure? {
    do {
        let value = try read(text, as: type)
        Issue.record("read \(value)")
        return nil
    } catch {
        return error as? JSONFailure
    }
}

struct Member: Codable, Equatable {
    var name: String
    var age: Int?
}

struct Group: Codable, Equatable {
    var title: String
    var members: [Member]
}

@Suite struct ReadingTests {
    @Test func objectsInAnyOrderWithUnknownKeys() throws {
        let text =
            #"{"x":[{}],"members":[{"age":3,"name":"a"},{"name":"b","age":null}],"title":"t"}"#
        let expected = Group(
            title: "t", members: [Member(name: "a", age: 3), Member(name: "b", age: nil)])
        #expect(try read(text, as: Group.self) == expected)
    }

    @Test func integers() throws {
        #expect(try read("-9223372036854775808") == Int64.min)
        #expect(try read("9223372036854775807") == Int64.max)
        #expect(try read("18446744073709551615") == UInt64.max)
        #expect(try read("-170141183460469231731687303715884105728") == Int128.min)
        #expect(try read("340282366920938463463374607431768211455") == UInt128.max)
        #expect(try read("[-128,127]") == [Int8.min, Int8.max])
        #expect(try read("-0") == 0)
        #expect(failure("128", as: Int8.self)?.kind == .numberOutOfRange)
        #expect(failure("-1", as: UInt.self)?.kind == .numberOutOfRange)
        #expect(failure("18446744073709551616", as: UInt64.self)?.kind == .numberOutOfRange)
        #expect(failure("9223372036854775808", as: Int.self)?.kind == .numberOutOfRange)
        #expect(failure("1.0", as: Int.self)?.message == "expected an integer, found 1.0")
        #expect(failure("1e2", as: Int.self)?.kind == .typeMismatch)
    }

    @Test func placesOfFailures() {
        let age = failure(
            #"{"title":"t","members":[{"name":"a","age":"old"}]}"#, as: Group.self)
        #expect(age?.message == "members[0].age: expected an integer, found a string")
        #expect(age?.path == "members[0].age")
        let name = failure(#"{"title":"t","members":[{"name":"a"},{"age":1}]}"#, as: Group.self)
        #expect(name?.kind == .missingKey)
        #expect(name?.path == "members[1].name")
        let twice = failure(
            #"{"title":"t","members":[{"name":"a"},{"q":[{"z":1,"a":2,"z":3}]}]}"#, as: Group.self)
        #expect(twice?.kind == .duplicateKey)
        #expect(twice?.path == "members[1].q[0].z")
        let root = failure("[]", as: Group.self)
        #expect(root?.message == "expected an object, found an array")
        #expect(failure(#"{"title":tru}"#, as: Group.self)?.offset == 9)
    }
}
