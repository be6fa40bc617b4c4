// The part of the earth a map shows, as ranges of degrees that an index can search.

import PartiesAPI

/// A box on the map, its edges included.
package struct MapBox: Sendable, Hashable {
    /// Degrees north.
    package let latitudes: ClosedRange<Double>
    /// Degrees east, where 180 is written as -180.
    package let longitudes: ClosedRange<Double>
    /// The rest of the box when it does not fit into one range: across the 180th meridian, or
    /// touching it from the west. The same as `longitudes` when it does.
    package let moreLongitudes: ClosedRange<Double>

    /// `nil` when south is above north or a value is out of bounds. West above east crosses the
    /// 180th meridian.
    package init?(west: Double, south: Double, east: Double, north: Double) {
        let meridians = -180.0...180.0
        let parallels = -90.0...90.0
        guard meridians.contains(west), meridians.contains(east), parallels.contains(south),
            parallels.contains(north), south <= north
        else { return nil }
        latitudes = south...north
        if west > east {
            longitudes = west...180
            moreLongitudes = -180...east
        } else {
            longitudes = west...east
            moreLongitudes = east == 180 ? -180...(-180) : west...east
        }
    }
}
