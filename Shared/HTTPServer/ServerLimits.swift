// Every bound of the server and why it is where it is.
package import HTTP

/// Bounds of one HTTP server. Durations are nanoseconds.
package struct ServerLimits: Sendable {
    /// Bytes and fields of a request head. 16 kB holds every cookie and token an app of ours sends.
    package var head = HeadLimits()
    /// Open connections a loop: 50,000 idle ones are below 100 MB.
    package var connections = 50_000
    /// From the first byte of a head to its end, absolute: dripping bytes does not extend it.
    package var headDeadline: UInt64 = 10_000_000_000
    /// From the end of the head to the end of the body, absolute, before `bodyBytesPerSecond` adds to it.
    package var bodyDeadline: UInt64 = 10_000_000_000
    /// A sized body may take a second more for each of these: a photo over a slow phone link still arrives.
    package var bodyBytesPerSecond = 32_768
    /// A connection without a request. Longer than the edge keeps its own idle connections, so that it closes first.
    package var idleDeadline: UInt64 = 150_000_000_000
    /// From a response to its last byte taken by the kernel, before `bodyBytesPerSecond` adds to it;
    /// also how long the producer of a streamed response waits for its reader.
    package var writeDeadline: UInt64 = 30_000_000_000
    /// Bytes a client may pipeline ahead while a request of its is handled; then reading stops.
    package var pipelinedBytes = 65_536
    /// Bytes of a streamed response that wait for a slow reader before its producer is held back.
    package var streamWindow = 65_536
    /// After a stop began: how long idle connections stay open for a request already on its way.
    package var drainIdle: UInt64 = 500_000_000
    /// After a stop began: when requests still in flight are cut.
    package var drainDeadline: UInt64 = 8_000_000_000

    package init() {}
}
