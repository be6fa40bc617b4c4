// Who may do what in market.

import Endpoints
import MarketAPI
import TestSupport
import Vocabulary

extension AccessMatrix {
    /// Prices are everybody's.
    static let market = AccessMatrix(
        service: "market",
        table: """
            | endpoint    | anonymous | other | member | owner | admin | service |
            | ListCoins   | 200       | 200   | 200    | 200   | 200   | 200     |
            | GetCoin     | 200       | 200   | 200    | 200   | 200   | 200     |
            | ListCandles | 200       | 200   | 200    | 200   | 200   | 200     |
            """
    ) { service in
        // The feed, which would do this, does not run here.
        try await service.database.execute(
            """
            insert into standing
                (coin_id, rank, price, change_percent, quote_volume, as_of, source)
            values (1, 1, 100, 0, 0, now(), 'demo') on conflict do nothing
            """)
        let coin = Coin.ID(trusted: 1)
        return Scene(requests: [ListCoins(), GetCoin(coin: coin), ListCandles(coin: coin)])
    }
}
