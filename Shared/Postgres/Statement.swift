// Prepared statements: one number and name per text for a loop, and what each connection has
// prepared of them.
import Glibc

/// A statement text as the server gets it. Belongs to one loop.
final class Statement {
    let number: Int
    let name: UnsafeMutablePointer<CChar>
    let text: UnsafeMutablePointer<CChar>
    let parameterTypes: [UInt32]
    /// Whether it is tried on the shared read-only connection.
    var isRead: Bool
    var lastUse = 0

    init(number: Int, text: [UInt8], parameterTypes: [UInt32]) {
        self.number = number
        self.parameterTypes = parameterTypes
        name = Self.copy(Array("s\(number)".utf8))
        self.text = Self.copy(text)
        isRead = Self.looksLikeRead(text)
    }

    deinit {
        name.deallocate()
        text.deallocate()
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar> {
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for (position, byte) in bytes.enumerated() { copy[position] = CChar(bitPattern: byte) }
        copy[bytes.count] = 0
        return copy
    }

    /// Whether the first word, after blanks and `--` comments, is one that queries start with.
    static func looksLikeRead(_ text: [UInt8]) -> Bool {
        var rest = text[...]
        while let byte = rest.first {
            if byte <= UInt8(ascii: " ") || byte == UInt8(ascii: "(") {
                rest = rest.dropFirst()
            } else if rest.starts(with: "--".utf8) {
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            } else {
                break
            }
        }
        let word = rest.prefix {
            ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z")
        }
        .map { $0 | 0x20 }
        return ["select", "with", "values"].contains { word.elementsEqual($0.utf8) }
    }
}

/// Finds the statement of a query. Holds at most `limit` of them and then forgets the least
/// recently used half.
struct StatementRegistry {
    private struct Text: Hashable {
        let bytes: [UInt8]
        let parameterTypes: [UInt32]
    }

    private var byKey: [StatementKey: Statement] = [:]
    private var byText: [Text: Statement] = [:]
    private var uses = 0
    private var nextNumber = 1
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { byKey.count }

    mutating func statement(for sql: SQL) -> Statement {
        uses += 1
        let key = StatementKey(fingerprint: sql.fingerprint, pieces: sql.pieces)
        if let statement = byKey[key] {
            statement.lastUse = uses
            return statement
        }
        return add(key, sql)
    }

    private mutating func add(_ key: StatementKey, _ sql: SQL) -> Statement {
        if byKey.count >= limit { forgetHalf() }
        let types = sql.pieces.filter(\.isValue).map(\.detail)
        let text = Text(bytes: sql.textBytes, parameterTypes: types)
        let statement = byText[text] ?? makeStatement(text)
        statement.lastUse = uses
        byText[text] = statement
        byKey[key] = statement
        return statement
    }

    private mutating func makeStatement(_ text: Text) -> Statement {
        defer { nextNumber += 1 }
        return Statement(
            number: nextNumber, text: text.bytes, parameterTypes: text.parameterTypes)
    }

    private mutating func forgetHalf() {
        let ages = byKey.values.map(\.lastUse).sorted()
        let oldestKept = ages[ages.count / 2]
        byKey = byKey.filter { $0.value.lastUse >= oldestKept }
        byText = byText.filter { $0.value.lastUse >= oldestKept }
        // Texts that share their last use with many keys could keep everything.
        if byKey.count >= limit {
            byKey.removeAll()
            byText.removeAll()
        }
    }
}

/// What one connection has prepared, at most `limit` statements.
struct PreparedStatements {
    private var lastUse: [Int: Int] = [:]
    private var uses = 0
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { lastUse.count }

    enum Use: Equatable {
        case prepared
        /// To be prepared now; the evicted statement's number is to be deallocated.
        case new(evicted: Int?)
    }

    mutating func use(_ number: Int) -> Use {
        uses += 1
        if let position = lastUse.index(forKey: number) {
            lastUse.values[position] = uses
            return .prepared
        }
        var evicted: Int?
        if lastUse.count >= limit, let oldest = lastUse.min(by: { $0.value < $1.value }) {
            lastUse[oldest.key] = nil
            evicted = oldest.key
        }
        lastUse[number] = uses
        return .new(evicted: evicted)
    }

    mutating func forget(_ number: Int) {
        lastUse[number] = nil
    }
}
