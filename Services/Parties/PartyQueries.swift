// The SQL of parties. What is decided under concurrency is decided here: `admit` gives out seats,
// on a row that `lockParty` has locked.

import PartiesAPI
import Postgres
import Vocabulary

/// Statements on `party` and `party_member`.
enum PartyQueries {
    /// Creates a party together with its owner's seat.
    static func create(_ party: NewParty) -> Query<Party.ID> {
        """
        with created as (
            insert into party (
                owner_id, title, note, origin_name, origin_latitude, origin_longitude,
                destination_name, destination_latitude, destination_longitude, departs_at, seats,
                member_count, created_at
            ) values (
                \(party.owner), \(party.title), \(party.note), \(party.origin.name),
                \(party.origin.latitude), \(party.origin.longitude), \(party.destination.name),
                \(party.destination.latitude), \(party.destination.longitude),
                \(party.departsAt), \(Int16(party.seats)), 1, \(party.createdAt)
            )
            returning id
        ), seated as (
            insert into party_member (party_id, user_id, joined_at)
            select id, \(party.owner), \(party.createdAt) from created
        )
        select id from created
        """
    }

    /// The columns of a `PartyRow`, from `party`.
    private static let columns: SQL = """
        id, owner_id, title, note, origin_name, origin_latitude, origin_longitude,
        shown_latitude, shown_longitude, destination_name, destination_latitude,
        destination_longitude, departs_at, seats, cancelled_at,
        array(
            select user_id from party_member
            where party_id = party.id order by joined_at, user_id
        ),
        array(
            select (extract(epoch from joined_at) * 1000000)::bigint from party_member
            where party_id = party.id order by joined_at, user_id
        )
        """

    /// One party with its members.
    static func party(_ id: Party.ID) -> Query<PartyRow> {
        "select \(raw: columns) from party where id = \(id)"
    }

    /// The open parties in a box, newest first, those older than `cursor`.
    static func openParties(
        in box: MapBox, at now: Instant, before cursor: Party.ID?, limit: Int
    ) -> Query<PartyRow> {
        """
        select \(raw: columns) from party
        where shown_latitude between \(box.latitudes.lowerBound) and \(box.latitudes.upperBound)
            and (
                shown_longitude
                    between \(box.longitudes.lowerBound) and \(box.longitudes.upperBound)
                or shown_longitude
                    between \(box.moreLongitudes.lowerBound) and \(box.moreLongitudes.upperBound)
            )
            and cancelled_at is null and departs_at > \(now) and member_count < seats
            and id < \(cursor?.rawValue ?? .max)
        order by id desc limit \(limit)
        """
    }

    /// Locks a party until the transaction ends; whoever wants to change its members waits here.
    static func lockParty(_ id: Party.ID) -> Query<LockedParty> {
        """
        select seats, member_count, departs_at, cancelled_at from party
        where id = \(id) for update
        """
    }

    /// Seats a user in a party that the transaction has locked. Changes nothing when the user has a
    /// seat.
    static func admit(_ user: UserID, to party: Party.ID, at now: Instant) -> Command {
        """
        with joined as (
            insert into party_member (party_id, user_id, joined_at)
            values (\(party), \(user), \(now))
            on conflict on constraint party_member_primary do nothing
            returning party_id
        )
        update party set member_count = member_count + 1
        where id in (select party_id from joined)
        """
    }

    /// Whether a user has a seat.
    static func isMember(_ user: UserID, of party: Party.ID) -> Query<Bool> {
        """
        select exists (
            select from party_member where party_id = \(party) and user_id = \(user)
        )
        """
    }

    /// Calls a party off for its owner, unless it has departed. Again, it finds the row and keeps
    /// the first time.
    static func cancel(_ party: Party.ID, by owner: UserID, at now: Instant) -> Command {
        """
        update party set cancelled_at = coalesce(cancelled_at, \(now))
        where id = \(party) and owner_id = \(owner)
            and (cancelled_at is not null or departs_at > \(now))
        """
    }
}

/// A party that does not exist yet.
struct NewParty: Sendable {
    var owner: UserID
    var title: String
    var note: String?
    var origin: Point
    var destination: Point
    var departsAt: Instant
    var seats: Int
    var createdAt: Instant
}

/// What decides whether somebody may join.
struct LockedParty: PostgresRow {
    let seats: Int
    let memberCount: Int
    let departsAt: Instant
    let cancelledAt: Instant?

    init(_ columns: inout ColumnReader) throws {
        seats = try columns.next()
        memberCount = try columns.next()
        departsAt = try columns.next()
        cancelledAt = try columns.next()
    }

    func isClosed(at now: Instant) -> Bool { cancelledAt != nil || departsAt <= now }
    var isFull: Bool { memberCount >= seats }
}

/// A party as it is stored.
struct PartyRow: PostgresRow {
    let id: Party.ID
    let owner: UserID
    let title: String
    let note: String?
    let origin: Point
    /// The origin as those who are not members see it.
    let shownOrigin: Point
    let destination: Point
    let departsAt: Instant
    let seats: Int
    let cancelledAt: Instant?
    let members: [PartyMember]

    init(_ columns: inout ColumnReader) throws {
        id = try columns.next()
        owner = try columns.next()
        title = try columns.next()
        note = try columns.next()
        let originName = try columns.next(String.self)
        origin = Point(
            name: originName, latitude: try columns.next(), longitude: try columns.next())
        shownOrigin = Point(
            name: originName, latitude: try columns.next(), longitude: try columns.next())
        destination = Point(
            name: try columns.next(), latitude: try columns.next(), longitude: try columns.next())
        departsAt = try columns.next()
        seats = try columns.next()
        cancelledAt = try columns.next()
        let users = try columns.next([UserID].self)
        let times = try columns.next([Int64].self)
        members = zip(users, times).map { user, time in
            PartyMember(user: PartyUser(id: user), joinedAt: Instant(microseconds: time))
        }
    }

    /// The party as `viewer` may see it.
    func party(for viewer: UserID, at now: Instant) -> Party {
        let isMember = members.contains { $0.user.id == viewer }
        return Party(
            id: id, title: title, origin: isMember ? origin : shownOrigin,
            destination: destination, departsAt: departsAt, seats: seats, note: note,
            state: state(at: now), owner: PartyUser(id: owner), members: members)
    }

    /// Follows from what is stored and the time, so that no job has to run at the departure.
    func state(at now: Instant) -> PartyState {
        if cancelledAt != nil { return .cancelled }
        if departsAt <= now { return members.count > 1 ? .departed : .expired }
        return members.count < seats ? .open : .full
    }
}
