// Fuzzes the JSON reader: what it accepts it must write so that it reads the same again.

import JSON

/// What libFuzzer calls with each input; it traps on a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let value = try? JSONValue(parsing: bytes) else { return 0 }
    let written = value.bytes()
    guard let again = try? JSONValue(parsing: written) else {
        preconditionFailure("what was written cannot be read: \(written)")
    }
    precondition(again == value, "it reads otherwise than it was")
    precondition(again.bytes() == written, "it writes otherwise than before")
    return 0
}
