// Methods and statuses as small values.

/// A request method of RFC 9110, section 9. Methods that no endpoint uses are `other`.
package enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case other = "OTHER"

    /// Case-sensitive, as the RFC says.
    package init(_ bytes: UnsafeRawBufferPointer) {
        switch bytes.count {
        case 3 where bytes.equals("GET"): self = .get
        case 3 where bytes.equals("PUT"): self = .put
        case 4 where bytes.equals("POST"): self = .post
        case 4 where bytes.equals("HEAD"): self = .head
        case 5 where bytes.equals("PATCH"): self = .patch
        case 6 where bytes.equals("DELETE"): self = .delete
        case 7 where bytes.equals("OPTIONS"): self = .options
        default: self = .other
        }
    }
}

/// The reason phrase of a status, as registered with IANA; empty for others.
package func reasonPhrase(_ status: Int) -> StaticString {
    switch status {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 419: "Authentication Timeout"
    case 422: "Unprocessable Content"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: ""
    }
}
