// What `swift format lint` cannot see: the closed top level, lengths, words and opening comments.

import Foundation
import Testing

@Suite struct FormTests {
    @Test func topLevelIsClosed() throws {
        let allowed: Set<String> = [
            "Makefile", "Package.swift", "README.md", "Services", "Shared", "Tests", "compose.yaml",
            "docker",
        ]
        let top = Set(try Repository.files().map { String($0.prefix { $0 != "/" }) })
        let surplus = top.filter { !$0.hasPrefix(".") && !allowed.contains($0) }.sorted()
        #expect(surplus.isEmpty, "the top level is closed (architecture): \(surplus)")
    }

    @Test func filesAreShort() throws {
        for file in try Repository.swiftFiles() where file.lines.count > 400 {
            Issue.record("\(file.path) has \(file.lines.count) lines; 400 are allowed")
        }
    }

    @Test func functionsAreShort() throws {
        for file in try Repository.swiftFiles() where file.path != "Package.swift" {
            for function in file.functions where function.length > 70 {
                Issue.record(
                    """
                    \(file.path):\(function.line) \(function.length) lines, 70 are allowed: \
                    \(file.lines[function.line - 1])
                    """)
            }
        }
    }

    @Test func lengthsAreMeasured() throws {
        let own = try SourceFile(path: "Tests/RepositoryTests/FormTests.swift").functions
        #expect(own.count > 5)
        #expect(own.allSatisfy { $0.length > 1 })
        #expect(own.contains { $0.length > 10 })
    }

    @Test func filesOpenWithAComment() throws {
        let openings = [
            "swift": ["//"], "sh": ["#!"], "sql": ["--"], "py": ["#!", "\"\"\"", "#"],
            "c": ["//", "/*"], "h": ["//", "/*"],
        ]
        for path in try Repository.files() {
            guard let starts = openings[(path as NSString).pathExtension] else { continue }
            let file = try SourceFile(path: path)
            let first = file.lines.first ?? ""
            if !(starts + ["# "]).contains(where: first.hasPrefix) {
                Issue.record("\(path) does not open with what it is")
            }
        }
    }

    /// In parts, so that this file does not break its own rules.
    private static let bannedWords = [
        "TO" + "DO", "FIX" + "ME", "try" + "!", "as" + "!", "fatal" + "Error(",
    ]

    @Test func bannedWordsAreAbsent() throws {
        for file in try Repository.swiftFiles() {
            for (index, line) in file.lines.enumerated() {
                for word in Self.bannedWords where line.contains(word) {
                    Issue.record("\(file.path):\(index + 1) has '\(word)'")
                }
            }
        }
    }

    private static let vagueWords = ["Helper", "Manager", "Util"]

    @Test func namesSaySomething() throws {
        let declaration =
            /\b(?:struct|class|enum|actor|protocol|typealias)\s+(\w*(?:Helper|Manager|Utils?))\b/
        for file in try Repository.swiftFiles() {
            for (index, line) in file.lines.enumerated() {
                guard Self.vagueWords.contains(where: line.contains) else { continue }
                if let match = line.firstMatch(of: declaration) {
                    Issue.record("\(file.path):\(index + 1) '\(match.1)' says nothing")
                }
            }
            let name = file.path.split(separator: "/").last ?? ""
            if (Self.vagueWords + ["+ext", "+Ext"]).contains(where: name.contains) {
                Issue.record("\(file.path): a vague name")
            }
        }
    }

    /// A path of one machine is wrong on every other.
    @Test func noMachineIsNamed() throws {
        let folders = ["/wo" + "rk/", "/ho" + "me/", "/Us" + "ers/", "/ro" + "ot/"]
        for path in try Repository.files() {
            guard let file = try? SourceFile(path: path) else { continue }
            for (index, line) in file.lines.enumerated() {
                for folder in folders where line.contains(folder) {
                    Issue.record("\(path):\(index + 1) names \(folder)")
                }
            }
        }
    }
}

extension SourceFile {
    /// Functions and initialisers with a body: the line of each and how many lines it takes.
    ///
    /// It relies on the layout of `swift format`: the closing brace stands below the first word.
    var functions: [(line: Int, length: Int)] {
        lines.indices.compactMap { start in
            guard Self.openingWords.contains(where: lines[start].contains),
                lines[start].contains(Self.opening)
            else { return nil }
            let indent = lines[start].prefix { $0 == " " }
            if lines[start].hasSuffix("}") { return (start + 1, 1) }
            for end in lines.indices.dropFirst(start + 1) {
                let rest = lines[end].dropFirst(indent.count)
                guard lines[end].hasPrefix(indent), let first = rest.first, first != " " else {
                    continue
                }
                if rest.hasPrefix("}") { return (start + 1, end - start + 1) }
                // The signature goes on; anything else is a requirement without a body.
                if ")w{#".contains(first) == false { return nil }
            }
            return nil
        }.filter { $0.1 > 1 }
    }

    private static let openingWords = ["func ", "init", "subscript"]

    private static var opening: Regex<Substring> {
        /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private|static|class|final|override|mutating|nonmutating|nonisolated|required|convenience|borrowing|consuming|isolated)\s+)*(?:func |init[?<(]|subscript[<(])/
    }
}
