// What market is configured by beside what all services share.
package import ServiceRuntime

/// The simulated exchange.
package struct MarketConfiguration: Sendable {
    /// Minutes of the past that the first start computes.
    package var demoHistoryMinutes: Int

    /// Reads the variables.
    package init(_ environment: inout Environment) {
        demoHistoryMinutes = environment.integer(
            "DEMO_HISTORY_MINUTES", default: Limits.historyMinutes,
            1...Limits.longestHistoryMinutes)
    }
}
