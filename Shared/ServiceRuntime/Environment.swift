// Configuration from environment variables, read once at start. Every fault is collected, so that a wrong deployment is
// told all that is wrong with it at once, by variable.
import Glibc
package import Vocabulary

/// What is wrong with the configuration: a sentence a variable.
package struct ConfigurationError: Error, CustomStringConvertible {
    package let faults: [String]

    package init(faults: [String]) {
        self.faults = faults
    }

    package var description: String { faults.joined(separator: "\n") }
}

/// Reads variables and remembers what was wrong.
package struct Environment {
    private let values: [String: String]
    private let readFile: (String) -> String?
    private var faults: [String] = []
    /// Every variable asked for, in order, for the table in the README.
    package private(set) var names: [String] = []

    /// - Parameter readFile: contents of a file, `nil` when it can't be read.
    package init(
        _ values: [String: String], readFile: @escaping (String) -> String? = Environment.contents
    ) {
        self.values = values
        self.readFile = readFile
    }

    /// The variables of this process.
    package static var process: Environment {
        var values: [String: String] = [:]
        var pointer = environ
        while let entry = pointer.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                values[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            pointer += 1
        }
        return Environment(values)
    }

    /// A text; an empty variable counts as unset.
    package mutating func text(_ name: String, default fallback: String) -> String {
        value(name) ?? fallback
    }

    /// A text, `nil` when unset.
    package mutating func optional(_ name: String) -> String? { value(name) }

    /// A text that must be there.
    package mutating func required(_ name: String, _ purpose: String) -> String {
        if let value = value(name) { return value }
        faults.append("\(name) is not set: \(purpose)")
        return ""
    }

    /// A secret from `NAME`, or from the file that `NAME_FILE` names, without the newline at its end.
    package mutating func secret(_ name: String) -> String? {
        let file = value(name + "_FILE")
        if let value = value(name) {
            if file != nil { faults.append("\(name) and \(name)_FILE are both set; choose one") }
            return value
        }
        guard let file else { return nil }
        guard var text = readFile(file) else {
            faults.append("\(name)_FILE names \(file), which can't be read")
            return nil
        }
        while text.last == "\n" { text.removeLast() }
        if text.isEmpty { faults.append("\(name)_FILE names \(file), which is empty") }
        return text
    }

    /// A secret that must be there.
    package mutating func requiredSecret(_ name: String, _ purpose: String) -> String {
        let before = faults.count
        if let secret = secret(name) { return secret }
        if faults.count == before {
            faults.append("neither \(name) nor \(name)_FILE is set: \(purpose)")
        }
        return ""
    }

    /// A whole number within bounds.
    package mutating func integer(
        _ name: String, default fallback: Int, _ range: ClosedRange<Int>
    ) -> Int {
        guard let text = value(name) else { return fallback }
        guard let number = Int(text), range.contains(number) else {
            faults.append(
                "\(name) is \"\(text)\"; it must be a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound)")
            return fallback
        }
        return number
    }

    /// One of some words.
    package mutating func word<Choice: RawRepresentable & CaseIterable>(
        _ name: String, default fallback: Choice
    ) -> Choice where Choice.RawValue == String {
        guard let text = value(name) else { return fallback }
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            faults.append("\(name) is \"\(text)\"; it must be one of \(words)")
            return fallback
        }
        return choice
    }

    /// An address of a peer: `http://host:port` or `https://host`, without path.
    package mutating func address(_ name: String, default fallback: String) -> String {
        guard var text = value(name) else { return fallback }
        while text.last == "/" { text.removeLast() }
        let scheme = ["http://", "https://"].first { text.hasPrefix($0) }
        guard let scheme, text.count > scheme.count, !text.dropFirst(scheme.count).contains("/")
        else {
            faults.append("\(name) is \"\(text)\"; it must look like http://auth:8081")
            return fallback
        }
        return text
    }

    /// Records a fault that the caller found in a value.
    package mutating func reject(_ name: String, _ reason: String) {
        faults.append("\(name) \(reason)")
    }

    /// - Throws: `ConfigurationError` when anything was wrong.
    package func validate() throws(ConfigurationError) {
        if !faults.isEmpty { throw ConfigurationError(faults: faults) }
    }

    private mutating func value(_ name: String) -> String? {
        if !names.contains(name) { names.append(name) }
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }

    /// The contents of a file of at most 64 kB.
    package static let contents: @Sendable (String) -> String? = { path in
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}

/// What every service is configured by.
package struct ServiceConfiguration: Sendable {
    package var host: String
    package var port: Int
    package var databaseURL: String
    package var databasePool: Int
    package var logLevel: Log.Level
    package var logFormat: Log.Format
    package var loops: Int
    /// Requests a minute of one user, or of one address without a user; 0 for no limit.
    package var requestsPerMinute: Int
    package var trustedProxies = TrustedProxies.loopback
    /// From the signal to stop until the port closes.
    package var drainSeconds: Int
    /// Where the JWKS is; unused by auth itself.
    package var authURL: String
    /// How far the service's clock is ahead of the machine's; only tests want anything but 0.
    package var clockOffsetSeconds: Int

    /// Reads the variables that all services share; `port` is the service's default.
    package init(_ environment: inout Environment, port: Int) {
        host = environment.text("HOST", default: "127.0.0.1")
        self.port = environment.integer("PORT", default: port, 0...65_535)
        databaseURL = environment.requiredSecret(
            "DATABASE_URL", "postgres://role:password@host:port/database")
        databasePool = environment.integer("DATABASE_POOL", default: 8, 1...200)
        logLevel = environment.word("LOG_LEVEL", default: .info)
        logFormat = environment.word(
            "LOG_FORMAT", default: isatty(1) == 1 ? Log.Format.text : .json)
        loops = environment.integer("LOOPS", default: availableCPUs(), 1...64)
        requestsPerMinute = environment.integer(
            "REQUESTS_PER_MINUTE", default: 6000, 0...1_000_000_000)
        drainSeconds = environment.integer("DRAIN_SECONDS", default: 0, 0...7)
        authURL = environment.address("AUTH_URL", default: "http://127.0.0.1:8081")
        // Ten years either way.
        clockOffsetSeconds = environment.integer(
            "CLOCK_OFFSET_SECONDS", default: 0, -315_360_000...315_360_000)
        guard let proxies = environment.optional("TRUSTED_PROXIES") else { return }
        if let trusted = TrustedProxies(proxies) {
            trustedProxies = trusted
        } else {
            environment.reject(
                "TRUSTED_PROXIES", "is \"\(proxies)\"; it must look like 127.0.0.1,10.0.0.0/8")
        }
    }

    /// The machine's clock, moved as configured.
    package var clock: WallClock {
        let offset = clockOffsetSeconds
        return offset == 0 ? .system : WallClock { WallClock.system.now().adding(seconds: offset) }
    }
}
