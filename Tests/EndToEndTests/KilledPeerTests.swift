// Each service is killed in turn: what needs it is refused with the time to try again, all else works, and when it is back
// everything does.

import AuthAPI
import DemoScenario
import Endpoints
import MadangClient
import MarketAPI
import MeetingsAPI
import PartiesAPI
import ServiceRuntime
import SportsAPI
import TestSupport
import Testing
import Vocabulary

extension EndToEndTests {
    @Test func eachPeerIsKilled() async throws {
        try await Fleet.with { fleet in
            try await fleet.startAll()
            let demo = fleet.demo()
            let people = try await demo.signUp()
            for part in Demo.Part.allCases { try await demo.run(part, people) }
            for killed in ServiceName.allCases {
                await fleet.kill(killed)
                // The edge looks for another replica for some seconds; the rest goes on meanwhile.
                async let refusal: Void = expectUnavailable("\(killed) through the edge") {
                    try await request(killed, of: people)
                }
                for part in Demo.Part.allCases where !needs(part, killed) {
                    try await demo.run(part, people)
                }
                try await refusal
                switch killed {
                case .auth: try await expectNoNewcomers(fleet, demo, people)
                case .parties: try await expectNoAddress(people)
                default: break
                }
                try await fleet.start(killed)
                try await fleet.becomesReady([killed])
                try await fleet.demo().run()
            }
        }
    }

    /// Whether a part of the demo asks a service for something that it can't do without. Those who have signed up need auth
    /// no more: their tokens are verified with keys that the others hold.
    private func needs(_ part: Demo.Part, _ service: ServiceName) -> Bool {
        switch part {
        case .shareATaxi: service == .parties
        case .arrangeAMeeting: service == .meetings
        case .watchTheMarket: service == .market
        case .followFootball: service == .sports
        }
    }

    /// Something that only this service can answer.
    private func request(_ service: ServiceName, of people: Demo.People) async throws {
        switch service {
        case .auth: _ = try await people.minji.send(GetMe())
        case .parties:
            _ = try await people.minji.send(
                ListPartiesInBox(west: 126.9, south: 37.4, east: 127.1, north: 37.6, zoom: 14))
        case .meetings: _ = try await people.minji.send(ListMeetings())
        case .market: _ = try await people.minji.send(ListCoins())
        case .sports: _ = try await people.minji.send(ListFollows())
        }
    }

    private func expectUnavailable(
        _ what: String, _ body: @Sendable () async throws -> Void
    ) async throws {
        let problem = try #require(await problem(body))
        #expect(problem.status == 503, "\(what): \(problem)")
        #expect((problem.retryAfter ?? 0) >= 1, "\(what) says when to try again")
    }

    /// Without auth nobody unknown can be invited, and who starts meanwhile can't tell users until auth is back.
    private func expectNoNewcomers(
        _ fleet: Fleet, _ demo: Demo, _ people: Demo.People
    ) async throws {
        let meeting = try await people.minji.send(CreateMeeting(title: "소풍", note: nil))
        let stranger = UserID(trusted: 9_007_199_254_740_991)
        try await expectUnavailable("an invitation to somebody unknown") {
            _ = try await people.minji.send(
                InviteToMeeting(meeting: meeting.id, invitee: stranger))
        }
        await fleet.kill(.parties)
        await fleet.kill(.market)
        try await fleet.start(.parties)
        try await fleet.start(.market)
        try await fleet.becomesReady([.parties, .market])
        try await expectUnavailable("a token that can't be verified") {
            try await request(.parties, of: people)
        }
        try await demo.run(.watchTheMarket, people)
        try await fleet.start(.auth)
        try await fleet.becomesReady([.auth])
        // The keys are asked for again by themselves; nothing else is restarted.
        let isBack = await eventually(within: 30) {
            (try? await request(.parties, of: people)) != nil
        }
        #expect(isBack, "parties verifies tokens again")
        await fleet.kill(.auth)
    }

    /// Without parties a meeting's place has no address, and the meeting is made all the same.
    private func expectNoAddress(_ people: Demo.People) async throws {
        let place = MeetingPlace(name: "한강공원", latitude: 37.5284, longitude: 126.9329)
        let meeting = try await people.minji.send(
            CreateMeeting(title: "치킨", note: nil, place: place))
        #expect(meeting.place?.name == "한강공원")
        #expect(meeting.place?.address == nil)
    }
}
