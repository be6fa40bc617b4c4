// Bounds of the market service and why they are where they are.

enum Limits {
    /// Seconds after which a price without successor is called stale: a dozen missed updates of the standings.
    static let staleAfterSeconds = 60
    /// Seconds between two updates of the ranking in the database.
    static let standingsEverySeconds: Int64 = 5
    /// Minutes of the past computed at the first start unless configured, so that a chart and the 24-hour figures are there
    /// at once; a week at most.
    static let historyMinutes = 1440
    static let longestHistoryMinutes = 10_080
    /// Bytes that may wait for a reader of the stream before it gets only the newest prices.
    static let streamWindow = 65_536
    /// Candles stored by one statement.
    static let candlesPerStatement = 1440
}
