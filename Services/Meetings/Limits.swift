// Every bound of the service beside those of requests, which apps share: see MeetingsLimits in
// MeetingsAPI.

/// Bounds of the meetings service.
enum Limits {
    /// Seconds an invitation stays open, 7 days: over a weekend, and short enough that a forgotten
    /// one doesn't surprise.
    static let invitationSeconds = 7 * 86_400
    /// Nanoseconds a new meeting waits for the address of its place: a creator asked for a meeting, not for words.
    static let addressPatience: UInt64 = 1_000_000_000
    /// Members and open invitations of one meeting together: a circle of friends or a team; an
    /// answer lists all of them.
    static let people = 50
}
