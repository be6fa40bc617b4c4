// Times the coder against Foundation's on one document and prints microseconds and ratios. Run with
// `swift run -c release json-benchmark`.

import JSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@main
enum JSONBenchmark {
    static func main() throws {
        let order = Order.sample
        let bytes = try JSONCoder.standard.encode(order)
        let data = Data(bytes)
        let encoder = JSONEncoder()
        let decoder = JSONDecoder()
        guard try decoder.decode(Order.self, from: data) == order,
            try JSONCoder.standard.decode(Order.self, from: bytes) == order
        else {
            print("the coders disagree")
            return
        }
        print("\(bytes.count) bytes; microseconds a document, the best of 400 runs")
        report(
            "decode",
            ours: try best { _ = try JSONCoder.standard.decode(Order.self, from: bytes) },
            foundation: try best { _ = try decoder.decode(Order.self, from: data) })
        report(
            "encode", ours: try best { _ = try JSONCoder.standard.encode(order) },
            foundation: try best { _ = try encoder.encode(order) })
        let value = try best { _ = try JSONValue(parsing: bytes) }
        print("parse as JSONValue: \(rounded(value))")
        let nothing = try best { _ = try JSONCoder.standard.decode(Nothing.self, from: bytes) }
        print("check only: \(rounded(nothing))")
    }

    /// Decodes from anything without looking at it.
    private struct Nothing: Decodable {
        init(from decoder: any Decoder) {}
    }

    private static func best(_ body: () throws -> Void) rethrows -> Double {
        // Short enough that some runs are not interrupted.
        let rounds = 100
        let clock = ContinuousClock()
        var best = Double.infinity
        for _ in 0..<400 {
            let time = try clock.measure { for _ in 0..<rounds { try body() } }
            best = min(best, time / .microseconds(rounds))
        }
        return best
    }

    private static func report(_ name: String, ours: Double, foundation: Double) {
        print(
            "\(name): \(rounded(ours)), Foundation \(rounded(foundation)),",
            "\(rounded(foundation / ours)) times faster")
    }

    private static func rounded(_ value: Double) -> Double {
        (value * 100).rounded() / 100
    }
}
