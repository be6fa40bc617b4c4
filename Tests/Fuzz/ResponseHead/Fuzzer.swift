// Fuzzes what a client makes of a peer's bytes: interim heads, the head, the body. The first byte
// chooses where the bytes are cut, which must not matter, and the method that was sent.

import HTTP

/// Bytes of a decoded body that are taken.
private let bodyLimit = 4096

/// What came of one response.
private struct Outcome: Equatable {
    var statuses: [Int] = []
    var fields: [String] = []
    var keepsAlive = false
    var body: [UInt8] = []
    var isWhole = false
    /// Bytes after the response, as many as had arrived.
    var consumed = 0
    var refusal = 0
}

private struct Reader {
    let method: HTTPMethod
    var parser = ResponseParser()
    var decoder: BodyDecoder?
    var result = Outcome()

    /// How many bytes were taken, `nil` when more are needed or none are wanted.
    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(Refusal) -> Int? {
        if result.isWhole { return nil }
        if var body = decoder {
            let taken = try body.decode(bytes)
            precondition(body.body.count <= bodyLimit, "a body above the limit")
            result.body = body.body
            result.isWhole = body.isDone
            decoder = body
            return taken == 0 ? nil : taken
        }
        guard let (head, taken) = try parser.parse(bytes, method: method) else { return nil }
        precondition(taken > 0, "a head has bytes")
        result.statuses.append(head.status)
        if head.status >= 200 {
            result.fields = head.fields.map { "\($0.name):\($0.value)" }
            result.keepsAlive = head.keepsAlive
            let body = try BodyDecoder(head.framing, limit: bodyLimit)
            result.isWhole = body.isDone
            decoder = body
        }
        return taken
    }
}

private func outcome(_ bytes: ArraySlice<UInt8>, method: HTTPMethod, piece size: Int) -> Outcome {
    var reader = Reader(method: method)
    var waiting: [UInt8] = []
    var rest = bytes
    while !rest.isEmpty {
        waiting += rest.prefix(size)
        rest = rest.dropFirst(size)
        while !waiting.isEmpty {
            let taken = waiting.withUnsafeBytes { bytes -> Result<Int?, Refusal> in
                do throws(Refusal) {
                    return .success(try reader.take(bytes))
                } catch {
                    return .failure(error)
                }
            }
            switch taken {
            case .success(nil): break
            case .success(let count?):
                precondition(count <= waiting.count, "took more than there was")
                waiting.removeFirst(count)
                reader.result.consumed += count
                continue
            case .failure(let refusal):
                precondition((400...599).contains(refusal.status), "a refusal has a status")
                // How far a body had got when it was refused is nobody's business.
                reader.result.body = []
                reader.result.consumed = 0
                reader.result.refusal = refusal.status
                return reader.result
            }
            break
        }
    }
    return reader.result
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let method: HTTPMethod = bytes[0] & 0x80 == 0 ? .get : .head
    let whole = outcome(bytes[1...], method: method, piece: count)
    let cut = outcome(bytes[1...], method: method, piece: Int(bytes[0]) % 16 + 1)
    precondition(whole == cut, "the outcome depends on where the bytes are cut")
    return 0
}
