// What meetings takes from its peers: names and existence of users from auth, addresses from parties; and what is left
// when they are away.

import Endpoints
import MeetingsAPI
import PartiesAPI
import ServiceRuntime
import TestSupport
import Testing
import Vocabulary

@Suite struct PeerTests {
    private static let parties = FakePeer { request in
        guard request.target.hasPrefix("/internal/geo/addresses?") else {
            return try .problem(Problem(.notFound))
        }
        if request.target.contains("latitude=0") { return try .problem(Problem(.notFound)) }
        return try .json(
            Address(
                name: "서울특별시 영등포구", language: "ko", precision: .district,
                distanceMeters: 900, source: "gazetteer"))
    }

    private static let river = MeetingPlace(
        name: " 한강공원 ", latitude: 37.5284, longitude: 126.9337, address: "made up")

    @Test func membersAndInvitationsCarryNames() async throws {
        try await withMeetings { service in
            let meeting = try await service.meeting(of: 1)
            #expect(meeting.members.map(\.user.nickname) == ["user 1"])
            let invitation = try await service.invite(2, to: meeting.id, by: 1)
            #expect(invitation.inviter.nickname == "user 1")
            #expect(invitation.invitee.nickname == "user 2")
            let listed = try await service.client(2).send(ListInvitations()).items
            #expect(listed == [invitation])
            let accepted = try await service.client(2).send(
                AcceptInvitation(invitation: invitation.id))
            #expect(accepted.invitee.nickname == "user 2")
            let read = try await service.client(2).send(GetMeeting(meeting: meeting.id))
            #expect(read.members.map(\.user.nickname) == ["user 1", "user 2"])
        }
    }

    @Test func nobodyCanNotBeInvited() async throws {
        try await withMeetings { service in
            let meeting = try await service.meeting(of: 1)
            let refusal = await problem { try await service.invite(901, to: meeting.id, by: 1) }
            #expect(refusal?.code == .invalidField)
            #expect(refusal?.field == "invitee")
        }
    }

    @Test func withoutAuthMeetingsWorkAndInvitingSaysWhenToComeBack() async throws {
        try await withMeetings(peers: .fake([.auth: .absent])) { service in
            let meeting = try await service.meeting(of: 1)
            #expect(meeting.members.map(\.user.nickname) == [nil])
            let refusal = await problem { try await service.invite(2, to: meeting.id, by: 1) }
            #expect(refusal?.code == .unavailable)
            #expect(refusal?.retryAfter != nil)
            #expect(try await service.client(1).send(ListMeetings()).items.count == 1)
        }
    }

    @Test func aPlaceGetsItsAddressFromParties() async throws {
        try await withMeetings(peers: .fake([.parties: Self.parties])) { service in
            let made = try await service.client(1).send(
                CreateMeeting(title: "치킨", place: Self.river))
            #expect(made.place?.name == "한강공원")
            #expect(made.place?.address == "서울특별시 영등포구", "and not what the request says")
            #expect(try await service.client(1).send(GetMeeting(meeting: made.id)) == made)
            let sea = try await service.client(1).send(
                CreateMeeting(
                    title: "섬", place: MeetingPlace(name: "섬", latitude: 0, longitude: 0)))
            #expect(sea.place?.address == nil)
        }
    }

    @Test func withoutPartiesAPlaceHasNoAddress() async throws {
        try await withMeetings { service in
            let made = try await service.client(1).send(
                CreateMeeting(title: "치킨", place: Self.river))
            #expect(made.place?.name == "한강공원")
            #expect(made.place?.address == nil)
            #expect(try await service.client(1).send(GetMeeting(meeting: made.id)) == made)
        }
    }

    @Test(arguments: [
        (#"{"name":"","latitude":1,"longitude":1}"#, "place.name"),
        (#"{"name":"a","latitude":91,"longitude":1}"#, "place.latitude"),
        (#"{"name":"a","latitude":1,"longitude":-181}"#, "place.longitude"),
        (#"{"name":"a","latitude":1}"#, "place.longitude"),
    ]) func refuses(place: String, field: String) async throws {
        try await withMeetings { service in
            let body = #"{"title":"a","place":\#(place)}"#
            let answer = try await service.raw(.post, "/v1/meetings", user: 1, body: body)
            #expect(answer.status == 422)
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.contains(#""field":"\#(field)""#), "\(text)")
        }
    }
}
