// From a point on the map to words: reverse geocoding.

public import Endpoints

/// How much an address says.
public enum AddressPrecision: String, Codable, Sendable, CaseIterable {
    /// The city, county or borough (시, 군, 구) nearby; near a border it may be the neighbour.
    case district
}

/// Words for a point.
public struct Address: Codable, Sendable, Hashable {
    /// Such as "서울특별시 강남구".
    public var name: String
    /// The language of `name`, an IETF tag such as "ko".
    public var language: String
    /// How much it says.
    public var precision: AddressPrecision
    /// Metres from the point to what the address stands for; with `district`, to its middle.
    public var distanceMeters: Int
    /// Who says so; `gazetteer` is the table that comes with the service.
    public var source: String

    /// Words for a point.
    public init(
        name: String, language: String, precision: AddressPrecision, distanceMeters: Int,
        source: String
    ) {
        self.name = name
        self.language = language
        self.precision = precision
        self.distanceMeters = distanceMeters
        self.source = source
    }
}

/// Finds the address of a point.
public struct FindAddress: Endpoint {
    /// `GET /v1/geo/addresses`
    public static let route = Route.get("/v1/geo/addresses")
    /// A signed-in user.
    public static let access = Access.user
    /// 404 when no known place is near.
    public static let problems: [Problem.Code] = [.notFound]
    /// What the fields may hold.
    public static let rules: [FieldRule] = PartiesLimits.coordinate
    /// An address changes rarely.
    public static let caching = Caching.private(seconds: 3600)
    /// The address.
    public typealias Response = Address

    /// Degrees north, -90 to 90.
    public var latitude: Double
    /// Degrees east, -180 to 180.
    public var longitude: Double

    /// A point to name.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// Finds the address of a point for a peer. Not reachable from outside.
public struct FindAddressForPeer: Endpoint {
    /// `GET /internal/geo/addresses`
    public static let route = Route.get("/internal/geo/addresses")
    /// Another service.
    public static let access = Access.service
    /// 404 when no known place is near.
    public static let problems: [Problem.Code] = [.notFound]
    /// What the fields may hold.
    public static let rules: [FieldRule] = PartiesLimits.coordinate
    /// The address.
    public typealias Response = Address

    /// Degrees north, -90 to 90.
    public var latitude: Double
    /// Degrees east, -180 to 180.
    public var longitude: Double

    /// A point to name.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
