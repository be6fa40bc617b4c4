// Creating, reading and listing meetings, through the typed client against PostgreSQL.

import Endpoints
import MeetingsAPI
import TestSupport
import Testing
import Vocabulary

@Suite struct MeetingsTests {
    @Test func aMeetingIsCreatedAndReadByItsMembersOnly() async throws {
        try await withMeetings { service in
            let request = CreateMeeting(title: " 저녁 ", note: "강남에서\n7시")
            let created = try await service.client(1).send(request)
            #expect(created.title == "저녁")
            #expect(created.note == "강남에서\n7시")
            #expect(created.createdAt == beginning)
            #expect(created.members.map(\.user.id.rawValue) == [1])
            #expect(created.members.map(\.role) == [.owner])
            #expect(created.members.map(\.joinedAt) == [beginning])
            #expect(try await service.client(1).send(GetMeeting(meeting: created.id)) == created)
            let other = await problem {
                try await service.client(2).send(GetMeeting(meeting: created.id))
            }
            #expect(other?.code == .notFound)
        }
    }

    @Test func listsAreTheCallersOwnPageByPage() async throws {
        try await withMeetings { service in
            var ids: [Meeting.ID] = []
            for _ in 0..<7 { ids.append(try await service.meeting(of: 1).id) }
            let foreign = try await service.meeting(of: 2).id
            _ = try await service.invite(1, to: foreign, by: 2)
            var seen: [Meeting.ID] = []
            var cursor: String?
            repeat {
                let page = try await service.client(1).send(ListMeetings(limit: 3, cursor: cursor))
                #expect(page.items.count <= 3)
                seen += page.items.map(\.id)
                cursor = page.next
                _ = try await service.meeting(of: 1)
            } while cursor != nil
            #expect(seen == ids.reversed())
            let first = try await service.client(1).send(ListMeetings(limit: 1)).items.first
            #expect(first?.role == .owner)
            #expect(first?.memberCount == 1)
            #expect(try await service.client(3).send(ListMeetings()).items.isEmpty)
        }
    }

    @Test(arguments: [
        (#"{}"#, "title"), (#"{"title":""}"#, "title"), (#"{"title":" \u200b"}"#, "title"),
        (#"{"title":"a\u0000b"}"#, "title"), (#"{"title":7}"#, "title"),
        (#"{"title":"a","note":"\u0000"}"#, "note"), (#"{"title":"a","note":["b"]}"#, "note"),
    ]) func refuses(body: String, field: String) async throws {
        try await withMeetings { service in
            let answer = try await service.raw(.post, "/v1/meetings", user: 1, body: body)
            #expect(answer.status == 422)
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.contains(#""field":"\#(field)""#), "\(text)")
        }
    }

    @Test func textIsCountedAsPeopleCountAndStoredComposed() async throws {
        try await withMeetings { service in
            let title = String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 60)
            let meeting = try await service.meeting(of: 1, title: title)
            let composed = String(repeating: "\u{D55C}", count: 60)
            #expect(meeting.title.unicodeScalars.elementsEqual(composed.unicodeScalars))
            #expect(try await service.client(1).send(GetMeeting(meeting: meeting.id)) == meeting)
            let long = await problem { try await service.meeting(of: 1, title: title + "a") }
            #expect(long?.field == "title")
        }
    }

    @Test(arguments: [
        "18446744073709551615", "-1", "0", "9223372036854775808", "9007199254740992", "abc", "%00",
    ]) func idsOutOfRangeAreNotFound(id: String) async throws {
        try await withMeetings { service in
            for (method, path, body) in [
                (Route.Method.get, "/v1/meetings/\(id)", nil),
                (.post, "/v1/meetings/\(id)/invitations", #"{"invitee":2}"#),
                (.post, "/v1/invitations/\(id)/acceptance", nil),
                (.delete, "/v1/invitations/\(id)", nil),
            ] {
                let answer = try await service.raw(method, path, user: 1, body: body)
                #expect(answer.status == 404, "\(method) \(path)")
                #expect(answer.header("Content-Type") == Problem.mediaType)
            }
        }
    }

    @Test(arguments: ["cursor=x", "cursor=%00", "limit=0", "limit=101", "limit=a"])
    func refusesPagesThatAreNone(query: String) async throws {
        try await withMeetings { service in
            for path in ["/v1/meetings", "/v1/invitations"] {
                let answer = try await service.raw(.get, "\(path)?\(query)", user: 1)
                #expect(answer.status == 422, "\(path)")
            }
        }
    }

    @Test func everyEndpointWantsAToken() async throws {
        try await withMeetings { service in
            let nobody = service.client(token: nil)
            let invitation = Invitation.ID(trusted: 1)
            let meeting = Meeting.ID(trusted: 1)
            let invite = InviteToMeeting(meeting: meeting, invitee: UserID(trusted: 2))
            let problems = [
                await problem { try await nobody.send(CreateMeeting(title: "t")) },
                await problem { try await nobody.send(ListMeetings()) },
                await problem { try await nobody.send(GetMeeting(meeting: meeting)) },
                await problem { try await nobody.send(invite) },
                await problem { try await nobody.send(ListInvitations()) },
                await problem { try await nobody.send(AcceptInvitation(invitation: invitation)) },
                await problem { try await nobody.send(CloseInvitation(invitation: invitation)) },
            ]
            for problem in problems { #expect(problem?.code == .accessTokenMissing) }
        }
    }

    @Test func aRepeatedRequestMakesOneMeeting() async throws {
        try await withMeetings { service in
            let client = service.client(1)
            let first = try await client.send(CreateMeeting(title: "t"), idempotencyKey: "k")
            let second = try await client.send(CreateMeeting(title: "t"), idempotencyKey: "k")
            #expect(first == second)
            #expect(try await service.database.value("select count(*) from meeting") == "1")
        }
    }
}
