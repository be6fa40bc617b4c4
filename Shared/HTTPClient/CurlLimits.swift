// Every bound of outbound requests over libcurl and why it is where it is.

/// Bounds and trust of a `CurlHTTPClient`. Durations are nanoseconds.
package struct CurlLimits: Sendable {
    /// Requests under way from one loop; more are refused at once. Providers limit us far earlier.
    package var transfers = 256
    /// Connections to one host from one loop; requests beyond wait in libcurl within their deadline.
    package var connectionsPerHost = 16
    /// Connections of one loop, unused ones included.
    package var connections = 64
    /// To look up, connect and agree on TLS. Providers may be on the other side of the world.
    package var connectDeadline: UInt64 = 5_000_000_000
    /// Bytes of names and values of a response head.
    package var headBytes = 32_768
    /// A file of certificates (PEM) to trust instead of the system's.
    package var certificateFile: String?
    /// Where requests go first. `environment` is what HTTPS_PROXY, NO_PROXY and their like say.
    package var proxy = Proxy.environment

    package enum Proxy: Sendable {
        case environment, none
    }

    package init() {}
}
