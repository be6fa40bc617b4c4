// Creating, reading and listing meetings.

import Endpoints
import MeetingsAPI
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
        let id = try await database.one(
            MeetingQueries.create(title: title, note: note, owner: owner, at: now),
            deadline: context.deadline)
        let member = MeetingMember(user: MeetingUser(id: owner), role: .owner, joinedAt: now)
        return Meeting(id: id, title: title, note: note, createdAt: now, members: [member])
    }

    func getMeeting(_ request: GetMeeting, _ context: Context) async throws -> Meeting {
        let row = try await database.row(
            MeetingQueries.meeting(request.meeting, for: try caller(context)),
            deadline: context.deadline)
        guard let row else { throw Problem(.notFound, "There is no such meeting.") }
        return row.meeting
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
