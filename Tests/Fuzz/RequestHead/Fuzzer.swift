// Fuzzes what a connection does with received bytes: heads, then their bodies, over and over. The
// first byte chooses where the bytes are cut, since where they are cut must not change the outcome.
// What was accepted is written out and read again: a proxy that does so must not change it either.

import HTTP

/// Bytes of a decoded body that are taken.
private let bodyLimit = 4096

/// A request with everything a handler can see of it.
private struct Seen: Equatable {
    var method: HTTPMethod
    var minorVersion: Int
    var path: [UInt8]
    var query: [UInt8]
    var names: [String]
    var values: [String]
    var keepsAlive: Bool
    var isChunked: Bool
    var body: [UInt8] = []

    init(_ request: HTTPRequest) {
        method = request.method
        minorVersion = request.minorVersion
        path = Array(request.path)
        query = Array(request.query)
        names = request.fields.map(\.name)
        values = request.fields.map(\.value)
        keepsAlive = request.keepsAlive
        isChunked = request.framing == .chunked
    }

    /// The request as it would be sent on; `nil` when its method or texts are not kept as they came.
    var wire: [UInt8]? {
        guard method != .other, !values.contains(where: { $0.contains("\u{FFFD}") }) else {
            return nil
        }
        var wire = Array("\(method.rawValue) ".utf8) + path
        if !query.isEmpty { wire += [0x3F] + query }
        wire += Array(" HTTP/1.\(minorVersion)\r\n".utf8)
        for (name, value) in zip(names, values) { wire += Array("\(name):\(value)\r\n".utf8) }
        wire += Array("\r\n".utf8)
        if !isChunked { return wire + body }
        if !body.isEmpty {
            let size = String(body.count, radix: 16)
            wire += Array("\(size)\r\n".utf8) + body + Array("\r\n".utf8)
        }
        return wire + Array("0\r\n\r\n".utf8)
    }
}

/// What came of a connection: its requests, then the refusal or nothing.
private struct Outcome: Equatable {
    var requests: [Seen] = []
    var open: Seen?
    var refusal = 0
}

/// Feeds `bytes` in pieces of `size`, as the server does: unconsumed bytes stay in front.
private func outcome(_ bytes: ArraySlice<UInt8>, piece size: Int) -> Outcome {
    var result = Outcome()
    var parser = RequestParser()
    var decoder: BodyDecoder?
    var waiting: [UInt8] = []
    var rest = bytes
    do throws(Refusal) {
        while !rest.isEmpty {
            waiting += rest.prefix(size)
            rest = rest.dropFirst(size)
            while true {
                let taken: Int? = try consume(waiting, &parser, &decoder, &result)
                guard let taken else { break }
                precondition(taken <= waiting.count, "took more than there was")
                waiting.removeFirst(taken)
                if waiting.isEmpty { break }
            }
        }
    } catch {
        precondition((400...599).contains(error.status), "a refusal has a status")
        result.refusal = error.status
    }
    return result
}

/// How many bytes were taken, `nil` when more are needed.
private func consume(
    _ waiting: [UInt8], _ parser: inout RequestParser, _ decoder: inout BodyDecoder?,
    _ result: inout Outcome
) throws(Refusal) -> Int? {
    if var body = decoder {
        let taken = try waiting.withBytes { bytes throws(Refusal) in try body.decode(bytes) }
        precondition(body.body.count <= bodyLimit, "a body above the limit")
        if body.isDone, var seen = result.open {
            seen.body = body.body
            result.requests.append(seen)
            result.open = nil
        }
        decoder = body.isDone ? nil : body
        return taken == 0 && !body.isDone ? nil : taken
    }
    let parsed = try waiting.withBytes { bytes throws(Refusal) in try parser.parse(bytes) }
    guard let parsed else { return nil }
    precondition(parsed.consumed > 0, "a head has bytes")
    let body = try BodyDecoder(parsed.request.framing, limit: bodyLimit)
    let seen = Seen(parsed.request)
    if body.isDone {
        result.requests.append(seen)
    } else {
        result.open = seen
        decoder = body
    }
    return parsed.consumed
}

extension [UInt8] {
    /// `withUnsafeBytes` that keeps the type of what is thrown.
    fileprivate func withBytes<Value>(
        _ work: (UnsafeRawBufferPointer) throws(Refusal) -> Value
    ) throws(Refusal) -> Value {
        let result = withUnsafeBytes { bytes -> Result<Value, Refusal> in
            do throws(Refusal) { return .success(try work(bytes)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}

/// What libFuzzer calls with each input; it traps on a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let whole = outcome(bytes[1...], piece: count)
    let cut = outcome(bytes[1...], piece: Int(bytes[0]) % 16 + 1)
    precondition(whole == cut, "the outcome depends on where the bytes are cut")
    for request in whole.requests {
        guard let wire = request.wire else { continue }
        let again = outcome(wire[...], piece: wire.count)
        precondition(again.requests == [request], "it reads differently when sent on")
    }
    return 0
}
