// Fuzzes what a connection does with received bytes: heads, then their bodies, over and over. The
// first byte chooses where the bytes are cut, since where they are cut must not change the outcome.

import HTTP

/// What came of a connection: each request's target and body, then the refusal or nothing.
private struct Outcome: Equatable {
    var requests: [[UInt8]] = []
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
        if body.isDone { result.requests.append(body.body) }
        decoder = body.isDone ? nil : body
        return taken == 0 && !body.isDone ? nil : taken
    }
    let parsed = try waiting.withBytes { bytes throws(Refusal) in try parser.parse(bytes) }
    guard let parsed else { return nil }
    precondition(parsed.consumed > 0, "a head has bytes")
    let body = try BodyDecoder(parsed.request.framing, limit: 4096)
    if body.isDone { result.requests.append([]) } else { decoder = body }
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
    return 0
}
