// Random values through this coder and Foundation's, in both directions: what one writes the other
// must read as the same.

import Foundation
import JSON
import Testing

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every run.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mix = state
        mix = (mix ^ (mix >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mix = (mix ^ (mix >> 27)) &* 0x94D0_49BB_1331_11EB
        return mix ^ (mix >> 31)
    }
}

private struct Record: Codable, Equatable {
    enum Color: String, Codable, CaseIterable { case red, green, blue }
    enum Shape: Codable, Equatable {
        case point
        case circle(radius: Double)
        case box(Int, Int)
    }

    var flag: Bool
    var small: Int8
    var big: UInt64
    var signed: Int
    var ratio: Double
    var single: Float
    var text: String
    var note: String?
    var color: Color
    var shapes: [Shape]
    var counts: [String: Int]
    var words: [String]
    var id: UUID
    var children: [Record]

    static func random(_ depth: Int, _ random: inout Seeded) -> Record {
        let single = Float(bitPattern: UInt32.random(in: .min ... .max, using: &random))
        return Record(
            flag: .random(using: &random), small: .random(in: .min ... .max, using: &random),
            big: .random(in: .min ... .max, using: &random),
            signed: .random(in: .min ... .max, using: &random),
            ratio: .random(in: -1e6...1e6, using: &random), single: single.isFinite ? single : 0,
            text: randomText(&random), note: .random(using: &random) ? randomText(&random) : nil,
            color: Color.allCases.randomElement(using: &random) ?? .red,
            shapes: [.point, .circle(radius: .random(in: 0...9, using: &random)), .box(1, 2)],
            counts: ["one " + randomText(&random): 1, "two " + randomText(&random): 2],
            words: (0..<Int.random(in: 0...4, using: &random)).map { _ in randomText(&random) },
            id: UUID(),
            children: depth == 0
                ? []
                : (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    .random(depth - 1, &random)
                })
    }
}

private func randomText(_ random: inout Seeded) -> String {
    let alphabet: [Unicode.Scalar] = [
        "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\u{0}", "\u{1f}", "\u{7f}", "é", "서", "€",
        "😀", "\u{2028}", "\u{ffff}", "\u{10ffff}", "{", "]", ",", ":",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...24, using: &random) {
        text.append(alphabet.randomElement(using: &random) ?? "a")
    }
    return String(text)
}

private func randomValue(_ depth: Int, _ random: inout Seeded) -> JSONValue {
    switch Int.random(in: 0...(depth == 0 ? 4 : 6), using: &random) {
    case 0: .null
    case 1: .bool(.random(using: &random))
    case 2: .number(JSONNumber(Int64.random(in: .min ... .max, using: &random)))
    case 3: .number(JSONNumber(Double.random(in: -1e9...1e9, using: &random)) ?? JSONNumber(0))
    case 4: .string(randomText(&random))
    case 5:
        .array(
            (0..<Int.random(in: 0...5, using: &random)).map { _ in randomValue(depth - 1, &random) }
        )
    default:
        .object(
            JSONObject(
                (0..<Int.random(in: 0...5, using: &random)).map { _ in
                    (randomText(&random), randomValue(depth - 1, &random))
                }))
    }
}

@Suite struct PropertyTests {
    @Test(arguments: 0..<20)
    func records(_ seed: UInt64) throws {
        var random = Seeded(seed: seed)
        for _ in 0..<20 {
            let record = Record.random(2, &random)
            let ours = try JSONCoder.standard.encode(record)
            #expect(try JSONCoder.standard.decode(Record.self, from: ours) == record)
            #expect(try JSONDecoder().decode(Record.self, from: Data(ours)) == record)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .random(using: &random) ? [.prettyPrinted, .sortedKeys] : []
            let theirs = [UInt8](try encoder.encode(record))
            #expect(try JSONCoder.standard.decode(Record.self, from: theirs) == record)
        }
    }

    @Test(arguments: 0..<20)
    func values(_ seed: UInt64) throws {
        var random = Seeded(seed: seed)
        for _ in 0..<50 {
            let value = randomValue(4, &random)
            let compact = value.bytes()
            #expect(try JSONValue(parsing: compact) == value)
            #expect(try JSONCoder.standard.encode(value) == compact)
            #expect(try JSONValue(parsing: value.bytes(isPretty: true)).bytes() == compact)
            // Through Foundation: numbers as its types hold them, so texts are compared as doubles.
            let theirs = try JSONEncoder().encode([value])
            let back = try JSONValue(parsing: [UInt8](theirs))[0]
            #expect(back.map(rounded) == rounded(value))
            let read = try JSONDecoder().decode(
                [JSONValue].self, from: Data("[".utf8 + compact + "]".utf8))
            #expect(read.first.map(rounded) == rounded(value))
        }
    }

    /// The value with its numbers as the nearest doubles.
    private func rounded(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number(let number):
            .number(number.double.flatMap { JSONNumber($0) } ?? number)
        case .array(let elements): .array(elements.map(rounded))
        case .object(let members):
            .object(JSONObject(members.map { ($0.key, rounded($0.value)) }))
        default: value
        }
    }

    /// Bytes changed at random: never a crash, and what is still accepted reads back the same.
    @Test(arguments: 0..<20)
    func damage(_ seed: UInt64) throws {
        var random = Seeded(seed: seed)
        for _ in 0..<300 {
            var bytes = randomValue(3, &random).bytes()
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            do {
                let value = try JSONValue(parsing: bytes)
                #expect(try JSONValue(parsing: value.bytes()) == value)
            } catch {
                #expect(error is JSONFailure)
            }
        }
    }
}
