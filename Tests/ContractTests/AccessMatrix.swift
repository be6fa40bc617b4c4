// Who may do what: for every endpoint and every kind of caller the answer, written by hand. A table
// a service, in the file of its name; an endpoint without a row fails the test.

import Endpoints
import TestSupport
import Testing

/// Who calls.
enum CallerKind: String, Sendable, CaseIterable {
    /// Nobody: no token.
    case anonymous
    /// A user who has nothing to do with the thing at hand.
    case other
    /// A user who belongs to it.
    case member
    /// The user whose it is.
    case owner
    /// A user with the role of an administrator, who has nothing to do with it either.
    case admin
    /// Another service.
    case service
}

/// The world of one call: a request for each endpoint of the service, and who the callers are.
struct Scene {
    var requests: [any Endpoint]
    /// Tokens of callers who are others than usual.
    var tokens: [CallerKind: String] = [:]

    /// Whom a scene may speak of; see ``token(of:)``.
    static let (other, member, owner, admin): (Int64, Int64, Int64, Int64) = (9, 8, 7, 1)

    func token(of caller: CallerKind) throws -> String? {
        if let token = tokens[caller] { return token }
        return switch caller {
        case .anonymous: nil
        case .other: try AccessToken.user(Self.other)
        case .member: try AccessToken.user(Self.member)
        case .owner: try AccessToken.user(Self.owner)
        case .admin: try AccessToken.user(Self.admin, role: "admin")
        case .service: try AccessToken.service("parties")
        }
    }
}

extension TestService {
    /// Makes a request come from an address of its own, so that many don't spend one budget.
    static var anotherAddress: TransportHeader {
        let parts = (0..<3).map { _ in "\(Int.random(in: 1...254))" }
        return TransportHeader("X-Forwarded-For", "10." + parts.joined(separator: "."))
    }
}

/// The answers of one service.
struct AccessMatrix: Sendable, CustomTestStringConvertible {
    /// The service's name.
    let service: String
    /// A line an endpoint, with a cell for each kind of caller in the order of ``CallerKind``.
    ///
    /// A cell is a status, with the code of the problem after it where that is another than usual: 401
    /// stands for `access_token_missing` of nobody and `access_token_invalid` of somebody, 403 for
    /// `forbidden`, 404 for `not_found`.
    let table: String
    /// Makes the world anew for each call, so that calls don't disturb each other.
    let scene: @Sendable (TestService) async throws -> Scene

    var testDescription: String { service }

    /// An answer as the table writes it.
    struct Answer: Hashable, CustomStringConvertible {
        var status: Int
        var code: String?

        var description: String { ["\(status)", code].compactMap(\.self).joined(separator: " ") }

        /// - Throws: `MalformedTable` when the cell is none.
        init(cell: Substring, caller: CallerKind) throws {
            let words = cell.split(separator: " ")
            guard let status = words.first.flatMap({ Int($0) }), words.count <= 2 else {
                throw MalformedTable(description: "'\(cell)' is no answer")
            }
            self.status = status
            if words.count == 2 {
                code = String(words[1])
            } else {
                switch status {
                case 401:
                    code = caller == .anonymous ? "access_token_missing" : "access_token_invalid"
                case 403: code = "forbidden"
                case 404: code = "not_found"
                case 200..<400: code = nil
                default: throw MalformedTable(description: "\(status) needs a code")
                }
            }
        }

        init(status: Int, code: String?) {
            self.status = status
            self.code = code
        }
    }

    struct MalformedTable: Error, CustomStringConvertible {
        let description: String
    }

    /// The answers by endpoint and caller.
    ///
    /// - Throws: `MalformedTable` when a row is none or comes twice.
    func answers() throws -> [String: [CallerKind: Answer]] {
        var answers: [String: [CallerKind: Answer]] = [:]
        for line in table.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.drop { $0 == " " } }
            guard let name = cells.first?.split(separator: " ").first.map(String.init) else {
                continue
            }
            let callers = CallerKind.allCases
            if name == "endpoint" {
                let columns = cells.dropFirst().compactMap { $0.split(separator: " ").first }
                guard columns.map(String.init) == callers.map(\.rawValue) else {
                    throw MalformedTable(description: "the columns are \(columns)")
                }
                continue
            }
            guard cells.count == callers.count + 1 else {
                throw MalformedTable(description: "\(name) has \(cells.count - 1) answers")
            }
            guard answers[name] == nil else {
                throw MalformedTable(description: "\(name) comes twice")
            }
            answers[name] = [:]
            for (caller, cell) in zip(callers, cells.dropFirst()) {
                answers[name]?[caller] = try Answer(cell: cell, caller: caller)
            }
        }
        return answers
    }

    /// What is wrong between a table and the endpoints it should be of, a line each.
    static func gaps(
        between rows: [String], and endpoints: [any Endpoint.Type], of service: String
    ) -> [String] {
        let names = endpoints.map { $0.name }
        let missing = names.filter { !rows.contains($0) }
        let surplus = rows.filter { !names.contains($0) }.sorted()
        return missing.map {
            "\(service): \($0) is not in the table; say who may call it in AccessMatrix.\(service)"
        } + surplus.map { "\(service): \($0) is in the table and no endpoint" }
    }
}
