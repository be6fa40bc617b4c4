// Creating, reading, joining and calling off a party.

import AuthAPI
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
        let party = Party(
            id: id, title: new.title, origin: new.origin, destination: new.destination,
            departsAt: new.departsAt, seats: new.seats, note: new.note, state: .open, owner: user,
            members: [PartyMember(user: user, joinedAt: now)])
        return await named(party, context)
    }

    func getParty(_ request: GetParty, _ context: Context) async throws -> Party {
        let viewer = try caller(context)
        let row = try await database.row(
            PartyQueries.party(request.party), deadline: context.deadline)
        guard let row else { throw Problem(.notFound, "There is no such party.") }
        return await named(row.party(for: viewer, at: clock.now()), context)
    }

    func joinParty(_ request: JoinParty, _ context: Context) async throws -> Party {
        let user = try caller(context)
        let id = request.party
        let party = try await database.transaction(deadline: context.deadline) { transaction in
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
        return await named(party, context)
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

    /// The party with the names of its people.
    private func named(_ party: Party, _ context: Context) async -> Party {
        await named([party], context)[0]
    }

    /// Parties with the names of their people, as far as auth tells them.
    func named(_ parties: [Party], _ context: Context) async -> [Party] {
        let ids = Set(parties.flatMap { [$0.owner.id] + $0.members.map(\.user.id) })
        let profiles = await users.profiles(of: ids, for: context)
        return parties.map { party in
            var party = party
            party.owner.nickname = profiles[party.owner.id]?.nickname
            for index in party.members.indices {
                let id = party.members[index].user.id
                party.members[index].user.nickname = profiles[id]?.nickname
            }
            return party
        }
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
