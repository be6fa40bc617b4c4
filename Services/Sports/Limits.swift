// Bounds of the sports service and why they are where they are.

enum Limits {
    /// Countries in one answer; ISO 3166-1 has fewer.
    static let countries = 300
    /// Words of a search that count; a name has fewer. The rest is dropped.
    static let soughtWords = 8
    /// Minutes from kick-off to the end: two halves of 45, a break of 15, and what is added.
    static let matchMinutes = 115
    /// Minutes of the break between the halves.
    static let breakMinutes = 15
    /// Hours by which a zone differs from UTC at most: 14 today, 15:56 in the history of Manila.
    static let zoneHours = 16
    /// Seconds between two looks whether another season has begun.
    static let seasonCheckSeconds: UInt64 = 3600
    /// Seconds between two tries to load a season while the database is away.
    static let retrySeconds: UInt64 = 10
}
