// The demo season as a value: the same each time, a double round robin, no result before it happened.

import SportsAPI
import SportsService
import Testing
import Vocabulary

@Suite struct SeasonTests {
    private let today = date("2026-12-01")
    private let denmark = DemoCountry.all.firstIndex { $0.code == "DK" } ?? 0

    @Test func theSameDayMakesTheSameSeason() {
        let one = DemoSeason(country: denmark, leagues: 21, on: today)
        #expect(one == DemoSeason(country: denmark, leagues: 21, on: today))
        // Another day of the same season, and a smaller season, differ in nothing they share.
        #expect(one == DemoSeason(country: denmark, leagues: 21, on: date("2027-03-01")))
        let small = DemoSeason(country: denmark, leagues: 2, on: today)
        #expect(Array(one.fixtures.prefix(180)) == small.fixtures)
        #expect(one != DemoSeason(country: denmark, leagues: 21, on: date("2026-03-01")))
    }

    @Test func thereAreManyLeaguesWithIdsAndNamesOfTheirOwn() {
        var leagues: [DemoSeason.League] = []
        var teams: [DemoSeason.Team] = []
        var fixtures = Set<Int64>()
        for position in DemoCountry.all.indices {
            let season = DemoSeason(
                country: position, leagues: DemoSeason.leaguesPerCountry, on: today)
            leagues += season.leagues
            teams += season.teams
            fixtures.formUnion(season.fixtures.map(\.id))
            #expect(Set(season.teams.map(\.name.en)).count == season.teams.count)
            #expect(Set(season.leagues.map(\.name.ko)).count == season.leagues.count)
        }
        #expect(DemoCountry.all.count == 50)
        #expect(Set(DemoCountry.all.map(\.code)).count == 50)
        #expect(leagues.count >= 1000)
        #expect(Set(leagues.map(\.id)).count == leagues.count)
        #expect(Set(teams.map(\.id)).count == teams.count)
        #expect(fixtures.count == leagues.count * 90)
        #expect(leagues.allSatisfy { $0.name.en.contains("Demo") && $0.name.ko.contains("데모") })
        #expect(teams.allSatisfy { $0.code.unicodeScalars.count == 3 })
    }

    @Test func everyTeamMeetsEveryOtherAtHomeAndAway() {
        let season = DemoSeason(country: denmark, leagues: 3, on: today)
        for league in season.leagues {
            let fixtures = season.fixtures.filter { $0.league == league.id }
            let teams = Set(season.teams.filter { $0.league == league.id }.map(\.id))
            #expect(Set(fixtures.map { [$0.home, $0.away] }).count == 90)
            #expect(fixtures.allSatisfy { teams.contains($0.home) && teams.contains($0.away) })
            for fixture in fixtures {
                let day = CalendarDate(utc: fixture.kicksOffAt)
                #expect(league.startsOn <= day && day <= league.endsOn)
            }
        }
        let hours = Set(season.fixtures.map { $0.kicksOffAt.secondsSince1970 / 3600 % 24 })
        #expect(hours.count > 20, "kick-offs are spread through the day")
    }

    /// Case S7.
    @Test(arguments: [
        ("2026-03-01", "2025/26", "2026"), ("2026-08-20", "2026/27", "2026"),
        ("2026-12-31", "2026/27", "2026"), ("2027-01-10", "2026/27", "2026"),
        ("2026-07-01", "2025/26", "2026"),
    ])
    func theSeasonIsToldByItsDates(day: String, overNewYear: String, withinOneYear: String) {
        for (position, country) in DemoCountry.all.enumerated() {
            let season = DemoSeason(country: position, leagues: 21, on: date(day))
            for league in season.leagues {
                let label = seasonLabel(from: league.startsOn, to: league.endsOn)
                let expected = country.playsWithinOneYear ? withinOneYear : overNewYear
                #expect(label == expected, "\(league.name.en) on \(day)")
                #expect(league.startsOn <= date(day))
            }
        }
    }

    @Test func labelsOfTheTurnOfACentury() {
        #expect(seasonLabel(from: date("1999-08-01"), to: date("2000-05-20")) == "1999/00")
        #expect(seasonLabel(from: date("2008-08-01"), to: date("2009-05-20")) == "2008/09")
    }

    @Test func noResultBeforeItHappened() {
        let kickOff = instant("2026-12-01T10:00:00Z")
        func play(_ id: Int64, _ seconds: Int, postponed: Bool = false) -> DemoScore {
            DemoScore(
                of: id, kicksOffAt: kickOff, postponed: postponed,
                at: kickOff.adding(seconds: seconds))
        }
        var total = 0
        for id in Int64(1)...200 {
            #expect(play(id, -1) == play(id, -86_400))
            #expect(play(id, -1).state == .scheduled && play(id, -1).score == nil)
            #expect(play(id, 0).state == .live)
            #expect(play(id, 0).score == Score(home: 0, away: 0))
            #expect(play(id, 115 * 60 - 1).state == .live)
            #expect(play(id, 115 * 60).state == .finished)
            #expect(play(id, 999_999, postponed: true).score == nil)
            var before = 0
            for minute in 0...115 {
                guard let score = play(id, minute * 60).score else { continue }
                #expect(score.home + score.away >= before)
                before = score.home + score.away
            }
            #expect(play(id, 115 * 60).score == play(id, 9_999_999).score)
            total += before
        }
        #expect((300...900).contains(total), "as many goals as in football: \(total)")
    }
}

@Suite struct SearchKeyTests {
    @Test(arguments: [
        ("Køge", "koge"), ("KØGE", "koge"), ("Atlético", "atletico"), ("München", "munchen"),
        ("Łódź", "lodz"), ("Gießen", "giessen"), ("GIESSEN", "giessen"), ("Ærø", "aero"),
        ("İznik", "iznik"), ("Þórshöfn", "thorshofn"), ("Women's", "womens"), ("Huế", "hue"),
        ("Atle\u{301}tico", "atletico"), ("%", "%"), ("_", "_"),
    ])
    func folds(text: String, folded: String) {
        #expect(SearchKey.words(text) == [folded])
    }

    @Test func composedAndDecomposedHangulAreOne() {
        let decomposed = "\u{110B}\u{1167}\u{11BC}\u{1100}\u{116E}\u{11A8}"
        #expect(SearchKey.words(decomposed) == SearchKey.words("영국"))
        #expect(SearchKey.key(["영국", "United  Kingdom"]).hasSuffix(" united kingdom"))
        #expect(SearchKey.words("  a\u{200B}b-c \u{301} ") == ["ab", "c"])
    }
}
