// Boxes on the map as ranges of degrees. No I/O.

import PartiesService
import Testing

@Suite struct MapBoxTests {
    @Test func anOrdinaryBoxIsOneRange() throws {
        let box = try #require(MapBox(west: 126.7, south: 37.4, east: 127.2, north: 37.7))
        #expect(box.latitudes == 37.4...37.7)
        #expect(box.longitudes == 126.7...127.2)
        #expect(box.moreLongitudes == box.longitudes)
    }

    @Test func westAboveEastCrossesTheAntimeridian() throws {
        let box = try #require(MapBox(west: 170, south: -10, east: -170, north: 10))
        #expect(box.longitudes == 170...180)
        #expect(box.moreLongitudes == -180...(-170))
    }

    @Test func theWorldIsNotAnEmptyBox() throws {
        let box = try #require(MapBox(west: -180, south: -90, east: 180, north: 90))
        #expect(box.longitudes == -180...180)
        #expect(box.latitudes == -90...90)
    }

    @Test func aBoxThatEndsAtTheAntimeridianHoldsIt() throws {
        let box = try #require(MapBox(west: 170, south: 0, east: 180, north: 1))
        #expect(box.longitudes.contains(179.5))
        #expect(box.moreLongitudes.contains(-180))
        #expect(!box.moreLongitudes.contains(-179.999))
    }

    @Test(arguments: [
        (0.0, 10.0, 1.0, 9.0), (-181, 0, 1, 1), (0, 0, 180.5, 1), (0, -91, 1, 1), (0, 0, 1, 162),
        (.nan, 0, 1, 1), (0, .nan, 1, 1), (0, 0, .infinity, 1),
    ]) func refuses(west: Double, south: Double, east: Double, north: Double) {
        #expect(MapBox(west: west, south: south, east: east, north: north) == nil)
    }
}
