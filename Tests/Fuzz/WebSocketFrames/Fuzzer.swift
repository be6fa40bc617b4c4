// Fuzzes the WebSocket decoder in both roles. The first byte chooses the role and where the bytes are
// cut, since where they are cut must not change what arrives.

import WebSocket

/// The events in words, and the code of the fault that ended them, if any.
private func outcome(_ bytes: ArraySlice<UInt8>, role: WebSocketRole, piece size: Int) -> [String] {
    var decoder = FrameDecoder(role: role, maximumMessage: 4096)
    var events: [String] = []
    var rest = bytes
    while !rest.isEmpty {
        var piece = Array(rest.prefix(size))
        rest = rest.dropFirst(size)
        let result = piece.withUnsafeMutableBytes { bytes -> Result<Void, WebSocketFault> in
            do throws(WebSocketFault) {
                try decoder.decode(bytes) { events.append(word($0)) }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        if case .failure(let fault) = result {
            events.append("fault \(fault)")
            break
        }
    }
    return events
}

private func word(_ event: WebSocketEvent) -> String {
    switch event {
    case .text(let bytes):
        guard let text = String(validating: bytes, as: UTF8.self) else {
            preconditionFailure("a text that is not UTF-8 was delivered")
        }
        return "text \(text)"
    case .binary(let bytes): return "binary \(Array(bytes))"
    case .ping(let bytes): return "ping \(Array(bytes))"
    case .pong(let bytes): return "pong \(Array(bytes))"
    case .close(let code, let reason): return "close \(String(describing: code)) \(reason)"
    }
}

/// What libFuzzer calls with each input; it traps on a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let role: WebSocketRole = bytes[0] & 0x80 == 0 ? .server : .client
    let whole = outcome(bytes[1...], role: role, piece: count)
    let cut = outcome(bytes[1...], role: role, piece: Int(bytes[0]) % 16 + 1)
    precondition(whole == cut, "what arrives depends on where the bytes are cut")
    return 0
}
