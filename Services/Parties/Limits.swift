// Every bound of the service beside those of requests, which apps share: see PartiesLimits in
// PartiesAPI.

/// Bounds of the parties service.
enum Limits {
    /// Seconds from now to the latest departure, 90 days: people look for company for a flight they
    /// have booked, and a map of parties that nobody remembers helps no one.
    static let departureHorizonSeconds = 90 * 86_400
}
