// The meetings service: its dependencies and its wiring.

import Endpoints
import MeetingsAPI
import Postgres
package import ServiceRuntime
import Vocabulary

/// What an operator may set beside what the runtime reads: nothing yet.
package struct MeetingsConfiguration: Sendable {
    package init(_ environment: inout Environment) {}
}

/// Meetings and the invitations to them.
package struct MeetingsService: Sendable {
    package static let description = ServiceDescription(
        name: "meetings", summary: "People who agree to meet.", version: "0.1.0", port: 8083,
        endpoints: MeetingsAPI.endpoints,
        migrations: [
            Migration("m0001_create_meeting", PackageResources.m0001_create_meeting_sql),
            Migration("m0002_add_place", PackageResources.m0002_add_place_sql),
            Migration("m0003_validate_place", PackageResources.m0003_validate_place_sql),
        ], peers: [.auth, .parties])

    let database: Database
    let clock: WallClock
    let users: UserDirectory
    let parties: PeerClient

    package init(_ resources: ServiceResources, configuration: MeetingsConfiguration) {
        database = resources.database
        clock = resources.clock
        users = UserDirectory(auth: resources.peers[.auth])
        parties = resources.peers[.parties]
    }

    package func parts() -> ServiceParts {
        ServiceParts(router: router())
    }

    private func router() -> Router {
        let router = Router()
        router.on(CreateMeeting.self, createMeeting)
        router.on(ListMeetings.self, listMeetings)
        router.on(GetMeeting.self, getMeeting)
        router.on(InviteToMeeting.self, invite)
        router.on(ListInvitations.self, listInvitations)
        router.on(AcceptInvitation.self, acceptInvitation)
        router.on(CloseInvitation.self, closeInvitation)
        return router.sealed(MeetingsAPI.endpoints)
    }

    /// The user who asks.
    func caller(_ context: Context) throws(Problem) -> UserID {
        UserID(trusted: try context.user.id)
    }
}
