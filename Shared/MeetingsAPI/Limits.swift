// Bounds of what a client may send, here because an app's forms need them as much as the service.

/// The bounds of requests to the meetings service.
public enum MeetingsLimits {
    /// Characters of a title: one line of a list on a phone.
    public static let title = 1...60
    /// Characters of a note: an agenda, not a document.
    public static let note = 0...1000
    /// Characters of a place's name: the longest Korean road-name addresses have about 60.
    public static let placeName = 1...100
    /// Items of one page of a list.
    public static let page: ClosedRange<Int64> = 1...100
    /// Items of one page of a list when the request names no number.
    public static let defaultPage = 50
}
