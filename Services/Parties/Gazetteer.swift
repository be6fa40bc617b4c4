// The districts of Korea and their middles.
//
// Gazetteer/districts.tsv has a line a city, county or borough (시, 군, 구): name, latitude, longitude of its middle (or of
// a point inside, where the middle lies outside), made from the administrative boundaries of the National Geographic
// Information Institute of Korea (국토지리정보원), Spatial Information Co-use dataset of 2023-09-15, data.go.kr, which may be
// used without restriction when the source is named.

import Glibc
import Vocabulary

/// A table of places with names.
struct Gazetteer: Sendable {
    struct District: Sendable {
        let name: String
        let middle: Coordinate
    }

    let districts: [District]

    /// Metres from a district's middle beyond which a point is taken to lie outside of Korea: the largest district reaches
    /// about 40 km.
    private static let reach = 45_000.0
    /// The mean radius of the earth, metres.
    private static let earthRadius = 6_371_008.8

    /// Reads lines of name, latitude and longitude with tabs between. Traps when one is malformed: the table is ours.
    init(_ table: [UInt8]) {
        districts = table.split(separator: UInt8(ascii: "\n")).map { line in
            let fields = line.split(separator: UInt8(ascii: "\t"))
                .map { String(decoding: $0, as: UTF8.self) }
            guard fields.count == 3, let latitude = Double(fields[1]),
                let longitude = Double(fields[2]),
                let middle = Coordinate(latitude: latitude, longitude: longitude)
            else { preconditionFailure("gazetteer: \(fields)") }
            return District(name: fields[0], middle: middle)
        }
    }

    /// The district whose middle is nearest, and the metres to it; `nil` when none is within reach.
    func nearest(to point: Coordinate) -> (District, Int)? {
        var best: (District, Double)?
        for district in districts {
            let distance = Self.meters(from: point, to: district.middle)
            if distance < best?.1 ?? Self.reach { best = (district, distance) }
        }
        return best.map { ($0.0, Int($0.1.rounded())) }
    }

    /// Great-circle distance in metres (haversine).
    static func meters(from start: Coordinate, to end: Coordinate) -> Double {
        let radians = Double.pi / 180
        let latitude = (end.latitude - start.latitude) * radians
        let longitude = (end.longitude - start.longitude) * radians
        let half =
            pow(sin(latitude / 2), 2)
            + cos(start.latitude * radians) * cos(end.latitude * radians)
            * pow(sin(longitude / 2), 2)
        return 2 * earthRadius * asin(min(1, half.squareRoot()))
    }
}
