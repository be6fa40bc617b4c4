// Sockets of one loop that hear the same messages. A frame is encoded once; what a turn of the loop
// produced is written to each member with one system call and copied for nobody but slow readers.
package import EventLoop

/// What happens to a member that reads too slowly.
package enum SlowReaderPolicy: Sendable {
    /// It is closed with 1013, reconnects and catches up by cursor. For what must not be missed.
    case close
    /// It hears nothing until it has read what waits, and then the newest frame of each key that it
    /// missed. Frames without a key are lost to it. For values of which only the newest counts.
    case conflate
}

/// A set of sockets on one loop. Used on its thread only.
package final class Room: Deferred, @unchecked Sendable {
    private let loop: EventLoop
    private let policy: SlowReaderPolicy
    private let window: Int
    private var members: [Member?] = []
    private var places: [ObjectIdentifier: Int] = [:]
    private var free: [Int] = []
    /// Frames for all who keep up, and a second buffer in turn with it.
    private var batch: [UInt8] = []
    private var spare: [UInt8] = []
    /// `sequence` before the first frame of the batch.
    private var batchStart: UInt64 = 0
    private var isScheduled = false
    /// Number of frames broadcast so far.
    private var sequence: UInt64 = 0
    private var newest: [Int: Newest] = [:]

    /// Bytes of a batch that are written without waiting for the end of the turn.
    private static let batchBytes = 65_536

    private struct Member {
        let socket: WebSocketConnection
        /// The `sequence` up to which it has heard everything; `nil` while it keeps up.
        var heard: UInt64?
    }

    private struct Newest {
        var sequence: UInt64
        var frame: SharedFrame
    }

    /// - Parameter window: bytes that may wait for a member before the policy applies.
    package init(loop: EventLoop, policy: SlowReaderPolicy, window: Int = 262_144) {
        self.loop = loop
        self.policy = policy
        self.window = window
    }

    /// Number of members.
    package var count: Int { places.count }

    /// Adds a socket, which from now on hears what is broadcast and leaves by itself when it closes.
    /// - Parameter replaying: whether it first gets the newest frame of each key, oldest first.
    package func join(_ socket: WebSocketConnection, replaying: Bool = false) {
        if socket.stream.isClosed || places[ObjectIdentifier(socket)] != nil { return }
        // What is waiting was said before the newcomer came.
        flush()
        let place = free.popLast() ?? members.count
        if place == members.count { members.append(nil) }
        members[place] = Member(socket: socket)
        places[ObjectIdentifier(socket)] = place
        socket.rooms.append(self)
        if replaying { catchUp(socket, after: 0) }
    }

    package func leave(_ socket: WebSocketConnection) {
        guard let place = places.removeValue(forKey: ObjectIdentifier(socket)) else { return }
        members[place] = nil
        free.append(place)
        socket.rooms.removeAll { $0 === self }
    }

    /// Sends a frame to all members at the end of the turn, or earlier when much has come together.
    /// - Parameter key: names the value that the frame carries. A `conflate` room keeps the newest
    ///   frame of each key until `forget`.
    package func broadcast(_ frame: SharedFrame, key: Int? = nil) {
        advance()
        if let key, policy == .conflate {
            newest[key] = Newest(sequence: sequence, frame: frame)
        }
        if places.isEmpty { return }
        batch.append(contentsOf: frame.bytes)
        schedule()
    }

    /// Sends a text, given as its UTF-8, to all members without making a frame of its own for it.
    package func broadcast(text bytes: UnsafeRawBufferPointer) {
        advance()
        if places.isEmpty { return }
        FrameEncoder.append(.text, bytes, to: &batch)
        schedule()
    }

    private func advance() {
        if batch.isEmpty { batchStart = sequence }
        sequence += 1
    }

    private func schedule() {
        if batch.count >= Self.batchBytes {
            flush()
        } else if !isScheduled {
            isScheduled = true
            loop.atEndOfTurn(self)
        }
    }

    /// Drops the newest frame of a key that means nothing any more.
    package func forget(key: Int) { newest[key] = nil }

    package func endOfTurn() {
        isScheduled = false
        flush()
    }

    private func flush() {
        if batch.isEmpty { return }
        var frames = spare
        spare = []
        swap(&frames, &batch)
        let start = batchStart
        frames.withUnsafeBytes { bytes in
            // A member that turns out to be gone leaves a hole behind, so positions stay.
            for place in members.indices {
                guard let member = members[place], member.heard == nil else { continue }
                write(bytes, from: start, to: member.socket, at: place)
            }
        }
        if frames.capacity <= 4 * Self.batchBytes {
            frames.removeAll(keepingCapacity: true)
            spare = frames
        }
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer, from start: UInt64, to socket: WebSocketConnection,
        at place: Int
    ) {
        if socket.outgoingBytes <= window || socket.waitingBytes() <= window {
            // Who is in several rooms gets the frames of all in one system call at the turn's end.
            socket.write(bytes, atOnce: socket.rooms.count == 1)
            return
        }
        switch policy {
        case .close: socket.closeAsTooSlow()
        case .conflate: members[place]?.heard = start
        }
    }

    /// A member has read everything.
    func drained(_ socket: WebSocketConnection) {
        guard let place = places[ObjectIdentifier(socket)], let heard = members[place]?.heard
        else { return }
        // What it missed includes the batch.
        flush()
        members[place]?.heard = nil
        catchUp(socket, after: heard)
    }

    private func catchUp(_ socket: WebSocketConnection, after heard: UInt64) {
        let missed = newest.values.filter { $0.sequence > heard }
        for item in missed.sorted(by: { $0.sequence < $1.sequence }) {
            item.frame.bytes.withUnsafeBytes { socket.write($0, atOnce: false) }
        }
    }
}

/// One room over all loops, for those who do not care where a socket lives.
package final class Broadcaster: Sendable {
    private let rooms: [(loop: EventLoop, room: Room)]

    /// - Parameter loops: those of the HTTP server, in the order of their index.
    package init(loops: [EventLoop], policy: SlowReaderPolicy, window: Int = 262_144) {
        rooms = loops.map { ($0, Room(loop: $0, policy: policy, window: window)) }
    }

    /// Adds a socket; call on its loop.
    package func join(_ socket: WebSocketConnection, replaying: Bool = false) {
        rooms[socket.loop.index].room.join(socket, replaying: replaying)
    }

    /// Call on the socket's loop.
    package func leave(_ socket: WebSocketConnection) {
        rooms[socket.loop.index].room.leave(socket)
    }

    /// The room of one loop; used on its thread only.
    package func room(on loop: EventLoop) -> Room { rooms[loop.index].room }

    /// Sends a frame to all members on all loops. Callable from any thread; frames of one thread
    /// arrive in order.
    package func broadcast(_ frame: SharedFrame, key: Int? = nil) {
        for (loop, room) in rooms { loop.execute { room.broadcast(frame, key: key) } }
    }
}
