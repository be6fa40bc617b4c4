// Who may do what in auth.

import AuthAPI
import Endpoints
import Foundation
import TestSupport
import Vocabulary

extension AccessMatrix {
    /// The owner has signed up; the member is a second session of the same account.
    static let auth = AccessMatrix(
        service: "auth",
        table: """
            | endpoint          | anonymous | other | member | owner | admin | service |
            | SignUp            | 201       | 201   | 201    | 201   | 201   | 201     |
            | LogIn             | 201       | 201   | 201    | 201   | 201   | 201     |
            | RefreshSession    | 200       | 200   | 200    | 200   | 200   | 200     |
            | LogOut            | 401       | 204   | 204    | 204   | 204   | 401     |
            | GetMe             | 401       | 200   | 200    | 200   | 200   | 401     |
            | GetKeys           | 200       | 200   | 200    | 200   | 200   | 200     |
            | IssueServiceToken | 201       | 201   | 201    | 201   | 201   | 201     |
            | ListUserProfiles  | 401       | 403   | 403    | 403   | 403   | 200     |
            """
    ) { service in
        var client = service.client(token: nil)
        client.headers = [TestService.anotherAddress]
        let anybody = client
        let password = "correct horse"
        let name = UUID().uuidString
        func email(_ prefix: String) -> String { "\(prefix).\(name)@example.com" }
        func signUp(_ prefix: String) async throws -> AuthSession {
            try await anybody.send(
                SignUp(email: email(prefix), password: password, nickname: "미나"))
        }
        let (owner, other) = (try await signUp("owner"), try await signUp("other"))
        let admin = try await signUp("admin").user
        try await service.database.execute(
            "update account set role = 'admin' where id = \(admin.id)")
        let asOwner = LogIn(email: email("owner"), password: password)
        let asAdmin = LogIn(email: email("admin"), password: password)
        return Scene(
            requests: [
                SignUp(email: email("new"), password: password, nickname: "미나"), asOwner,
                RefreshSession(refreshToken: owner.refreshToken), LogOut(), GetMe(), GetKeys(),
                IssueServiceToken(service: "parties", secret: AccessToken.partiesSecret),
                ListUserProfiles(ids: [owner.user.id]),
            ],
            tokens: [
                .other: other.accessToken, .owner: owner.accessToken,
                .member: try await anybody.send(asOwner).accessToken,
                .admin: try await anybody.send(asAdmin).accessToken,
            ])
    }
}
