// Structured logs: one JSON object a line for machines, plain text on a terminal. Lines are written whole with one
// system call, so that processes sharing a pipe do not mix.
import CLinux
import Glibc
package import JSON

/// Writes log lines with fields that every line of its holder carries.
package struct Log: Sendable {
    package enum Level: String, Sendable, Comparable, CaseIterable {
        case debug
        case info
        case notice
        case warning
        case error

        package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        /// The word used in `LOG_LEVEL` and in lines.
        package var word: String { rawValue }
    }

    package enum Format: String, Sendable, CaseIterable {
        case json
        case text
    }

    package let level: Level
    private let format: Format
    private let service: String
    private let requestId: String?
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: takes one whole line with its newline; standard output by default.
    package init(
        service: String, level: Level, format: Format,
        write: @escaping @Sendable ([UInt8]) -> Void = Log.standardOutput
    ) {
        self.init(
            service: service, level: level, format: format, requestId: nil, write: write)
    }

    private init(
        service: String, level: Level, format: Format, requestId: String?,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.service = service
        self.level = level
        self.format = format
        self.requestId = requestId
        self.write = write
    }

    /// Drops everything; for tests.
    package static let silent = Log(service: "", level: .error, format: .json) { _ in }

    /// The same log with a request's id on every line.
    package func with(requestId: String) -> Log {
        Log(service: service, level: level, format: format, requestId: requestId, write: write)
    }

    /// Writes a line when `level` is wanted. Values must hold neither secrets nor personal data.
    package func line(
        _ level: Level, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> [(String, JSONValue)] = []
    ) {
        guard level >= self.level else { return }
        let time = Self.timestamp(linux_realtime_nanoseconds())
        switch format {
        case .json: writeJSON(time, level, message(), fields())
        case .text: writeText(time, level, message(), fields())
        }
    }

    private func writeJSON(
        _ time: String, _ level: Level, _ message: String, _ fields: [(String, JSONValue)]
    ) {
        var members: [(String, JSONValue)] = [
            ("time", .string(time)), ("level", .string(level.word)), ("service", .string(service)),
            ("message", .string(message)),
        ]
        if let requestId { members.append(("requestId", .string(requestId))) }
        members.append(contentsOf: fields)
        var line = (try? JSONCoder.standard.encode(JSONValue.object(JSONObject(members)))) ?? []
        line.append(0x0A)
        write(line)
    }

    private func writeText(
        _ time: String, _ level: Level, _ message: String, _ fields: [(String, JSONValue)]
    ) {
        var text = "\(time) \(level.word) \(service): \(message)"
        if let requestId { text += " requestId=\(requestId)" }
        for (name, value) in fields { text += " \(name)=\(value)" }
        // A value with a line break must not look like a second line.
        let line = text.utf8.map { $0 < 0x20 ? 0x20 : $0 }
        write(line + [0x0A])
    }

    package func debug(
        _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> [(String, JSONValue)] = []
    ) { line(.debug, message(), fields()) }

    package func info(
        _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> [(String, JSONValue)] = []
    ) { line(.info, message(), fields()) }

    package func notice(
        _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> [(String, JSONValue)] = []
    ) { line(.notice, message(), fields()) }

    package func warning(
        _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> [(String, JSONValue)] = []
    ) { line(.warning, message(), fields()) }

    package func error(
        _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> [(String, JSONValue)] = []
    ) { line(.error, message(), fields()) }

    /// Writes to descriptor 1. A full pipe may cut a line; a log must not stop the service.
    package static let standardOutput: @Sendable ([UInt8]) -> Void = { line in
        line.withUnsafeBytes { _ = Glibc.write(1, $0.baseAddress, $0.count) }
    }

    /// RFC 3339 in UTC with milliseconds.
    private static func timestamp(_ nanoseconds: Int64) -> String {
        var seconds = time_t(nanoseconds / 1_000_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date =
            "\(parts.tm_year + 1900)-\(padded(Int(parts.tm_mon) + 1, 2))-"
            + padded(Int(parts.tm_mday), 2)
        let clock =
            "\(padded(Int(parts.tm_hour), 2)):\(padded(Int(parts.tm_min), 2)):"
            + padded(Int(parts.tm_sec), 2)
        let milliseconds = padded(Int(nanoseconds % 1_000_000_000 / 1_000_000), 3)
        return "\(date)T\(clock).\(milliseconds)Z"
    }
}
