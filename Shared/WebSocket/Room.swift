// Sockets of one loop that hear the same messages. A frame is encoded once; what a turn of the loop produced is written to
// each member with one system call and copied for nobody but slow readers.
package import EventLoop

/// What happens to a member that reads too slowly.
package enum SlowReaderPolicy: Sendable {
    /// Closed with 1013; it reconnects and catches up by cursor. For what must not be missed.
    case close
    /// Left out until it has caught up; then `Room.caughtUp` sends it the present state. For values of which only the newest
    /// counts.
    case skip
}

/// A set of sockets on one loop. Used on its thread only.
package final class Room: Deferred, @unchecked Sendable {
    private let loop: EventLoop
    private let policy: SlowReaderPolicy
    private let window: Int
    private var members: [WebSocketConnection?] = []
    private var places: [ObjectIdentifier: Int] = [:]
    private var free: [Int] = []
    private var lagging: Set<ObjectIdentifier> = []
    private var batch: [UInt8] = []
    private var isScheduled = false
    /// Sends the present state to a member that was left out. Called when it has read everything.
    package var caughtUp: ((WebSocketConnection) -> Void)?

    /// - Parameter window: bytes that may wait for a member before the policy applies.
    package init(loop: EventLoop, policy: SlowReaderPolicy, window: Int = 262_144) {
        self.loop = loop
        self.policy = policy
        self.window = window
    }

    /// Number of members.
    package var count: Int { places.count }

    package func join(_ socket: WebSocketConnection) {
        // What is waiting was said before the newcomer came.
        flush()
        guard places[ObjectIdentifier(socket)] == nil else { return }
        let place = free.popLast() ?? members.count
        if place == members.count { members.append(socket) } else { members[place] = socket }
        places[ObjectIdentifier(socket)] = place
    }

    package func leave(_ socket: WebSocketConnection) {
        guard let place = places.removeValue(forKey: ObjectIdentifier(socket)) else { return }
        members[place] = nil
        free.append(place)
        lagging.remove(ObjectIdentifier(socket))
    }

    /// Sends a frame made by `FrameEncoder` to all members at the end of the turn.
    package func broadcast(_ frame: [UInt8]) {
        batch.append(contentsOf: frame)
        schedule()
    }

    /// Encodes a text and sends it to all members at the end of the turn.
    package func broadcast(text bytes: UnsafeRawBufferPointer) {
        FrameEncoder.append(.text, bytes, to: &batch)
        schedule()
    }

    private func schedule() {
        if isScheduled { return }
        isScheduled = true
        loop.atEndOfTurn(self)
    }

    package func endOfTurn() {
        isScheduled = false
        flush()
    }

    private func flush() {
        if batch.isEmpty { return }
        let frames = batch
        batch.removeAll(keepingCapacity: true)
        frames.withUnsafeBytes { bytes in
            for socket in members {
                guard let socket else { continue }
                write(bytes, to: socket)
            }
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to socket: WebSocketConnection) {
        let waiting = socket.outgoingBytes
        if waiting <= window {
            if lagging.isEmpty || !lagging.contains(ObjectIdentifier(socket)) {
                socket.write(bytes)
            }
            return
        }
        switch policy {
        case .close: socket.close(.tryAgainLater, "reading too slowly")
        case .skip: lagging.insert(ObjectIdentifier(socket))
        }
    }

    /// Tell the room when a member has read everything (`WebSocketDelegate.drained`).
    package func drained(_ socket: WebSocketConnection) {
        guard lagging.remove(ObjectIdentifier(socket)) != nil else { return }
        caughtUp?(socket)
    }
}
