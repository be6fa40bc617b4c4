// Places on the earth, WGS 84, in degrees.

/// A point: latitude -90 to 90, longitude -180 to 180. A value outside is refused, never folded onto another place.
public struct Coordinate: Hashable, Sendable, Codable {
    /// Degrees north.
    public let latitude: Double
    /// Degrees east.
    public let longitude: Double

    /// `nil` when a value is not finite or out of bounds.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    private enum Key: String, CodingKey {
        case latitude, longitude
    }

    /// Reads an object with `latitude` and `longitude`.
    /// - Throws: `DecodingError` at the field that is out of bounds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        latitude = try degrees(container, .latitude, 90)
        longitude = try degrees(container, .longitude, 180)
    }
}

/// A box on the map. When `west` is greater than `east`, it crosses the 180th meridian.
public struct BoundingBox: Hashable, Sendable, Codable {
    /// Western edge, degrees from -180 to 180.
    public let west: Double
    /// Southern edge, degrees from -90 to 90.
    public let south: Double
    /// Eastern edge, degrees from -180 to 180.
    public let east: Double
    /// Northern edge, degrees from -90 to 90, not below `south`.
    public let north: Double

    /// `nil` when a value is out of bounds or south is above north.
    public init?(west: Double, south: Double, east: Double, north: Double) {
        guard (-180...180).contains(west), (-180...180).contains(east), (-90...90).contains(south),
            (-90...90).contains(north), south <= north
        else { return nil }
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    private enum Key: String, CodingKey {
        case west, south, east, north
    }

    /// Reads an object with the four edges.
    /// - Throws: `DecodingError` at the field that is out of bounds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        west = try degrees(container, .west, 180)
        south = try degrees(container, .south, 90)
        east = try degrees(container, .east, 180)
        north = try degrees(container, .north, 90)
        guard south <= north else {
            throw DecodingError.dataCorruptedError(
                forKey: .north, in: container, debugDescription: "north is not below south")
        }
    }

    /// Whether the box crosses the 180th meridian.
    public var crossesAntimeridian: Bool { west > east }

    /// Whether a point lies in the box, its edges included.
    public func contains(_ point: Coordinate) -> Bool {
        guard (south...north).contains(point.latitude) else { return false }
        return crossesAntimeridian
            ? point.longitude >= west || point.longitude <= east
            : (west...east).contains(point.longitude)
    }
}

private func degrees<Key: CodingKey>(
    _ container: KeyedDecodingContainer<Key>, _ key: Key, _ limit: Double
) throws -> Double {
    let value = try container.decode(Double.self, forKey: key)
    guard (-limit...limit).contains(value) else {
        throw DecodingError.dataCorruptedError(
            forKey: key, in: container,
            debugDescription: "\(key.stringValue) is from -\(Int(limit)) to \(Int(limit)) degrees")
    }
    return value
}
