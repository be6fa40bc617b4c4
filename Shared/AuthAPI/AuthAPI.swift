// The contract of the auth service.
public import Endpoints

/// What the auth service answers.
public enum AuthAPI {
    /// Every endpoint, in the order of the document.
    public static let endpoints: [any Endpoint.Type] = [
        SignUp.self, LogIn.self, RefreshSession.self, LogOut.self, GetMe.self, GetKeys.self,
        IssueServiceToken.self, ListUserProfiles.self,
    ]
}

extension Problem.Code {
    /// 409: the address belongs to an account.
    public static let emailTaken = Self(
        "email_taken", status: 409, title: "The e-mail address is taken")
    /// 401: no account has this address and password, or no service this name and secret.
    public static let wrongCredentials = Self(
        "wrong_credentials", status: 401, title: "The credentials are wrong")
    /// 401: the session has ended, or the refresh token is none of ours; log in again.
    public static let sessionEnded = Self(
        "session_ended", status: 401, title: "The session has ended")
    /// 401: an old refresh token was used again, so somebody else may have it; the session is closed.
    public static let refreshTokenReused = Self(
        "refresh_token_reused", status: 401, title: "The refresh token was used before")
}
