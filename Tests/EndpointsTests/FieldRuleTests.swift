// Bounds, tried at and beside each edge.

import Endpoints
import Testing

/// The field that is refused; `nil` when the request is accepted.
private func refused(_ change: (inout RegisterThing) -> Void) throws -> String? {
    var request = RegisterThing()
    change(&request)
    do {
        #expect(try roundTrip(request) == request)
        return nil
    } catch let problem as Problem {
        #expect(problem.code == .invalidField)
        return problem.field
    }
}

@Suite struct FieldRuleTests {
    @Test func defaultsPass() throws {
        #expect(try refused { _ in } == nil)
    }

    @Test(arguments: [
        ("", false), ("a", true), ("abcde", true), ("abcdef", false), ("   ", false),
        ("  abcde  ", true), ("한글마당터", true), ("한글마당터들", false), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", true), ("\u{200B}", false),
        ("\u{3164}\u{3164}", false), ("\u{2800}", false), ("a\nb", false), ("a\u{0}", false),
        ("a\u{85}b", false), ("\u{3000}abcde\u{3000}", true),
        ("e" + String(repeating: "\u{301}", count: 500), false),
    ])
    func textLength(text: String, isAccepted: Bool) throws {
        #expect(try refused { $0.title = text } == (isAccepted ? nil : "title"))
    }

    @Test func multilineText() throws {
        #expect(try refused { $0.note = "a\nb\tc" } == nil)
        #expect(try refused { $0.note = "" } == nil)
        #expect(try refused { $0.note = "a\u{7}" } == "note")
        #expect(try refused { $0.note = "a\n234567890b" } == "note")
    }

    @Test(arguments: [
        ("a@b", true), (" mina@example.com ", true), ("a@b.", false), ("a@@b", false), ("a", false),
        ("a\u{0}@b", false), ("mina@example.example.com", false),
    ])
    func address(text: String, isAccepted: Bool) throws {
        #expect(try refused { $0.contact = text } == (isAccepted ? nil : "contact"))
    }

    @Test(arguments: [
        ("a", false), ("ab", true), ("  ", true), ("\u{0}\n\t\u{200B}", true), ("abcde", false),
        ("한글", true), ("", false),
    ])
    func secret(text: String, isAccepted: Bool) throws {
        #expect(try refused { $0.word = text } == (isAccepted ? nil : "word"))
    }

    @Test(arguments: [(1, false), (2, true), (6, true), (7, false), (-3, false)])
    func wholeNumber(seats: Int, isAccepted: Bool) throws {
        #expect(try refused { $0.seats = seats } == (isAccepted ? nil : "seats"))
    }

    @Test(arguments: [(-0.001, false), (0, true), (1, true), (1.001, false)])
    func fraction(ratio: Double, isAccepted: Bool) throws {
        #expect(try refused { $0.ratio = ratio } == (isAccepted ? nil : "ratio"))
    }

    @Test func lists() throws {
        #expect(try refused { $0.tags = [] } == "tags")
        #expect(try refused { $0.tags = ["a", "b", "c"] } == nil)
        #expect(try refused { $0.tags = ["a", "b", "c", "d"] } == "tags")
        #expect(try refused { $0.tags = ["a", ""] } == "tags[1]")
    }

    @Test func insideOtherFields() throws {
        #expect(
            try refused { $0.places = [.init(floor: 1), .init(floor: 101)] } == "places[1].floor")
        #expect(try refused { $0.places = [.init(floor: -3, name: "")] } == nil)
        #expect(try refused { $0.owner = .init(name: "") } == "owner.name")
        #expect(try refused { $0.owner = .init(name: "abc") } == nil)
    }

    @Test func messageNamesTheBounds() throws {
        do {
            _ = try roundTrip(RegisterThing(seats: 9))
            Issue.record("accepted")
        } catch let problem as Problem {
            #expect(problem.detail == "seats must be between 2 and 6")
        }
    }
}
