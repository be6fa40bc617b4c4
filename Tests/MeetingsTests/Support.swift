// The meetings service of a test.

import Endpoints
import MeetingsAPI
import MeetingsService
import ServiceRuntime
import TestSupport
import Vocabulary

/// Where the clock of a test stands when it begins: 2026-03-01T00:00:00Z.
let beginning = Instant(microseconds: 1_772_323_200_000_000)

/// Runs `body` with a meetings service whose clock stands still.
func withMeetings(
    replicas: Int = 1, clock: WallClock = ManualClock(beginning).clock, peers: Peers = .fake(),
    _ body: (TestService) async throws -> Void
) async throws {
    try await TestService.with(
        MeetingsService.description, replicas: replicas, clock: clock, peers: peers,
        make: { resources, environment in
            let configuration = MeetingsConfiguration(&environment)
            return MeetingsService(resources, configuration: configuration).parts()
        }, body)
}

extension TestService {
    /// Creates a meeting of a user's.
    func meeting(of owner: Int64, title: String = "저녁") async throws -> Meeting {
        try await client(owner).send(CreateMeeting(title: title))
    }

    /// Invites a user for another.
    func invite(_ invitee: Int64, to meeting: Meeting.ID, by inviter: Int64) async throws
        -> Invitation
    {
        try await client(inviter).send(
            InviteToMeeting(meeting: meeting, invitee: UserID(trusted: invitee)))
    }
}
