// Puts a response head together in one reused buffer per loop.
import CLinux
import EventLoop
import Glibc
import HTTP

/// A growing raw buffer; reset for every response.
struct OutputBuffer: ~Copyable {
    private var storage = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
    private(set) var count = 0

    deinit { storage.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    mutating func reset() {
        count = 0
        if storage.count > 1_048_576 {
            storage.deallocate()
            storage = .allocate(byteCount: 16_384, alignment: 16)
        }
    }

    private mutating func reserve(_ more: Int) {
        if count + more <= storage.count { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(storage.count * 2, count + more), alignment: 16)
        larger.copyMemory(from: bytes)
        storage.deallocate()
        storage = larger
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, let target = storageFor(bytes.count) else { return }
        memcpy(target, source, bytes.count)
        count += bytes.count
    }

    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    mutating func append(decimal value: Int) {
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        withUnsafeMutableBytes(of: &digits) { buffer in
            var rest = value
            var position = buffer.count
            repeat {
                position -= 1
                buffer[position] = UInt8(0x30 + rest % 10)
                rest /= 10
            } while rest > 0
            append(UnsafeRawBufferPointer(rebasing: buffer[position...]))
        }
    }

    private mutating func storageFor(_ more: Int) -> UnsafeMutableRawPointer? {
        reserve(more)
        return storage.baseAddress?.advanced(by: count)
    }
}

/// The `Date` line, made anew once a second.
struct DateLine {
    private var madeAt: UInt64 = 0
    private(set) var bytes: [UInt8] = []

    /// `turn` is the loop's monotonic time.
    mutating func refresh(_ turn: UInt64) {
        if turn &- madeAt < 250_000_000 && !bytes.isEmpty { return }
        madeAt = turn
        bytes = Array("Date: \(Self.text(linux_realtime_nanoseconds() / 1_000_000_000))\r\n".utf8)
    }

    /// IMF-fixdate of RFC 9110, section 5.6.7.
    static func text(_ secondsSince1970: Int64) -> String {
        var time = time_t(secondsSince1970)
        var parts = tm()
        gmtime_r(&time, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let day = "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
        let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(day) \(parts.tm_year + 1900) \(clock) GMT"
    }
}

/// How a response head is framed.
enum ResponseFraming {
    case sized(Int)
    case chunked
    case untilClose
    case none
}

extension OutputBuffer {
    /// Appends status line and fields, without body.
    mutating func appendHead(
        _ response: HTTPResponse, framing: ResponseFraming, date: [UInt8], keepsAlive: Bool,
        minorVersion: Int
    ) {
        if response.status == 200 {
            append("HTTP/1.1 200 OK\r\n")
        } else {
            append("HTTP/1.1 ")
            append(decimal: response.status)
            append(" ")
            append(reasonPhrase(response.status))
            append("\r\n")
        }
        append(date)
        if let type = response.contentType {
            append("Content-Type: ")
            append(type)
            append("\r\n")
        }
        if !response.requestId.isEmpty {
            append("X-Request-Id: ")
            append(response.requestId)
            append("\r\n")
        }
        for field in response.fields {
            append(field.name)
            append(": ")
            append(field.value)
            append("\r\n")
        }
        switch framing {
        case .sized(let size):
            append("Content-Length: ")
            append(decimal: size)
            append("\r\n")
        case .chunked: append("Transfer-Encoding: chunked\r\n")
        case .untilClose, .none: break
        }
        if response.status != 101 {
            if !keepsAlive {
                append("Connection: close\r\n")
            } else if minorVersion == 0 {
                append("Connection: keep-alive\r\n")
            }
        }
        append("\r\n")
    }

    /// Appends one chunk of the chunked coding.
    mutating func appendChunk(_ bytes: [UInt8]) {
        append(String(bytes.count, radix: 16))
        append("\r\n")
        append(bytes)
        append("\r\n")
    }
}
