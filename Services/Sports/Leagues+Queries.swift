// SQL of countries and leagues.
import Postgres
import SportsAPI
import Vocabulary

/// A name in both languages.
struct StoredName: Sendable {
    let en: String
    let ko: String

    init(_ columns: inout ColumnReader) throws {
        en = try columns.next()
        ko = try columns.next()
    }

    func text(in language: Language) -> String { language == .ko ? ko : en }
}

/// A country as it is stored.
struct CountryRow: PostgresRow {
    let code: String
    let name: StoredName

    init(_ columns: inout ColumnReader) throws {
        code = try columns.next()
        name = try StoredName(&columns)
    }

    func country(in language: Language) -> Country {
        Country(code: code, name: name.text(in: language))
    }
}

/// A league with its present season.
struct LeagueRow: PostgresRow {
    let place: SearchPlace
    let id: League.ID
    let name: StoredName
    let source: String
    let country: CountryRow
    let startsOn: CalendarDate
    let endsOn: CalendarDate

    init(_ columns: inout ColumnReader) throws {
        let rank = try columns.next(Int64.self)
        id = try columns.next()
        place = SearchPlace(rank: rank, id: id.rawValue)
        name = try StoredName(&columns)
        source = try columns.next()
        country = try CountryRow(&columns)
        startsOn = try columns.next()
        endsOn = try columns.next()
    }

    func league(in language: Language) -> League {
        League(
            id: id, name: name.text(in: language), country: country.country(in: language),
            season: Season(
                label: seasonLabel(from: startsOn, to: endsOn), startsOn: startsOn, endsOn: endsOn),
            language: language, source: source)
    }
}

extension SportsService {
    static func countries() -> Query<CountryRow> {
        "select code, name_en, name_ko from country order by code limit \(Limits.countries)"
    }

    private static let columns: SQL = """
        league.id, league.name_en, league.name_ko, league.source,
        country.code, country.name_en, country.name_ko, present.starts_on, present.ends_on
        """

    /// Each league's country and the season that began last by a date; before its first, that one.
    private static func surroundings(on today: CalendarDate) -> SQL {
        """
        join country on country.code = league.country_code
        cross join lateral (
            select starts_on, ends_on from season where season.league_id = league.id
            order by starts_on <= \(today)::date desc, abs(starts_on - \(today)::date) limit 1
        ) as present
        """
    }

    static func league(_ id: League.ID, on today: CalendarDate) -> Query<LeagueRow> {
        """
        select 0::bigint, \(raw: columns) from league \(raw: surroundings(on: today))
        where league.id = \(id)
        """
    }

    /// Words are compared by `strpos`, in which no character has a meaning of its own.
    static func leagues(
        _ sought: Sought, country: String?, on today: CalendarDate, after: SearchPlace?, limit: Int
    ) -> Query<LeagueRow> {
        """
        with found as (
            select id, \(raw: rank(sought)) as rank from league
            where \(raw: isFound(sought))
                and (\(country)::text is null or country_code = \(country)::text)
        )
        select found.rank, \(raw: columns)
        from found join league on league.id = found.id \(raw: surroundings(on: today))
        where (found.rank, found.id) > (\(after?.rank ?? 0), \(after?.id ?? 0))
        order by found.rank, found.id limit \(limit)
        """
    }

    /// 0 for what has a word that begins with the first word sought, else 1.
    static func rank(_ sought: Sought) -> SQL {
        let first = " " + (sought.words.first ?? "")
        return "(strpos(search_key, \(first)::text) = 0)::int::bigint"
    }

    /// Whether every word sought is somewhere in the key.
    static func isFound(_ sought: Sought) -> SQL {
        """
        not exists (
            select from unnest(\(sought.words)) as word where strpos(search_key, word) = 0
        )
        """
    }

    static func leagueExists(_ id: League.ID) -> Query<Int64> {
        "select id from league where id = \(id)"
    }

    static func followed(
        by user: UserID, on today: CalendarDate, after: League.ID?, limit: Int
    ) -> Query<LeagueRow> {
        """
        select 0::bigint, \(raw: columns)
        from follow join league on league.id = follow.league_id \(raw: surroundings(on: today))
        where follow.user_id = \(user) and follow.league_id > \(after?.rawValue ?? 0)
        order by follow.league_id limit \(limit)
        """
    }

    static func follow(_ league: League.ID, by user: UserID, at now: Instant) -> Command {
        """
        insert into follow (user_id, league_id, followed_at)
        values (\(user), \(league), \(now))
        on conflict on constraint follow_primary do nothing
        """
    }

    static func unfollow(_ league: League.ID, by user: UserID) -> Command {
        "delete from follow where user_id = \(user) and league_id = \(league)"
    }
}
