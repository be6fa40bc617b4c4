// What a consumer expects of a provider, written as a pact (specification V4) from calls that the consumer's own code
// makes. Tests/ThirdParty/pacts.sh holds the provider's executable against it.

import Endpoints
import Foundation
import JSON
import ServiceRuntime
import Synchronization

/// The expectations of one service towards another.
struct Pact {
    let consumer: ServiceName
    let provider: ServiceName
    private(set) var interactions: [[String: Any]] = []

    init(_ consumer: ServiceName, _ provider: ServiceName) {
        self.consumer = consumer
        self.provider = provider
    }

    /// Name of the file, such as "meetings-auth".
    var name: String { "\(consumer)-\(provider)" }

    /// How the answer's values are held against the example's.
    enum Matching {
        /// Of the same type.
        case byType
        /// Equal: the consumer branches on them.
        case exactly
    }

    /// Adds what `call` asks, and of the example the members that it reads: those without which it makes of the answer
    /// something else, or nothing.
    ///
    /// - Parameters:
    ///   - state: what has to be true at the provider before, in words that pacts.py knows.
    ///   - call: the consumer's code, over the transport it is given.
    /// - Throws: what `call` throws with the whole example.
    mutating func expect<Outcome: Equatable>(
        _ description: String, given state: String? = nil, status: Int, example: some Encodable,
        matching: Matching = .byType,
        _ call: (any EndpointTransport) async throws -> Outcome
    ) async throws {
        let whole = try JSONSerialization.jsonObject(
            with: Data(try JSONCoder.standard.encode(example)))
        let mediaType = status < 400 ? "application/json" : Problem.mediaType
        let provider = ScriptedProvider(status: status, mediaType: mediaType)
        let outcome = try await call(provider.answering(whole))
        guard let request = provider.requests.first else {
            throw Failure(description: "\(description): nothing was asked")
        }
        var read = whole
        for member in members(of: whole) {
            let rest = without(member[...], whole)
            if await (try? call(provider.answering(rest))) == outcome {
                read = without(member[...], read)
            }
        }
        var response: [String: Any] = [
            "status": status, "headers": ["Content-Type": [mediaType]],
            "body": ["content": read, "contentType": mediaType, "encoded": false],
        ]
        if matching == .byType { response["matchingRules"] = ["body": rules(for: read)] }
        var interaction: [String: Any] = [
            "type": "Synchronous/HTTP", "description": description,
            "request": try pactRequest(request), "response": response,
        ]
        if let state { interaction["providerStates"] = [["name": state]] }
        interactions.append(interaction)
    }

    /// The file's bytes: two-space JSON with sorted names and a final newline.
    var text: Data {
        get throws {
            let document: [String: Any] = [
                "consumer": ["name": consumer.rawValue], "provider": ["name": provider.rawValue],
                "interactions": interactions,
                "metadata": ["pactSpecification": ["version": "4.0"]],
            ]
            let text = try JSONSerialization.data(
                withJSONObject: document,
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
            return text + Data("\n".utf8)
        }
    }

    struct Failure: Error { let description: String }
}

/// The request as a pact says it: what a transport adds by itself, and what differs each time, left out.
private func pactRequest(_ request: TransportRequest) throws -> [String: Any] {
    let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
    var result: [String: Any] = ["method": request.method.rawValue, "path": parts[0]]
    if parts.count > 1 {
        var query: [String: [String]] = [:]
        for item in URLComponents(string: "?" + parts[1])?.queryItems ?? [] {
            query[item.name, default: []].append(item.value ?? "")
        }
        result["query"] = query
    }
    let kept = ["accept", "authorization", "content-type"]
    let headers = request.headers.filter { kept.contains($0.name.lowercased()) }
    if !headers.isEmpty {
        result["headers"] = Dictionary(uniqueKeysWithValues: headers.map { ($0.name, [$0.value]) })
    }
    if let body = request.body {
        result["body"] = [
            "content": try JSONSerialization.jsonObject(with: Data(body)),
            "contentType": "application/json", "encoded": false,
        ]
    }
    return result
}

/// A provider that answers what it is told to.
private final class ScriptedProvider: Sendable {
    private let status: Int
    private let mediaType: String
    private let received = Mutex<[TransportRequest]>([])

    init(status: Int, mediaType: String) {
        self.status = status
        self.mediaType = mediaType
    }

    var requests: [TransportRequest] { received.withLock { $0 } }

    func answering(_ body: Any) throws -> Transport {
        let text = try JSONSerialization.data(withJSONObject: body)
        let answer = TransportResponse(
            status: status, headers: [TransportHeader("Content-Type", mediaType)],
            body: [UInt8](text))
        return Transport(provider: self, answer: answer)
    }

    struct Transport: EndpointTransport {
        let provider: ScriptedProvider
        let answer: TransportResponse

        func perform(_ request: TransportRequest) async throws -> TransportResponse {
            provider.received.withLock { $0.append(request) }
            return answer
        }
    }
}

// MARK: - Members of a JSON document. A list stands for its first element, written "*".

private func members(of value: Any) -> [[String]] {
    if let object = value as? [String: Any] {
        return object.keys.sorted().flatMap { name in
            members(of: object[name] ?? NSNull()).map { [name] + $0 } + [[name]]
        }
    }
    if let first = (value as? [Any])?.first { return members(of: first).map { ["*"] + $0 } }
    return []
}

private func without(_ member: ArraySlice<String>, _ value: Any) -> Any {
    guard let name = member.first else { return value }
    if var object = value as? [String: Any] {
        object[name] =
            member.count == 1 ? nil : object[name].map { without(member.dropFirst(), $0) }
        return object
    }
    if let list = value as? [Any] { return list.map { without(member.dropFirst(), $0) } }
    return value
}

/// Rules of the pact specification: each value is of the example's type, each list has elements like its first.
private func rules(for value: Any, at path: String = "$") -> [String: Any] {
    var result: [String: Any] = [:]
    if let object = value as? [String: Any] {
        for (name, member) in object {
            result.merge(rules(for: member, at: "\(path).\(name)")) { first, _ in first }
        }
    } else if let list = value as? [Any] {
        guard let first = list.first else { return [:] }
        result[path] = ["combine": "AND", "matchers": [["match": "type", "min": 1]]]
        result.merge(rules(for: first, at: path + "[*]")) { first, _ in first }
    } else {
        result[path] = ["combine": "AND", "matchers": [["match": "type"]]]
    }
    return result
}
