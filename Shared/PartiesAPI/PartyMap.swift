// Parties on a map.

public import Endpoints
public import Vocabulary

/// What a map item is.
public enum MapItemKind: String, Codable, Sendable, CaseIterable {
    /// One party.
    case party
}

/// Something to draw on a map.
public struct MapItem: Codable, Sendable, Hashable {
    /// What it is.
    public var kind: MapItemKind
    /// The party.
    public var party: Party

    /// One party on the map.
    public init(party: Party) {
        kind = .party
        self.party = party
    }
}

/// Lists the open parties whose origin lies in a box, newest first.
///
/// The edges are inclusive. `west` greater than `east` crosses the 180th meridian; -180 to 180 is
/// the whole world. What counts is the origin as anybody may see it, rounded to a thousandth of a
/// degree: small boxes don't reveal more.
public struct ListPartiesInBox: Endpoint {
    /// `GET /v1/parties/map`
    public static let route = Route.get("/v1/parties/map")
    /// A signed-in user.
    public static let access = Access.user
    /// What the fields may hold.
    public static let rules: [FieldRule] = [
        .decimal("west", -180...180),
        .decimal("south", -90...90),
        .decimal("east", -180...180),
        .decimal("north", -90...90),
        .number("zoom", PartiesLimits.zoom),
        .number("limit", PartiesLimits.page),
    ]
    /// A page of what to draw.
    public typealias Response = Page<MapItem>

    /// Western edge, degrees from -180 to 180.
    public var west: Double
    /// Southern edge, degrees from -90 to 90, not above `north`.
    public var south: Double
    /// Eastern edge, degrees from -180 to 180.
    public var east: Double
    /// Northern edge, degrees from -90 to 90.
    public var north: Double
    /// The map's zoom level, 0 to 22.
    public var zoom: Int
    /// Items on a page, 1 to 100; 50 unless given.
    public var limit: Int?
    /// `next` of the page before.
    public var cursor: String?

    /// A box to look into.
    public init(
        west: Double, south: Double, east: Double, north: Double, zoom: Int, limit: Int? = nil,
        cursor: String? = nil
    ) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
        self.zoom = zoom
        self.limit = limit
        self.cursor = cursor
    }
}
