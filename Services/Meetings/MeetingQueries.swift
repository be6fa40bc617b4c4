// The SQL of meetings and their members.

import MeetingsAPI
import Postgres
import Vocabulary

/// Statements on `meeting` and `meeting_member`.
enum MeetingQueries {
    /// Creates a meeting together with its owner's membership.
    static func create(
        title: String, note: String?, place: MeetingPlace?, owner: UserID, at now: Instant
    ) -> Query<Meeting.ID> {
        """
        with created as (
            insert into meeting (
                title, note, created_at, member_count, place_name, place_latitude,
                place_longitude, place_address
            ) values (
                \(title), \(note), \(now), 1, \(place?.name), \(place?.latitude),
                \(place?.longitude), \(place?.address)
            )
            returning id
        ), joined as (
            insert into meeting_member (meeting_id, user_id, role, joined_at)
            select id, \(owner), 'owner', \(now) from created
        )
        select id from created
        """
    }

    /// One meeting with its members, for one of them.
    static func meeting(_ id: Meeting.ID, for user: UserID) -> Query<MeetingRow> {
        """
        select id, title, note, place_name, place_latitude, place_longitude, place_address,
            created_at,
            array(
                select user_id from meeting_member
                where meeting_id = meeting.id order by joined_at, user_id
            ),
            array(
                select role from meeting_member
                where meeting_id = meeting.id order by joined_at, user_id
            ),
            array(
                select (extract(epoch from joined_at) * 1000000)::bigint from meeting_member
                where meeting_id = meeting.id order by joined_at, user_id
            )
        from meeting
        where id = \(id) and exists (
            select from meeting_member where meeting_id = \(id) and user_id = \(user)
        )
        """
    }

    /// A user's meetings, newest first, those older than `cursor`.
    static func meetings(
        of user: UserID, before cursor: Meeting.ID?, limit: Int
    ) -> Query<MeetingSummaryRow> {
        """
        select meeting.id, meeting.title, meeting.created_at, member.role, meeting.member_count
        from meeting_member as member join meeting on meeting.id = member.meeting_id
        where member.user_id = \(user) and member.meeting_id < \(cursor?.rawValue ?? .max)
        order by member.meeting_id desc limit \(limit)
        """
    }

    /// Locks a meeting for one of its members until the transaction ends; whatever changes its
    /// members or invitations waits here.
    static func lockMeeting(_ id: Meeting.ID, for user: UserID) -> Query<LockedMeeting> {
        """
        select id, title, member_count from meeting
        where id = \(id) and exists (
            select from meeting_member where meeting_id = \(id) and user_id = \(user)
        )
        for update
        """
    }

    /// Whether a user belongs to a meeting.
    static func isMember(_ user: UserID, of meeting: Meeting.ID) -> Query<Bool> {
        """
        select exists (
            select from meeting_member where meeting_id = \(meeting) and user_id = \(user)
        )
        """
    }
}

/// What an invitation needs to know of its meeting.
struct LockedMeeting: PostgresRow {
    let id: Meeting.ID
    let title: String
    let memberCount: Int

    init(_ columns: inout ColumnReader) throws {
        id = try columns.next()
        title = try columns.next()
        memberCount = try columns.next()
    }
}

/// A meeting as it is stored.
struct MeetingRow: PostgresRow {
    let meeting: Meeting

    init(_ columns: inout ColumnReader) throws {
        let id = try columns.next(Meeting.ID.self)
        let title = try columns.next(String.self)
        let note = try columns.next(String?.self)
        let placeName = try columns.next(String?.self)
        let latitude = try columns.next(Double?.self)
        let longitude = try columns.next(Double?.self)
        let address = try columns.next(String?.self)
        var place: MeetingPlace?
        if let placeName, let latitude, let longitude {
            place = MeetingPlace(
                name: placeName, latitude: latitude, longitude: longitude, address: address)
        }
        let createdAt = try columns.next(Instant.self)
        let users = try columns.next([UserID].self)
        let roles = try columns.next([String].self)
        let times = try columns.next([Int64].self)
        var members: [MeetingMember] = []
        for (index, user) in users.enumerated() {
            guard let role = MeetingRole(rawValue: roles[index]) else {
                throw PostgresError.decode(column: "role", expected: "a role")
            }
            members.append(
                MeetingMember(
                    user: MeetingUser(id: user), role: role,
                    joinedAt: Instant(microseconds: times[index])))
        }
        meeting = Meeting(
            id: id, title: title, note: note, place: place, createdAt: createdAt,
            members: members)
    }
}

/// A meeting in a list, as it is stored.
struct MeetingSummaryRow: PostgresRow {
    let summary: MeetingSummary

    init(_ columns: inout ColumnReader) throws {
        summary = MeetingSummary(
            id: try columns.next(), title: try columns.next(), createdAt: try columns.next(),
            role: try columns.next(), memberCount: try columns.next())
    }
}
