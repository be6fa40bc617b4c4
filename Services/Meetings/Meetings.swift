// Creating, reading and listing meetings.

import AuthAPI
import Endpoints
import MeetingsAPI
import PartiesAPI
import Postgres
import ServiceRuntime
import Vocabulary

extension MeetingsService {
    func createMeeting(_ request: CreateMeeting, _ context: Context) async throws -> Meeting {
        let owner = try caller(context)
        let now = clock.now()
        let title = try TextRule(MeetingsLimits.title).apply(request.title, field: "title")
        let text = try TextRule(MeetingsLimits.note, multiline: true)
            .apply(request.note ?? "", field: "note")
        let note = text.isEmpty ? nil : text
        let place = try await place(request.place, context)
        let id = try await database.one(
            MeetingQueries.create(title: title, note: note, place: place, owner: owner, at: now),
            deadline: context.deadline)
        let member = MeetingMember(user: MeetingUser(id: owner), role: .owner, joinedAt: now)
        return await named(
            Meeting(
                id: id, title: title, note: note, place: place, createdAt: now, members: [member]),
            context)
    }

    func getMeeting(_ request: GetMeeting, _ context: Context) async throws -> Meeting {
        let row = try await database.row(
            MeetingQueries.meeting(request.meeting, for: try caller(context)),
            deadline: context.deadline)
        guard let row else { throw Problem(.notFound, "There is no such meeting.") }
        return await named(row.meeting, context)
    }

    /// The meeting with the names of its members, as far as auth tells them.
    private func named(_ meeting: Meeting, _ context: Context) async -> Meeting {
        let profiles = await users.profiles(of: meeting.members.map(\.user.id), for: context)
        var meeting = meeting
        for index in meeting.members.indices {
            let id = meeting.members[index].user.id
            meeting.members[index].user.nickname = profiles[id]?.nickname
        }
        return meeting
    }

    /// The place with its address, if the parties service can tell one within a second: a meeting does not wait longer for
    /// words that its creator did not ask for.
    private func place(_ place: MeetingPlace?, _ context: Context) async throws -> MeetingPlace? {
        guard var place else { return nil }
        place.name = try TextRule(MeetingsLimits.placeName).apply(place.name, field: "place.name")
        let request = FindAddressForPeer(latitude: place.latitude, longitude: place.longitude)
        do throws(PeerFailure) {
            place.address = try await parties.send(
                request, for: context, timeout: Limits.addressPatience
            ).name
        } catch {
            place.address = nil
            if error.code != .notFound { context.log.notice("a place without address: \(error)") }
        }
        return place
    }

    func listMeetings(
        _ request: ListMeetings, _ context: Context
    ) async throws -> Page<MeetingSummary> {
        let user = try caller(context)
        let cursor = try Meeting.ID?(cursor: request.cursor)
        let limit = request.limit ?? MeetingsLimits.defaultPage
        // One more than asked for tells whether there is another page.
        let rows = try await database.rows(
            MeetingQueries.meetings(of: user, before: cursor, limit: limit + 1),
            deadline: context.deadline)
        let items = rows.prefix(limit).map(\.summary)
        return Page(items: items, next: rows.count > limit ? items.last?.id.description : nil)
    }
}
