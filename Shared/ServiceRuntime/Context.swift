// What a handler knows beside its request.
import Endpoints
package import HTTP
import Vocabulary

/// One request's surroundings.
package struct Context: Sendable {
    /// Who asks; at least what the endpoint's `Access` demands.
    package let caller: Caller
    /// When the answer is no longer worth anything, in monotonic nanoseconds. Hand it to whatever waits.
    package let deadline: UInt64
    /// Names the request in answers and logs, and is passed on to peers.
    package let requestId: String
    /// The raw request, for fields that no endpoint type models.
    package let request: HTTPRequest
    let serviceLog: Log

    /// Address of the client: the peer's, or what a trusted proxy says of it.
    package let address: String

    /// Writes lines that carry the request's id. Made when asked for: most requests log nothing.
    package var log: Log { serviceLog.with(requestId: requestId) }

    /// The signed-in person. See `Caller.user`.
    package var user: UserCaller {
        get throws(Problem) { try caller.user }
    }

    /// The W3C trace context that came with the request and goes with calls to peers; `nil` when absent or malformed.
    package var traceparent: String? {
        guard let text = request.text("traceparent"), isTraceparent(text) else { return nil }
        return text
    }
}

/// Whether a text has the form of W3C Trace Context level 1, version 00.
func isTraceparent(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 55, bytes[2] == 0x2D, bytes[35] == 0x2D, bytes[52] == 0x2D else {
        return false
    }
    for (position, byte) in bytes.enumerated() where ![2, 35, 52].contains(position) {
        guard (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) else { return false }
    }
    return bytes[0] == 0x30 && bytes[1] == 0x30
}

/// Makes request ids: unique in the process, unlikely to repeat in another, 13 characters so that the text needs no
/// memory of its own.
struct RequestIds: Sendable {
    private var counter: UInt64
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        counter = 0
    }

    mutating func next() -> String {
        counter &+= 1
        // A bijection of 64 bits: ids of one process never repeat and don't look alike.
        var value = (counter &* 0x9E37_79B9_7F4A_7C15) ^ seed
        return String(unsafeUninitializedCapacity: 13) { buffer in
            for position in 0..<13 {
                let digit = UInt8(truncatingIfNeeded: value & 31)
                buffer[position] = digit < 10 ? 0x30 + digit : 0x61 + digit - 10
                value >>= 5
            }
            return 13
        }
    }

    /// An id that came from outside is kept when it is short and harmless in a log.
    static func accept(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard (1...64).contains(bytes.count) else { return nil }
        for byte in bytes {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: continue
            default: return nil
            }
        }
        return bytes.text
    }
}
