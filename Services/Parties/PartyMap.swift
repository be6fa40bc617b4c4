// Parties on a map: for now one item for each.

import Endpoints
import PartiesAPI
import Postgres
import ServiceRuntime
import Vocabulary

extension PartiesService {
    func listPartiesInBox(
        _ request: ListPartiesInBox, _ context: Context
    ) async throws -> Page<MapItem> {
        let viewer = try caller(context)
        let box = MapBox(
            west: request.west, south: request.south, east: request.east, north: request.north)
        guard let box else {
            throw Problem(.invalidField, "south must not be above north", field: "south")
        }
        let cursor = try Party.ID?(cursor: request.cursor)
        let limit = request.limit ?? PartiesLimits.defaultPage
        let now = clock.now()
        // One more than asked for tells whether there is another page.
        let rows = try await database.rows(
            PartyQueries.openParties(in: box, at: now, before: cursor, limit: limit + 1),
            deadline: context.deadline)
        let shown = rows.prefix(limit)
        let parties = await named(shown.map { $0.party(for: viewer, at: now) }, context)
        return Page(
            items: parties.map { MapItem(party: $0) },
            next: rows.count > limit ? shown.last?.id.description : nil)
    }
}
