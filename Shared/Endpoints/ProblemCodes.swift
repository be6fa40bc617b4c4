// The codes every service shares. Few on purpose: one more only where a caller would branch on it.

extension Problem.Code {
    // MARK: The request cannot be read

    /// 400: the request is not well formed.
    public static let badRequest = Self("bad_request", status: 400, title: "Bad request")
    /// 400: the body is not JSON (RFC 8259).
    public static let malformedJSON = Self(
        "malformed_json", status: 400, title: "The body is not valid JSON")
    /// 422: a field that is needed is missing; `field` names it.
    public static let missingField = Self(
        "missing_field", status: 422, title: "A required field is missing")
    /// 422: a field has a value that it cannot have; `field` names it.
    public static let invalidField = Self(
        "invalid_field", status: 422, title: "A field has an invalid value")
    /// 413: the body is larger than the service takes.
    public static let payloadTooLarge = Self(
        "payload_too_large", status: 413, title: "The body is too large")
    /// 415: the body is not of a type the service reads.
    public static let unsupportedMediaType = Self(
        "unsupported_media_type", status: 415, title: "The content type is not supported")
    /// 426: the path speaks another protocol, such as WebSocket.
    public static let upgradeRequired = Self(
        "upgrade_required", status: 426, title: "Another protocol is required here")

    // MARK: The caller

    /// 401: wrong credentials.
    public static let unauthorized = Self(
        "unauthorized", status: 401, title: "The credentials are not accepted")
    /// 401: no access token came with the request.
    public static let accessTokenMissing = Self(
        "access_token_missing", status: 401, title: "An access token is required")
    /// 401: the access token was good and has expired; refresh it and try again.
    public static let accessTokenExpired = Self(
        "access_token_expired", status: 401, title: "The access token has expired")
    /// 401: the access token is not one of ours; refreshing does not help.
    public static let accessTokenInvalid = Self(
        "access_token_invalid", status: 401, title: "The access token is not valid")
    /// 403: the caller is known and may not do this.
    public static let forbidden = Self("forbidden", status: 403, title: "Not allowed")
    /// 429: too many requests; `Retry-After` says when to come back.
    public static let rateLimited = Self(
        "rate_limited", status: 429, title: "Too many requests")

    // MARK: The resource

    /// 404: there is no such thing, or the caller may not know of it.
    public static let notFound = Self("not_found", status: 404, title: "Not found")
    /// 405: the path exists with other methods; `Allow` names them.
    public static let methodNotAllowed = Self(
        "method_not_allowed", status: 405, title: "Method not allowed")
    /// 409: the request contradicts the present state.
    public static let conflict = Self(
        "conflict", status: 409, title: "The request conflicts with the present state")
    /// 409: the idempotency key came before with another request.
    public static let idempotencyKeyReused = Self(
        "idempotency_key_reused", status: 409,
        title: "The idempotency key was used for another request")
    /// 409: the same request is being handled; ask again for its answer.
    public static let requestInProgress = Self(
        "request_in_progress", status: 409, title: "The same request is being handled")
    /// 410: it existed and is gone for good.
    public static let gone = Self("gone", status: 410, title: "No longer available")

    // MARK: The service

    /// 500: a fault of ours; the log has the rest under the request's id.
    public static let `internal` = Self(
        "internal", status: 500, title: "Something went wrong on our side")
    /// 503: something the service needs is not available now; try again later.
    public static let unavailable = Self(
        "unavailable", status: 503, title: "Temporarily unavailable")
    /// 504: the work did not end within its deadline.
    public static let timedOut = Self(
        "timed_out", status: 504, title: "The request took too long")
}
