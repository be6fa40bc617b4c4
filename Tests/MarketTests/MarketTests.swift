// Ranking and candles as a client sees them. Cases K1, K2, K7, X1.
import Endpoints
import MarketAPI
import TestSupport
import Testing
import Vocabulary

@Suite(.serialized) struct MarketTests {
    @Test func theRankingIsCompleteAndInOrder() async throws {
        try await withMarket(replicas: 2) { service in
            let client = service.client(token: nil)
            let page = try await eventually(
                { try await client.send(ListCoins(limit: 100)) }, until: { !$0.items.isEmpty })
            #expect(page.items.count == 20)
            #expect(page.next == nil)
            #expect(page.items.map(\.rank) == Array(1...20))
            #expect(page.items.allSatisfy { $0.source == "demo" && !$0.stale })
            let volumes = page.items.map(\.quoteVolume)
            #expect(volumes == volumes.sorted(by: >))
            // Two coins share a symbol and stay two.
            #expect(page.items.filter { $0.symbol == "BTG" }.count == 2)
        }
    }

    @Test func pagesHoldEachCoinOnce() async throws {
        // A clock that stands still, so that the ranking does.
        let clock = ManualClock(Instant(microseconds: 1_796_000_000_000_000))
        try await withMarket(clock: clock.clock) { service in
            let client = service.client(token: nil)
            _ = try await eventually(
                { try await client.send(ListCoins()) }, until: { !$0.items.isEmpty })
            var seen: [Coin.ID] = []
            var cursor: String?
            repeat {
                let page = try await client.send(ListCoins(limit: 3, cursor: cursor))
                seen.append(contentsOf: page.items.map(\.id))
                cursor = page.next
            } while cursor != nil
            #expect(seen.count == 20 && Set(seen).count == 20)
        }
    }

    @Test func theHistoryIsThereAndExact() async throws {
        let clock = ManualClock(Instant(microseconds: 1_796_000_000_000_000))
        try await withMarket(replicas: 2, clock: clock.clock) { service in
            let client = service.client(token: nil)
            let coins = try await eventually(
                { try await client.send(ListCoins()) }, until: { !$0.items.isEmpty })
            for coin in coins.items.prefix(3) {
                let list = try await client.send(ListCandles(coin: coin.id, limit: 120))
                #expect(list.source == "demo")
                #expect(list.items.count >= 118)
                for (earlier, later) in zip(list.items, list.items.dropFirst()) {
                    #expect(later.openedAt == earlier.openedAt.adding(seconds: 60))
                }
                for candle in list.items {
                    #expect(candle.low <= min(candle.open, candle.close))
                    #expect(candle.high >= max(candle.open, candle.close))
                }
            }
        }
    }

    @Test func badInputIsAProblem() async throws {
        let expected = [
            ("/v1/market/coins/99999", 404), ("/v1/market/coins/abc", 404),
            ("/v1/market/coins/-1", 404), ("/v1/market/coins/18446744073709551615", 404),
            ("/v1/market/coins/9223372036854775808/candles", 404),
            ("/v1/market/coins?limit=0", 422), ("/v1/market/coins?limit=101", 422),
            ("/v1/market/coins?cursor=zzz", 422), ("/v1/market/coins?cursor=%00", 422),
            ("/v1/market/coins/1/candles?before=yesterday", 422), ("/v1/market/stream", 426),
        ]
        try await withMarket { service in
            for (target, status) in expected {
                let answer = try await service.raw(.get, target)
                #expect(answer.status == status, "\(target)")
                #expect(String(decoding: answer.body, as: UTF8.self).contains("requestId"))
            }
        }
    }
}
