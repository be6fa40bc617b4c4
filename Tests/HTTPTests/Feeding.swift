// Feeds bytes to parser and decoder in pieces, as a connection would, and tells what came out.

import HTTP

/// A request with everything a handler can see of it.
struct Seen: Equatable {
    var method: HTTPMethod
    var minorVersion: Int
    var path: String
    var query: String
    var fields: [String]
    var body: [UInt8]
    var keepsAlive: Bool
    var expectsContinue: Bool

    init(_ request: HTTPRequest, body: [UInt8]) {
        method = request.method
        minorVersion = request.minorVersion
        path = request.path.text
        query = request.query.text
        fields = request.fields.map { "\($0.name): \($0.value)" }
        self.body = body
        keepsAlive = request.keepsAlive
        expectsContinue = request.expectsContinue
    }
}

/// What a connection that receives certain bytes makes of them.
struct Outcome: Equatable {
    var requests: [Seen] = []
    /// Status of the refusal that ended it.
    var refusal: Int?

    /// - Parameter nextSize: how many bytes the next piece has.
    init(
        _ bytes: [UInt8], limits: HeadLimits = HeadLimits(), bodyLimit: Int = 1000,
        nextSize: () -> Int = { .max }
    ) {
        var feed = Feed(limits: limits, bodyLimit: bodyLimit)
        var rest = bytes[...]
        do throws(Refusal) {
            while !rest.isEmpty {
                let piece = rest.prefix(nextSize())
                rest = rest.dropFirst(piece.count)
                try feed.take(piece)
            }
        } catch {
            refusal = error.status
        }
        requests = feed.requests
    }

    init(_ text: String, bodyLimit: Int = 1000) {
        self.init(Array(text.utf8), bodyLimit: bodyLimit)
    }
}

/// A connection without sockets.
private struct Feed {
    private let bodyLimit: Int
    private var parser: RequestParser
    private var open: (HTTPRequest, BodyDecoder)?
    private var waiting: [UInt8] = []
    private(set) var requests: [Seen] = []

    init(limits: HeadLimits, bodyLimit: Int) {
        parser = RequestParser(limits: limits)
        self.bodyLimit = bodyLimit
    }

    mutating func take(_ bytes: ArraySlice<UInt8>) throws(Refusal) {
        waiting += bytes
        while !waiting.isEmpty {
            guard let count = try step() else { return }
            waiting.removeFirst(count)
        }
    }

    /// - Returns: how many bytes were consumed; `nil` when more are needed.
    private mutating func step() throws(Refusal) -> Int? {
        if case (let request, var decoder)? = open {
            let count = try decode(&decoder, waiting)
            if decoder.isDone {
                requests.append(Seen(request, body: decoder.body))
                open = nil
            } else {
                open = (request, decoder)
            }
            return count
        }
        var parser = self.parser
        let result = waiting.withUnsafeBytes { bytes in
            Result { () throws(Refusal) in try parser.parse(bytes) }
        }
        self.parser = parser
        guard let (request, count) = try result.get() else { return nil }
        let decoder = try BodyDecoder(request.framing, limit: bodyLimit)
        if decoder.isDone {
            requests.append(Seen(request, body: []))
        } else {
            open = (request, decoder)
        }
        return count
    }
}

/// Gives bytes to a decoder.
func decode(_ decoder: inout BodyDecoder, _ bytes: [UInt8]) throws(Refusal) -> Int {
    let result = bytes.withUnsafeBytes { bytes in
        Result { () throws(Refusal) in try decoder.decode(bytes) }
    }
    return try result.get()
}

/// A generator whose seed makes a failure repeatable.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        // SplitMix64
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
