// Countries and leagues: listing and finding them.
import Endpoints
import Postgres
import ServiceRuntime
import SportsAPI
package import Vocabulary

extension SportsService {
    func listCountries(_: ListCountries, _ context: Context) async throws -> CountryList {
        let language = context.language
        let rows = try await database.rows(Self.countries(), deadline: context.deadline)
        return CountryList(
            items: rows.map { $0.country(in: language) }, language: language, source: Self.source)
    }

    func listLeagues(_ request: ListLeagues, _ context: Context) async throws -> LeagueList {
        let sought = Sought(request.query ?? "")
        let after = try SearchPlace(cursor: request.cursor)
        let limit = request.limit ?? SportsLimits.defaultPage
        let language = context.language
        if sought.isImpossible {
            return LeagueList(items: [], language: language, source: Self.source)
        }
        let rows = try await database.rows(
            Self.leagues(
                sought, country: request.country?.uppercased(), on: today, after: after,
                limit: limit + 1),
            deadline: context.deadline)
        let shown = rows.prefix(limit)
        return LeagueList(
            items: shown.map { $0.league(in: language) },
            next: rows.count > limit ? shown.last?.place.cursor : nil, language: language,
            source: Self.source)
    }

    func getLeague(_ request: GetLeague, _ context: Context) async throws -> League {
        let row = try await database.row(
            Self.league(request.league, on: today), deadline: context.deadline)
        guard let row else { throw Problem(.notFound) }
        return row.league(in: context.language)
    }

    /// The date by which the present season is told: in UTC, for seasons begin on no clock of their own.
    var today: CalendarDate { CalendarDate(utc: clock.now()) }
}

/// What a season is called by its dates: never by the calendar year of whoever asks.
package func seasonLabel(from startsOn: CalendarDate, to endsOn: CalendarDate) -> String {
    let first = startsOn.components.year
    let last = endsOn.components.year
    if first == last { return "\(first)" }
    return last % 100 < 10 ? "\(first)/0\(last % 100)" : "\(first)/\(last % 100)"
}

/// What a caller seeks, folded.
struct Sought: Sendable {
    let words: [String]
    /// Whether something was sought that has no letter left after folding; such a thing is in no name.
    let isImpossible: Bool

    init(_ query: String) {
        words = Array(SearchKey.words(query).prefix(Limits.soughtWords))
        isImpossible = words.isEmpty && !query.allSatisfy(\.isWhitespace)
    }
}

/// Where something stands in an answer to a search: those with a word that begins with what is sought come first, then the
/// order of ids.
struct SearchPlace: Sendable {
    let rank: Int64
    let id: Int64

    /// - Throws: `invalid_field` for a cursor that no page gave.
    init?(cursor: String?) throws(Problem) {
        guard let cursor else { return nil }
        let parts = cursor.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "0" || parts[0] == "1",
            let id = Identifier<SearchPlace>(String(parts[1]))
        else { throw Problem(.invalidField, "cursor is not one that a page gave", field: "cursor") }
        self.init(rank: parts[0] == "0" ? 0 : 1, id: id.rawValue)
    }

    init(rank: Int64, id: Int64) {
        self.rank = rank
        self.id = id
    }

    var cursor: String { "\(rank)-\(id)" }
}
