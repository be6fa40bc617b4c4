// `make demo`: four kinds of app in one sitting, through the edge at MADANG_URL.
import AuthAPI
import Endpoints
import Foundation
import MadangClient
import MarketAPI
import MeetingsAPI
import PartiesAPI
import SportsAPI
import Vocabulary

@main
struct Main {
    static func main() async {
        let address = ProcessInfo.processInfo.environment["MADANG_URL"] ?? "http://localhost:8080"
        guard let url = URL(string: address) else {
            print("MADANG_URL is not an address: \(address)")
            exit(2)
        }
        print("Madang demo through \(address)")
        var scenario = Scenario()
        let minji = Madang(baseURL: url, store: MemorySessionStore())
        let jun = Madang(baseURL: url, store: MemorySessionStore())
        let junsUser = await accounts(&scenario, url, minji, jun)
        await shareATaxi(&scenario, minji, jun)
        await arrangeAMeeting(&scenario, minji, jun, junsUser)
        await watchTheMarket(&scenario, minji)
        await followFootball(&scenario, minji)
        scenario.finish()
    }

    private static func accounts(
        _ scenario: inout Scenario, _ url: URL, _ minji: Madang, _ jun: Madang
    ) async -> User {
        // Each run has people of its own, so that it can be repeated.
        let run = UUID().uuidString.prefix(8).lowercased()
        _ = await scenario.step("Minji signs up") {
            let user = try await minji.signUp(
                email: "minji-\(run)@example.com", password: "a long password", nickname: "민지")
            return (user, "user \(user.id), \(user.nickname)")
        }
        let user = await scenario.step("Jun signs up and logs in again") {
            let user = try await jun.signUp(
                email: "jun-\(run)@example.com", password: "a long password", nickname: "Jun")
            let again = try await jun.logIn(
                email: "JUN-\(run)@example.com", password: "a long password")
            try Scenario.expect(again.id == user.id, "another account")
            return (again, "user \(again.id), whatever the case of the address")
        }
        _ = await scenario.step("A wrong password is refused") {
            do {
                _ = try await Madang(baseURL: url, store: MemorySessionStore()).logIn(
                    email: "jun-\(run)@example.com", password: "not the password")
                throw Scenario.Unexpected(description: "it was accepted")
            } catch let problem as Problem {
                try Scenario.expect(problem.code == .wrongCredentials, "\(problem)")
                return ((), "\(problem.status) \(problem.code)")
            }
        }
        return user
    }

    private static func shareATaxi(
        _ scenario: inout Scenario, _ minji: Madang, _ jun: Madang
    ) async {
        let party = await scenario.step("Minji offers a taxi to the airport") {
            let party = try await minji.send(
                CreateParty(
                    title: "인천공항 같이 가요",
                    origin: Point(name: "강남역", latitude: 37.49795, longitude: 127.02764),
                    destination: Point(
                        name: "인천국제공항", latitude: 37.46019, longitude: 126.44070),
                    departsAt: WallClock.system.now().adding(seconds: 7200), seats: 2))
            return (party, "party \(party.id), \(party.seats) seats, \(party.state)")
        }
        _ = await scenario.step("Jun finds it on the map") {
            let page = try await jun.send(
                ListPartiesInBox(west: 126.9, south: 37.4, east: 127.1, north: 37.6, zoom: 14))
            return ((), "\(page.items.count) parties around Gangnam")
        }
        _ = await scenario.step("Jun joins") {
            let joined = try await jun.send(JoinParty(party: party.id))
            try Scenario.expect(joined.members.count == 2, "\(joined.members.count) members")
            return ((), "\(joined.members.count) members, \(joined.state)")
        }
    }

    private static func arrangeAMeeting(
        _ scenario: inout Scenario, _ minji: Madang, _ jun: Madang, _ junsUser: User
    ) async {
        let meeting = await scenario.step("Minji plans a meeting") {
            let meeting = try await minji.send(CreateMeeting(title: "한강 소풍", note: nil))
            return (meeting, "meeting \(meeting.id)")
        }
        let invitation = await scenario.step("Minji invites Jun") {
            let invitation = try await minji.send(
                InviteToMeeting(meeting: meeting.id, invitee: junsUser.id))
            return (invitation, "invitation \(invitation.id), \(invitation.state)")
        }
        _ = await scenario.step("Jun accepts, twice") {
            _ = try await jun.send(AcceptInvitation(invitation: invitation.id))
            _ = try await jun.send(AcceptInvitation(invitation: invitation.id))
            let seen = try await jun.send(GetMeeting(meeting: meeting.id))
            try Scenario.expect(seen.members.count == 2, "\(seen.members.count) members")
            return ((), "\(seen.members.count) members")
        }
    }

    private static func watchTheMarket(_ scenario: inout Scenario, _ minji: Madang) async {
        let coin = await scenario.step("The market's ranking") {
            let page = try await minji.send(ListCoins(limit: 3))
            guard let first = page.items.first else {
                throw Scenario.Unexpected(description: "no coins")
            }
            let line = page.items.map { "\($0.rank) \($0.symbol) ₩\($0.price)" }
            return (first, line.joined(separator: ", ") + " (\(first.source))")
        }
        _ = await scenario.step("A chart of \(coin.symbol)") {
            let list = try await minji.send(ListCandles(coin: coin.id, limit: 60))
            try Scenario.expect(!list.items.isEmpty, "no candles")
            return (
                (), "\(list.items.count) minutes, last close ₩\(list.items.last?.close ?? .zero)"
            )
        }
    }

    private static func followFootball(_ scenario: inout Scenario, _ minji: Madang) async {
        let league = await scenario.step("Minji looks for a league") {
            let page = try await minji.send(ListLeagues(query: "koge", limit: 5))
            guard let league = page.items.first else {
                throw Scenario.Unexpected(description: "no league")
            }
            return (league, "\(league.name), season \(league.season.label) (\(page.source))")
        }
        _ = await scenario.step("She follows it") {
            _ = try await minji.send(FollowLeague(league: league.id))
            let follows = try await minji.send(ListFollows())
            try Scenario.expect(follows.items.contains { $0.id == league.id }, "not followed")
            return ((), "\(follows.items.count) league followed")
        }
        _ = await scenario.step("The next matches by Seoul's calendar") {
            // Korea has one zone, nine hours ahead, without daylight saving time.
            let now = WallClock.system.now().secondsSince1970 + 9 * 3600
            for offset in 0..<8 {
                let day = CalendarDate(daysSince1970: Int(now / 86_400) + offset)
                guard let day else { continue }
                let list = try await minji.send(
                    ListFixtures(date: day, zone: "Asia/Seoul", limit: 2))
                if list.items.isEmpty { continue }
                let lines = list.items.map { "\($0.home.name) – \($0.away.name)" }
                return ((), "\(day): " + lines.joined(separator: ", ") + " (\(list.source))")
            }
            throw Scenario.Unexpected(description: "no matches within a week")
        }
    }
}
