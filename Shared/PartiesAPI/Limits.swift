// Bounds of what a client may send, here because an app's forms need them as much as the service.

import Endpoints

/// The bounds of requests to the parties service.
public enum PartiesLimits {
    /// Characters of a title: one line of a list on a phone.
    public static let title = 1...60
    /// Characters of a note: what fits under the title without scrolling for long.
    public static let note = 0...500
    /// Characters of a place's name: the longest Korean road-name addresses have about 60.
    public static let pointName = 1...100
    /// Seats, the owner's included: a ride for one is not shared, and a large taxi takes six.
    public static let seats: ClosedRange<Int64> = 2...6
    /// Degrees of a point on the map.
    static let coordinate: [FieldRule] = [
        .decimal("latitude", -90...90), .decimal("longitude", -180...180),
    ]
    /// Zoom levels of a web map.
    public static let zoom: ClosedRange<Int64> = 0...22
    /// Items of one page of the map.
    public static let page: ClosedRange<Int64> = 1...100
    /// Items of one page of the map when the request names no number.
    public static let defaultPage = 50
}
