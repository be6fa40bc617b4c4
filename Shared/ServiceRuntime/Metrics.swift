// Counts what each loop did, without locks; read by hopping to the loop.
import EventLoop

/// Upper bounds of the latency histogram in nanoseconds: from a cached answer to a hopeless one.
let latencyBounds: [UInt64] = [
    500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
    250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
]

/// What one loop counted for one endpoint.
struct EndpointCounts: Sendable {
    /// By status; few ones a endpoint, so a list is searched faster than a dictionary.
    var statuses: [(status: Int, count: UInt64)] = []
    var buckets = [UInt64](repeating: 0, count: latencyBounds.count + 1)
    var nanoseconds: UInt64 = 0

    mutating func record(status: Int, nanoseconds elapsed: UInt64) {
        nanoseconds &+= elapsed
        var bucket = 0
        while bucket < latencyBounds.count && elapsed > latencyBounds[bucket] { bucket += 1 }
        buckets[bucket] += 1
        for position in statuses.indices where statuses[position].status == status {
            statuses[position].count += 1
            return
        }
        statuses.append((status, 1))
    }

    mutating func add(_ other: EndpointCounts) {
        nanoseconds &+= other.nanoseconds
        for position in buckets.indices { buckets[position] += other.buckets[position] }
        for (status, count) in other.statuses {
            if let position = statuses.firstIndex(where: { $0.status == status }) {
                statuses[position].count += count
            } else {
                statuses.append((status, count))
            }
        }
    }
}

/// A gauge or counter that a part of the service offers to `/metrics`.
package struct MetricSample: Sendable {
    package enum Kind: String, Sendable {
        case counter
        case gauge
    }

    package var name: String
    package var help: String
    package var kind: Kind
    package var value: Double

    package init(_ name: String, _ kind: Kind, _ value: Double, help: String) {
        self.name = name
        self.kind = kind
        self.value = value
        self.help = help
    }
}

/// Prints the Prometheus text format 0.0.4.
struct PrometheusText {
    private(set) var text = ""
    private var described: Set<String> = []

    mutating func describe(_ name: String, _ kind: String, _ help: String) {
        guard described.insert(name).inserted else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    }

    mutating func sample(_ name: String, _ labels: [(String, String)], _ value: String) {
        text += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.0)=\"\($0.1)\"" }
            text += "{\(pairs.joined(separator: ","))}"
        }
        text += " \(value)\n"
    }

    mutating func endpoints(_ counts: [(name: String, counts: EndpointCounts)]) {
        describe("madang_requests_total", "counter", "Requests answered, by endpoint and status.")
        for (name, counts) in counts {
            for (status, count) in counts.statuses.sorted(by: { $0.status < $1.status }) {
                sample(
                    "madang_requests_total", [("endpoint", name), ("status", "\(status)")],
                    "\(count)")
            }
        }
        let histogram = "madang_request_duration_seconds"
        describe(histogram, "histogram", "Time from a request's last byte to its answer.")
        for (name, counts) in counts where !counts.statuses.isEmpty {
            var cumulative: UInt64 = 0
            for (position, bound) in latencyBounds.enumerated() {
                cumulative += counts.buckets[position]
                let seconds = Double(bound) / 1e9
                sample(
                    histogram + "_bucket", [("endpoint", name), ("le", "\(seconds)")],
                    "\(cumulative)")
            }
            cumulative += counts.buckets[latencyBounds.count]
            sample(histogram + "_bucket", [("endpoint", name), ("le", "+Inf")], "\(cumulative)")
            sample(
                histogram + "_sum", [("endpoint", name)], "\(Double(counts.nanoseconds) / 1e9)")
            sample(histogram + "_count", [("endpoint", name)], "\(cumulative)")
        }
    }

    mutating func samples(_ samples: [MetricSample]) {
        for item in samples {
            describe(item.name, item.kind.rawValue, item.help)
            let whole = item.value == item.value.rounded() && abs(item.value) < 1e15
            sample(item.name, [], whole ? "\(Int64(item.value))" : "\(item.value)")
        }
    }
}
