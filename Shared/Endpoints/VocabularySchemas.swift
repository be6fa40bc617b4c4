// The wire forms of the shared types, for the OpenAPI document.

public import Vocabulary

extension Identifier: SchemaDescribed {
    /// An integer from 1 to 2^53 - 1.
    public static var schema: FieldSchema {
        FieldSchema(
            .integer, format: "int64", minimum: .integer(1), maximum: .integer(maximum))
    }
    /// 1.
    public static var example: Self? { Self(trusted: 1) }
}

extension Instant: SchemaDescribed {
    /// RFC 3339 text.
    public static var schema: FieldSchema { FieldSchema(.string, format: "date-time") }
    /// The start of 1970.
    public static var example: Self? { Instant(microseconds: 0) }
}

extension CalendarDate: SchemaDescribed {
    /// `yyyy-mm-dd`.
    public static var schema: FieldSchema { FieldSchema(.string, format: "date") }
    /// The first day of 1970.
    public static var example: Self? { Self(daysSince1970: 0) }
}

extension ExactDecimal: SchemaDescribed {
    /// Text in plain notation.
    public static var schema: FieldSchema {
        FieldSchema(
            .string, pattern: #"^-?[0-9]{1,38}(\.[0-9]{1,30})?$"#,
            description: "An exact decimal number.", example: "0.10")
    }
    /// Zero.
    public static var example: Self? { .zero }
}

extension Coordinate: SchemaDescribed {
    /// Latitude and longitude in degrees, WGS 84.
    public static var schema: FieldSchema {
        FieldSchema(
            .object([
                .init("latitude", .degrees(90)), .init("longitude", .degrees(180)),
            ]), description: "A point in degrees, WGS 84.")
    }
    /// Where the equator meets the prime meridian.
    public static var example: Self? { Self(latitude: 0, longitude: 0) }
}

extension BoundingBox: SchemaDescribed {
    /// Four edges in degrees.
    public static var schema: FieldSchema {
        FieldSchema(
            .object([
                .init("west", .degrees(180)), .init("south", .degrees(90)),
                .init("east", .degrees(180)), .init("north", .degrees(90)),
            ]),
            description: "A box on the map; west is greater than east when it crosses the 180th "
                + "meridian.")
    }
    /// The whole world.
    public static var example: Self? {
        Self(west: -180, south: -90, east: 180, north: 90)
    }
}

extension Money: SchemaDescribed {
    /// An amount in minor units and a currency.
    public static var schema: FieldSchema {
        FieldSchema(
            .object([
                .init("amount", FieldSchema(.integer, format: "int64")),
                .init("currency", FieldSchema(.string, pattern: "^[A-Z]{3}$", example: "KRW")),
            ]), description: "An amount in the minor unit of its currency (ISO 4217).")
    }
    /// Nothing, in won.
    public static var example: Self? { .krw(0) }
}

extension FieldSchema {
    fileprivate static func degrees(_ limit: Int64) -> FieldSchema {
        FieldSchema(
            .number, format: "double", minimum: .integer(-limit), maximum: .integer(limit))
    }
}
