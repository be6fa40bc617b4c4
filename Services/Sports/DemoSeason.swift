// The demo season: which leagues and teams there are and who plays whom when, as a pure function of the date. Nothing is
// drawn at random, so replicas agree without talking, and what a killed process left half done is done the same again.
package import Vocabulary

/// The demo season of one country.
package struct DemoSeason: Sendable, Equatable {
    /// What every row and answer is marked with.
    package static let source = "demo"
    package static let leaguesPerCountry = 21
    package static let teamsPerLeague = 10
    /// Every team meets every other at home and away.
    package static let fixturesPerLeague = teamsPerLeague * (teamsPerLeague - 1)

    package struct League: Sendable, Equatable {
        package let id: Int64
        package let name: DemoName
        package let searchKey: String
        package let startsOn: CalendarDate
        package let endsOn: CalendarDate
    }

    package struct Team: Sendable, Equatable {
        package let id: Int64
        package let league: Int64
        package let name: DemoName
        package let code: String
        package let searchKey: String
    }

    package struct Fixture: Sendable, Equatable {
        package let id: Int64
        package let league: Int64
        package let seasonStartsOn: CalendarDate
        package let home: Int64
        package let away: Int64
        package let kicksOffAt: Instant
        package let postponed: Bool
    }

    package let country: DemoCountry
    package var leagues: [League] = []
    package var teams: [Team] = []
    package var fixtures: [Fixture] = []

    /// The seasons of a country's leagues that began last.
    /// - Parameters:
    ///   - position: of the country in `DemoCountry.all`.
    ///   - today: a date in UTC.
    package init(country position: Int, leagues count: Int, on today: CalendarDate) {
        country = DemoCountry.all[position]
        for place in 0..<count {
            let id = Self.leagueId(position, place)
            let (startsOn, endsOn) = Self.season(
                of: id, withinOneYear: country.playsWithinOneYear, on: today)
            let name = Self.leagueName(country, place)
            let league = League(
                id: id, name: name,
                searchKey: SearchKey.key([
                    name.en, name.ko, country.name.en, country.name.ko, country.code,
                ]),
                startsOn: startsOn, endsOn: endsOn)
            let teams = (0..<Self.teamsPerLeague).map { Self.team(country, place, id, $0) }
            leagues.append(league)
            self.teams += teams
            fixtures += Self.fixtures(of: league, teams.map(\.id))
        }
    }

    /// League and first day of the seasons that began last: what tells whether they are stored, at little cost.
    static func seasons(
        country position: Int, leagues count: Int, on today: CalendarDate
    ) -> [(league: Int64, startsOn: CalendarDate)] {
        let withinOneYear = DemoCountry.all[position].playsWithinOneYear
        return (0..<count).map { place in
            let id = leagueId(position, place)
            return (id, season(of: id, withinOneYear: withinOneYear, on: today).0)
        }
    }

    private static func leagueId(_ position: Int, _ place: Int) -> Int64 {
        Int64(position * 100 + place + 1)
    }

    /// First and last day of the season that began last. Leagues begin within two weeks of each other.
    static func season(
        of league: Int64, withinOneYear: Bool, on today: CalendarDate
    ) -> (CalendarDate, CalendarDate) {
        let shift = Int(league % 14)
        func begin(_ year: Int) -> CalendarDate {
            date(year, withinOneYear ? 2 : 8, withinOneYear ? 10 : 1).adding(days: shift) ?? today
        }
        let thisYear = today.components.year
        let year = begin(thisYear) <= today ? thisYear : thisYear - 1
        let end = withinOneYear ? date(year, 11, 15) : date(year + 1, 5, 10)
        return (begin(year), end.adding(days: shift) ?? end)
    }

    /// A date that every year has, in a year clamped to those a `CalendarDate` holds.
    private static func date(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate {
        guard let date = CalendarDate(year: min(max(year, 1), 9999), month: month, day: day)
        else { preconditionFailure("no \(month)-\(day) in every year") }
        return date
    }

    private static func leagueName(_ country: DemoCountry, _ place: Int) -> DemoName {
        if place < nationalLeagues {
            let kind = leagueKinds[place]
            // What the top leagues of Japan and Korea are called there.
            if place == 0 && (country.code == "JP" || country.code == "KR") {
                let letter = country.code.prefix(1)
                return DemoName("\(letter)1 Demo League", "\(letter)1 데모 리그")
            }
            return DemoName("\(country.name.en) \(kind.en)", "\(country.name.ko) \(kind.ko)")
        }
        let rest = place - nationalLeagues
        let kinds = leagueKinds.dropFirst(nationalLeagues)
        let kind = kinds[kinds.startIndex + rest / country.towns.count % kinds.count]
        let town = country.towns[rest % country.towns.count]
        return DemoName("\(town.en) \(kind.en)", "\(town.ko) \(kind.ko)")
    }

    private static func team(
        _ country: DemoCountry, _ place: Int, _ league: Int64, _ number: Int
    ) -> Team {
        let id = league * 100 + Int64(number) + 1
        let serial = place * teamsPerLeague + number
        let town = country.towns[serial % country.towns.count]
        let kind = teamKinds[serial / country.towns.count % teamKinds.count]
        var name = DemoName("\(town.en) \(kind.en)", "\(town.ko) \(kind.ko)")
        var code = "\(letters(town.en).prefix(2))\(letters(kind.en).prefix(1))".uppercased()
        if serial == 0, let shared = teamsOfOneCode[country.code] {
            (name, code) = (shared, "FCB")
        }
        return Team(
            id: id, league: league, name: name, code: code,
            searchKey: SearchKey.key([name.en, name.ko, code]))
    }

    /// Two teams that everybody calls FCB.
    private static let teamsOfOneCode = [
        "DE": DemoName("FC Bärental Lanterns", "FC 베렌탈 랜턴스"),
        "ES": DemoName("FC Bellavista Lanterns", "FC 베야비스타 랜턴스"),
    ]

    private static func letters(_ name: String) -> String { SearchKey.words(name).joined() }

    /// A double round robin by the circle method: one team stays, the others move on by one place a round; the second half
    /// repeats the first with home and away changed.
    private static func fixtures(of league: League, _ teams: [Int64]) -> [Fixture] {
        let rounds = 2 * (teams.count - 1)
        let span = Int(league.endsOn.daysSince1970 - league.startsOn.daysSince1970)
        let base = (Int64(league.startsOn.components.year) * 10_000 + league.id) * 1000
        var fixtures: [Fixture] = []
        for round in 0..<rounds {
            let turn = round % (teams.count - 1)
            let moved = teams.dropFirst()
            let circle = [teams[0]] + moved.suffix(turn) + moved.dropLast(turn)
            for pair in 0..<teams.count / 2 {
                var (home, away) = (circle[pair], circle[teams.count - 1 - pair])
                // The team that stays would else be at home a half long.
                let swaps = (pair == 0 && turn % 2 == 1) != (round >= rounds / 2)
                if swaps { swap(&home, &away) }
                let id = base + Int64(fixtures.count) + 1
                let draw = Self.scattered(id)
                let day = round * (span - 3) / (rounds - 1) + Int(draw % 4)
                let minute = Int(draw >> 8 & 0xFFFF) % 96 * 15
                fixtures.append(
                    Fixture(
                        id: id, league: league.id, seasonStartsOn: league.startsOn, home: home,
                        away: away,
                        kicksOffAt: Instant(startOf: league.startsOn)
                            .adding(seconds: day * 86_400 + minute * 60),
                        postponed: (draw >> 32) % 100 == 0))
            }
        }
        return fixtures
    }

    /// SplitMix64's finalizer: neighbours become far apart, always the same way.
    static func scattered(_ value: Int64) -> UInt64 {
        var bits = UInt64(bitPattern: value) &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

extension CalendarDate {
    /// The day in UTC.
    package init(utc instant: Instant) {
        let seconds = instant.secondsSince1970
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        guard let date = CalendarDate(daysSince1970: Int(days)) else {
            preconditionFailure("an instant lies in the years 1 to 9999")
        }
        self = date
    }
}

extension Instant {
    /// Midnight UTC.
    package init(startOf date: CalendarDate) {
        self.init(microseconds: Int64(date.daysSince1970) * 86_400_000_000)
    }
}
