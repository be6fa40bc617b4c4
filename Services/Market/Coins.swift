// The ranking and single coins.
import Endpoints
import MarketAPI
import Postgres
import ServiceRuntime
import Vocabulary

extension MarketService {
    func getCoin(_ request: GetCoin, _ context: Context) async throws -> Coin {
        let row = try await database.row(Self.coin(request.coin), deadline: context.deadline)
        guard let row else { throw Problem(.notFound) }
        return row.coin(now: clock.now())
    }

    /// The cursor is the rank: the ranking moves while it is read, and a place is what a reader pages through.
    func listCoins(_ request: ListCoins, _ context: Context) async throws -> Page<Coin> {
        let limit = request.limit ?? 50
        var after = 0
        if let cursor = request.cursor {
            guard let rank = Int(cursor), rank >= 0, rank <= 1_000_000 else {
                throw Problem(.invalidField, "cursor is not one of ours", field: "cursor")
            }
            after = rank
        }
        let rows = try await database.rows(
            Self.ranking(after: after, limit: limit + 1), deadline: context.deadline)
        let now = clock.now()
        let items = rows.prefix(limit).map { $0.coin(now: now) }
        let next = rows.count > limit ? items.last.map { "\($0.rank)" } : nil
        return Page(items: items, next: next)
    }
}

/// A coin with its standing.
struct CoinRow: PostgresRow {
    let id: Coin.ID
    let symbol: String
    let name: String
    let rank: Int32
    let price: ExactDecimal
    let changePercent: ExactDecimal
    let quoteVolume: ExactDecimal
    let asOf: Instant
    let source: String

    init(_ columns: inout ColumnReader) throws {
        id = try columns.next(Coin.ID.self)
        symbol = try columns.next(String.self)
        name = try columns.next(String.self)
        rank = try columns.next(Int32.self)
        price = try columns.next(ExactDecimal.self)
        changePercent = try columns.next(ExactDecimal.self)
        quoteVolume = try columns.next(ExactDecimal.self)
        asOf = try columns.next(Instant.self)
        source = try columns.next(String.self)
    }

    func coin(now: Instant) -> Coin {
        Coin(
            id: id, symbol: symbol, name: name, rank: Int(rank), price: price, currency: "KRW",
            changePercent: changePercent, quoteVolume: quoteVolume, asOf: asOf,
            stale: asOf.adding(seconds: Limits.staleAfterSeconds) < now, source: source)
    }
}

extension MarketService {
    static func coin(_ id: Coin.ID) -> Query<CoinRow> {
        """
        select coin.id, coin.symbol, coin.name, standing.rank, standing.price,
            standing.change_percent, standing.quote_volume, standing.as_of, standing.source
        from standing join coin on coin.id = standing.coin_id
        where coin.id = \(id)
        """
    }

    static func ranking(after rank: Int, limit: Int) -> Query<CoinRow> {
        """
        select coin.id, coin.symbol, coin.name, standing.rank, standing.price,
            standing.change_percent, standing.quote_volume, standing.as_of, standing.source
        from standing join coin on coin.id = standing.coin_id
        where standing.rank > \(Int64(rank))
        order by standing.rank, standing.coin_id limit \(Int64(limit))
        """
    }

    /// Computes every coin's standing from its candles and last prices. One statement, so readers see the ranking of one
    /// moment. The lock makes replicas take turns instead of waiting for each other's rows in different orders.
    static func storeStandings(
        _ coins: [Int64], _ prices: [ExactDecimal], asOf: Instant
    ) -> Command {
        let source = SimulatedExchange.source
        return """
            with turn as (
                select pg_try_advisory_xact_lock(7221) as mine
            ), last as (
                select coin_id, price::numeric
                from unnest(\(coins), \(prices.map(\.description))) as made (coin_id, price)
            ), day as (
                select last.coin_id, last.price,
                    coalesce(sum(candle.quote_volume), 0) as quote_volume,
                    (array_agg(candle.open order by candle.opened_at))[1] as first_price
                from last left join candle on candle.coin_id = last.coin_id
                    and candle.opened_at >= \(asOf)::timestamptz - interval '24 hours'
                group by last.coin_id, last.price
            )
            insert into standing as held
                (coin_id, rank, price, change_percent, quote_volume, as_of, source)
            select coin_id, row_number() over (order by quote_volume desc, coin_id),
                price, coalesce(round((price / nullif(first_price, 0) - 1) * 100, 2), 0),
                quote_volume, \(asOf), \(source)
            from day, turn where turn.mine
            on conflict on constraint standing_primary do update
            set rank = excluded.rank, price = excluded.price,
                change_percent = excluded.change_percent, quote_volume = excluded.quote_volume,
                as_of = excluded.as_of, source = excluded.source
            where held.as_of < excluded.as_of
            """
    }
}
