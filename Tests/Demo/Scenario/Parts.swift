// The parts of the demo scenario: a taxi, a meeting, coins, football.
import AuthAPI
import Endpoints
import Foundation
import MadangClient
import MarketAPI
import MeetingsAPI
import PartiesAPI
import SportsAPI
import Vocabulary

extension Demo {
    func shareATaxi(_ people: People) async throws {
        let party = try await step("Minji offers a taxi to the airport") {
            let party = try await people.minji.send(
                CreateParty(
                    title: "인천공항 같이 가요",
                    origin: Point(name: "강남역", latitude: 37.49795, longitude: 127.02764),
                    destination: Point(
                        name: "인천국제공항", latitude: 37.46019, longitude: 126.44070),
                    departsAt: WallClock.system.now().adding(seconds: 7200), seats: 2))
            return (party, "party \(party.id), \(party.seats) seats, \(party.state)")
        }
        try await step("Jun finds it on the map") {
            let page = try await people.jun.send(
                ListPartiesInBox(west: 126.9, south: 37.4, east: 127.1, north: 37.6, zoom: 14))
            return ((), "\(page.items.count) parties around Gangnam")
        }
        try await step("Jun joins") {
            let joined = try await people.jun.send(JoinParty(party: party.id))
            try expect(joined.members.count == 2, "\(joined.members.count) members")
            return ((), "\(joined.members.count) members, \(joined.state)")
        }
    }

    func arrangeAMeeting(_ people: People) async throws {
        let meeting = try await step("Minji plans a meeting") {
            let meeting = try await people.minji.send(CreateMeeting(title: "한강 소풍", note: nil))
            return (meeting, "meeting \(meeting.id)")
        }
        let invitation = try await step("Minji invites Jun") {
            let invitation = try await people.minji.send(
                InviteToMeeting(meeting: meeting.id, invitee: people.junsUser.id))
            return (invitation, "invitation \(invitation.id), \(invitation.state)")
        }
        try await step("Jun accepts, twice") {
            _ = try await people.jun.send(AcceptInvitation(invitation: invitation.id))
            _ = try await people.jun.send(AcceptInvitation(invitation: invitation.id))
            let seen = try await people.jun.send(GetMeeting(meeting: meeting.id))
            try expect(seen.members.count == 2, "\(seen.members.count) members")
            return ((), "\(seen.members.count) members")
        }
    }

    func watchTheMarket(_ people: People) async throws {
        let coin = try await step("The market's ranking") {
            let page = try await people.minji.send(ListCoins(limit: 3))
            guard let first = page.items.first else { throw Unexpected(description: "no coins") }
            let line = page.items.map { "\($0.rank) \($0.symbol) ₩\($0.price)" }
            return (first, line.joined(separator: ", ") + " (\(first.source))")
        }
        try await step("A chart of \(coin.symbol)") {
            let list = try await people.minji.send(ListCandles(coin: coin.id, limit: 60))
            try expect(!list.items.isEmpty, "no candles")
            return (
                (), "\(list.items.count) minutes, last close ₩\(list.items.last?.close ?? .zero)"
            )
        }
    }

    func followFootball(_ people: People) async throws {
        let league = try await step("Minji looks for a league") {
            let page = try await people.minji.send(ListLeagues(query: "korea", limit: 5))
            guard let league = page.items.first else {
                throw Unexpected(description: "no league")
            }
            return (league, "\(league.name), season \(league.season.label) (\(page.source))")
        }
        try await step("She follows it") {
            _ = try await people.minji.send(FollowLeague(league: league.id))
            let follows = try await people.minji.send(ListFollows())
            try expect(follows.items.contains { $0.id == league.id }, "not followed")
            return ((), "\(follows.items.count) league followed")
        }
        try await step("The next matches by Seoul's calendar") {
            // Korea has one zone, nine hours ahead, without daylight saving time.
            let now = WallClock.system.now().secondsSince1970 + 9 * 3600
            for offset in 0..<8 {
                let day = CalendarDate(daysSince1970: Int(now / 86_400) + offset)
                guard let day else { continue }
                let list = try await people.minji.send(
                    ListFixtures(date: day, zone: "Asia/Seoul", limit: 2))
                if list.items.isEmpty { continue }
                let lines = list.items.map { "\($0.home.name) – \($0.away.name)" }
                return ((), "\(day): " + lines.joined(separator: ", ") + " (\(list.source))")
            }
            throw Unexpected(description: "no matches within a week")
        }
    }
}
