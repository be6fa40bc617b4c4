// What a party may and may not be created with.

import Endpoints
import PartiesAPI
import TestSupport
import Testing
import Vocabulary

@Suite struct PartyInputTests {
    private static let valid = """
        {"title":"t","origin":{"name":"a","latitude":1,"longitude":2},\
        "destination":{"name":"b","latitude":3,"longitude":4},\
        "departsAt":"2026-03-02T00:00:00Z","seats":4}
        """

    private static func body(_ old: String, _ new: String) -> String {
        precondition(valid.contains(old))
        var parts = valid.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
        parts.insert(new[...], at: 1)
        return parts.joined()
    }

    @Test func theLeastBodyIsEnough() async throws {
        try await withParties { service in
            let answer = try await service.raw(.post, "/v1/parties", user: 1, body: Self.valid)
            #expect(answer.status == 201)
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(!text.contains("note"))
            #expect(text.contains(#""departsAt":"2026-03-02T00:00:00"#))
        }
    }

    @Test(arguments: [
        (#""latitude":1"#, #""latitude":95"#, "origin.latitude"),
        (#""latitude":1"#, #""latitude":-90.001"#, "origin.latitude"),
        (#""longitude":2"#, #""longitude":200"#, "origin.longitude"),
        (#""longitude":4"#, #""longitude":-180.1"#, "destination.longitude"),
        (#""latitude":1"#, #""latitude":"1""#, "origin.latitude"),
        (#""latitude":1"#, #""latitude":null"#, "origin.latitude"),
        (#""latitude":1,"#, "", "origin.latitude"),
        (#""seats":4"#, #""seats":1"#, "seats"),
        (#""seats":4"#, #""seats":7"#, "seats"),
        (#""seats":4"#, #""seats":2.5"#, "seats"),
        (#""seats":4"#, #""seats":99999999999999999999"#, "seats"),
        (#""title":"t""#, #""title":"""#, "title"),
        (#""title":"t""#, #""title":"   ""#, "title"),
        (#""title":"t""#, #""title":"\u3164\u200b""#, "title"),
        (#""title":"t""#, #""title":"a\u0000b""#, "title"),
        (#""title":"t""#, #""title":"a\nb""#, "title"),
        (#""name":"a""#, #""name":"a\u0000""#, "origin.name"),
        (#""name":"b""#, #""name":" ""#, "destination.name"),
        (#""seats":4"#, #""seats":4,"note":"\u0000""#, "note"),
        ("2026-03-02T00:00:00Z", "2026-02-28T23:59:59Z", "departsAt"),
        ("2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z", "departsAt"),
        ("2026-03-02T00:00:00Z", "2026-06-01T00:00:00Z", "departsAt"),
        ("2026-03-02T00:00:00Z", "tomorrow", "departsAt"),
    ]) func refuses(old: String, new: String, field: String) async throws {
        try await withParties { service in
            let answer = try await service.raw(
                .post, "/v1/parties", user: 1, body: Self.body(old, new))
            #expect(answer.status == 422)
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.contains(#""field":"\#(field)""#), "\(text)")
        }
    }

    @Test(arguments: ["", "{", "[]", "NaN", #"{"title":NaN}"#, "null"])
    func malformedBodiesAreTheCallersFault(body: String) async throws {
        try await withParties { service in
            let answer = try await service.raw(.post, "/v1/parties", user: 1, body: body)
            #expect((400...422).contains(answer.status))
            #expect(answer.header("Content-Type") == Problem.mediaType)
        }
    }

    @Test func textIsCountedAsPeopleCountAndStoredComposed() async throws {
        try await withParties { service in
            let family = "👨‍👩‍👧‍👦"
            let decomposed = "\u{1112}\u{1161}\u{11AB}"
            var request = CreateParty.example()
            request.title = "  " + String(repeating: family, count: 60) + " "
            let emoji = try await service.client(1).send(request)
            #expect(emoji.title == String(repeating: family, count: 60))
            request.title = String(repeating: decomposed, count: 60)
            request.note = "  "
            let hangul = try await service.client(1).send(request)
            #expect(
                hangul.title.unicodeScalars.elementsEqual(
                    String(repeating: "\u{D55C}", count: 60).unicodeScalars))
            #expect(hangul.note == nil)
            #expect(try await service.client(1).send(GetParty(party: hangul.id)) == hangul)
            request.title = String(repeating: family, count: 61)
            let tooLong = await problem { try await service.client(1).send(request) }
            #expect(tooLong?.code == .invalidField)
            #expect(tooLong?.field == "title")
        }
    }
}
