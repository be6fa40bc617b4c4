// Creating, reading, joining and calling off a party.

import Endpoints
import PartiesAPI
import Postgres
import ServiceRuntime
import Vocabulary

extension PartiesService {
    func createParty(_ request: CreateParty, _ context: Context) async throws -> Party {
        let owner = try caller(context)
        let now = clock.now()
        guard request.departsAt > now else {
            throw Problem(.invalidField, "departsAt must be in the future", field: "departsAt")
        }
        guard request.departsAt <= now.adding(seconds: Limits.departureHorizonSeconds) else {
            throw Problem(.invalidField, "departsAt must be within 90 days", field: "departsAt")
        }
        let note = try text(request.note ?? "", PartiesLimits.note, "note", multiline: true)
        let new = NewParty(
            owner: owner, title: try text(request.title, PartiesLimits.title, "title"),
            note: note.isEmpty ? nil : note, origin: try point(request.origin, "origin"),
            destination: try point(request.destination, "destination"),
            departsAt: request.departsAt, seats: request.seats, createdAt: now)
        let id = try await database.one(PartyQueries.create(new), deadline: context.deadline)
        let user = PartyUser(id: owner)
        return Party(
            id: id, title: new.title, origin: new.origin, destination: new.destination,
            departsAt: new.departsAt, seats: new.seats, note: new.note, state: .open, owner: user,
            members: [PartyMember(user: user, joinedAt: now)])
    }

    func getParty(_ request: GetParty, _ context: Context) async throws -> Party {
        let viewer = try caller(context)
        let row = try await database.row(
            PartyQueries.party(request.party), deadline: context.deadline)
        guard let row else { throw Problem(.notFound, "There is no such party.") }
        return row.party(for: viewer, at: clock.now())
    }

    func joinParty(_ request: JoinParty, _ context: Context) async throws -> Party {
        let user = try caller(context)
        let id = request.party
        return try await database.transaction(deadline: context.deadline) { transaction in
            guard let locked = try await transaction.row(PartyQueries.lockParty(id)) else {
                throw Problem(.notFound, "There is no such party.")
            }
            // Read behind the lock: a wait for it may have been long.
            let now = clock.now()
            let isClosed = locked.isClosed(at: now)
            if isClosed || locked.isFull {
                let isMember = try await transaction.one(PartyQueries.isMember(user, of: id))
                guard isMember else { throw Problem(isClosed ? .partyClosed : .partyFull) }
            } else {
                try await transaction.run(PartyQueries.admit(user, to: id, at: now))
            }
            return try await transaction.one(PartyQueries.party(id)).party(for: user, at: now)
        }
    }

    func cancelParty(_ request: CancelParty, _ context: Context) async throws -> NoContent {
        let user = try caller(context)
        let changed = try await database.run(
            PartyQueries.cancel(request.party, by: user, at: clock.now()),
            deadline: context.deadline)
        if changed == 1 { return NoContent() }
        let row = try await database.row(
            PartyQueries.party(request.party), deadline: context.deadline)
        guard let row else { throw Problem(.notFound, "There is no such party.") }
        guard row.owner == user else {
            throw Problem(.forbidden, "Only the owner can call a party off.")
        }
        throw Problem(.partyClosed, "The party has departed.")
    }

    private func point(_ point: Point, _ field: String) throws(Problem) -> Point {
        var point = point
        point.name = try text(point.name, PartiesLimits.pointName, "\(field).name")
        return point
    }

    /// The text as it is stored: trimmed, composed (NFC).
    private func text(
        _ text: String, _ length: ClosedRange<Int>, _ field: String, multiline: Bool = false
    ) throws(Problem) -> String {
        try TextRule(length, multiline: multiline).apply(text, field: field)
    }
}
