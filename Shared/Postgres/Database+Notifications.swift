// Listening to channels, by callback on a loop or as a stream.
import EventLoop
import Synchronization

extension Database {
    /// Events that a slow reader of a stream may leave unread.
    package static let unreadEventLimit = 4096

    /// Calls `handler` on a loop for each event of a channel: the caller's own loop, from elsewhere
    /// the first.
    ///
    /// Callable from any thread. The connection is shared by all channels of the loop.
    /// - Precondition: the channel's name has 1 to 63 bytes.
    package func listen(
        _ channel: String, _ handler: @escaping @Sendable (ChannelEvent) -> Void
    ) -> Subscription {
        precondition((1...63).contains(channel.utf8.count), "channel names have 1 to 63 bytes")
        let pool = poolForCaller
        let number = Self.nextSubscription.add(1, ordering: .relaxed).newValue
        pool.loop.execute { pool.listener.subscribe(channel, number, handler) }
        return Subscription(listener: pool.listener, channel: channel, number: number)
    }

    private static let nextSubscription = Atomic(0)

    /// The events of a channel as a stream, which ends the subscription when it is dropped.
    ///
    /// A reader that falls behind by `unreadEventLimit` loses the oldest and finds a `.listening`
    /// where it has to read the state again.
    package func events(of channel: String) -> AsyncStream<ChannelEvent> {
        let limit = AsyncStream<ChannelEvent>.Continuation.BufferingPolicy
            .bufferingNewest(Self.unreadEventLimit)
        return AsyncStream(bufferingPolicy: limit) { continuation in
            let subscription = listen(channel) { event in
                if case .dropped = continuation.yield(event) { continuation.yield(.listening) }
            }
            continuation.onTermination = { _ in subscription.cancel() }
        }
    }
}
