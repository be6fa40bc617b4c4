// Finding and following leagues over HTTP.

import Endpoints
import SportsAPI
import SportsService
import TestSupport
import Testing
import Vocabulary

@Suite struct LeagueTests {
    /// Cases S10 and S11: both spellings, both compositions, one and two characters.
    @Test func searchFindsInEverySpelling() async throws {
        // The national leagues and one of each town.
        try await withSports(leaguesPerCountry: 13) { service in
            let client = service.client(nil)
            let all = try await client.allLeagues()
            #expect(all.count == 650)
            #expect(Set(all.map(\.id)).count == 650)
            #expect(all.map(\.id) == all.map(\.id).sorted())
            #expect(all.allSatisfy { $0.source == "demo" && $0.language == .en })
            for (query, name) in [
                ("Køge", "Køge Demo League"), ("koge", "Køge Demo League"),
                ("Atletico", "Atlético Ávila Demo League"),
                ("ATLÉTICO", "Atlético Ávila Demo League"),
                ("Atle\u{301}tico avila", "Atlético Ávila Demo League"),
                ("Munchen", "München Demo League"), ("MÜNCHEN", "München Demo League"),
                ("Lodz", "Łódź Demo League"), ("łódź", "Łódź Demo League"),
                ("Giessen", "Gießen Demo League"), ("Gießen", "Gießen Demo League"),
                ("Aero", "Ærø Demo League"), ("ær", "Ærø Demo League"), ("J1", "J1 Demo League"),
                ("쾨게", "Køge Demo League"), ("대한민국", "K1 Demo League"),
                ("영국", "United Kingdom Demo Premier League"),
                ("premier kingdom", "United Kingdom Demo Premier League"),
            ] {
                let found = try await client.allLeagues(query)
                #expect(found.contains { $0.name == name }, "\(query)")
                #expect(found.count < 100, "\(query) finds \(found.count)")
                #expect(found.first?.name == name || query.count < 5 || query.contains(" "))
            }
            for query in ["%", "_", "K%ge", "nothing like it", "\u{301}", "'", "Køge Łódź"] {
                #expect(try await client.allLeagues(query).isEmpty, "\(query)")
            }
            for query in ["k", "영", "ø", "dk"] {
                let found = try await client.allLeagues(query, limit: 7)
                #expect(!found.isEmpty, "\(query)")
                #expect(Set(found.map(\.id)).count == found.count, "\(query): each once")
            }
            let first = try await client.send(ListLeagues(query: "dk", limit: 13)).items
            #expect(first.allSatisfy { $0.country.code == "DK" }, "beginnings of words come first")
            let polish = try await client.send(ListLeagues(country: "pl", limit: 100)).items
            #expect(polish.count == 13 && polish.allSatisfy { $0.country.code == "PL" })

            let shared = try await client.send(ListTeams(query: "fcb")).items
            #expect(shared.filter { $0.team.code == "FCB" }.map(\.country.code) == ["DE", "ES"])
            #expect(Set(shared.map(\.team.id)).count == shared.count)
        }
    }

    /// Case S7, through the service.
    @Test(arguments: [
        ("2026-03-01", "2025/26", "2026"), ("2026-08-20", "2026/27", "2026"),
        ("2026-12-31", "2026/27", "2026"),
    ])
    func seasonOfToday(day: String, danish: String, korean: String) async throws {
        try await withSports(clock: .fixed(instant("\(day)T12:00:00Z"))) { service in
            let client = service.client(nil)
            for (country, label) in [("DK", danish), ("KR", korean)] {
                let found = try await client.send(ListLeagues(country: country)).items
                #expect(found.map(\.season.label) == [label])
                let league = try #require(found.first)
                #expect(try await client.send(GetLeague(league: league.id)) == league)
            }
        }
    }

    @Test func namesFollowAcceptLanguage() async throws {
        try await withSports { service in
            for (field, language) in [
                ("ko-KR,ko;q=0.9,en;q=0.8", "ko"), ("fr, en-GB;q=0.7, ko", "en"), ("de", "en"),
                ("*", "en"), ("ko;q=0, en", "en"), ("KO", "ko"), (";;,,=", "en"),
            ] {
                let answer = try await service.raw(
                    .get, "/v1/sports/leagues?country=DK",
                    headers: [TransportHeader("Accept-Language", field)])
                let text = String(decoding: answer.body, as: UTF8.self)
                #expect(text.contains(#""language":"\#(language)""#), "\(field)")
                #expect(text.contains(language == "ko" ? "덴마크" : "Denmark"), "\(field)")
                #expect(text.contains(#""source":"demo""#))
            }
            let countries = try await service.client(nil).send(ListCountries())
            #expect(countries.items.count == 50)
            #expect(countries.source == "demo")
        }
    }

    @Test func followsAreIdempotentOverReplicas() async throws {
        try await withSports(replicas: 2) { service in
            let leagues = try await service.client(nil).allLeagues()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for attempt in 0..<40 {
                    let league = leagues[attempt % 10].id
                    group.addTask {
                        _ = try await service.client(1, replica: attempt % 2)
                            .send(FollowLeague(league: league))
                    }
                }
                try await group.waitForAll()
            }
            let client = service.client(1)
            #expect(try await service.database.value("select count(*) from follow") == "10")
            var followed: [League] = []
            var cursor: String?
            repeat {
                let page = try await client.send(ListFollows(limit: 3, cursor: cursor))
                followed += page.items
                cursor = page.next
            } while cursor != nil
            #expect(followed == Array(leagues.prefix(10)))
            #expect(try await service.client(2).send(ListFollows()).items.isEmpty)
            for _ in 0..<2 {
                _ = try await client.send(UnfollowLeague(league: leagues[0].id))
            }
            #expect(try await client.send(ListFollows()).items == Array(leagues[1..<10]))
            let unknown = Identifier<League>(trusted: 9_007_199_254_740_991)
            let follow = await problem { try await client.send(FollowLeague(league: unknown)) }
            #expect(follow?.code == .notFound)
            let leave = await problem { try await client.send(UnfollowLeague(league: unknown)) }
            #expect(leave?.code == .notFound)
            let get = await problem { try await client.send(GetLeague(league: unknown)) }
            #expect(get?.code == .notFound)
        }
    }

    @Test func badInputIsRefusedByField() async throws {
        try await withSports { service in
            for (target, status, field) in [
                ("leagues?query=a%00b", 422, "query"), ("leagues?limit=0", 422, "limit"),
                ("leagues?limit=101", 422, "limit"), ("leagues?country=DKK", 422, "country"),
                ("leagues?cursor=x", 422, "cursor"), ("leagues?cursor=2-1", 422, "cursor"),
                ("leagues?cursor=0-0", 422, "cursor"), ("leagues?cursor=0--1", 422, "cursor"),
                ("leagues?cursor=%00", 422, "cursor"),
                ("leagues?cursor=0-9007199254740992", 422, "cursor"),
                ("leagues?query=" + String(repeating: "a", count: 101), 422, "query"),
                ("teams", 422, "query"), ("teams?query=", 422, "query"),
                ("fixtures", 422, "date"), ("fixtures?date=2026-02-30", 422, "date"),
                ("fixtures?date=today", 422, "date"),
                ("fixtures?date=2026-12-01&zone=Mars/Base", 422, "zone"),
                ("fixtures?date=2026-12-01&zone=ABC%2B3", 422, "zone"),
                ("fixtures?date=2026-12-01&zone=posix/Asia/Seoul", 422, "zone"),
                ("fixtures?date=2026-12-01&zone=%00", 422, "zone"),
                ("fixtures?date=2026-12-01&league=0", 422, "league"),
                ("fixtures?date=2026-12-01&cursor=1-", 422, "cursor"),
                ("fixtures?date=2026-12-01&cursor=99999999999999999999-1", 422, "cursor"),
            ] {
                let answer = try await service.raw(.get, "/v1/sports/" + target)
                let text = String(decoding: answer.body, as: UTF8.self)
                #expect(answer.status == status, "\(target): \(text)")
                #expect(text.contains(#""field":"\#(field)""#), "\(target): \(text)")
            }
            for id in ["0", "-1", "9007199254740992", "x", "%00"] {
                let answer = try await service.raw(.get, "/v1/sports/leagues/\(id)")
                #expect([404, 422].contains(answer.status), "\(id): \(answer.status)")
            }
            for day in ["0001-01-01", "9999-12-31"] {
                let page = try await service.client(nil).send(
                    ListFixtures(date: date(day), zone: "Pacific/Kiritimati"))
                #expect(page.items.isEmpty)
            }
        }
    }
}
