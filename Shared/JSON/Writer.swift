// The buffer a document is written to, and the containers that are open in it. There is no tree: a
// container is text from its first bracket on, closed when something is written around it. Whether
// a comma is due is read off the last byte, and the path for an error off the text written so far.

/// A document being written. One thread, one call of `JSONCoder`.
final class Writer {
    /// A container that is open, or a value that is due.
    struct Frame {
        enum Kind { case object, array, value }
        var kind: Kind
        /// Where the buffer is cut when this is closed, because its key is omitted; else -1.
        var cut: Int
        /// Where its text begins.
        var start: Int
        /// Tells this frame from an earlier one at the same height.
        var serial: UInt32
    }

    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity = 1024
    private(set) var frames: UnsafeMutablePointer<Frame>
    /// The number of open frames.
    private(set) var height = 0
    private var roomForFrames = 16
    private var depth = 0
    private var serial: UInt32 = 0
    private let maxDepth: Int
    private let omitted: Set<String>?
    /// The first failure of a call that may not throw; every call that may rethrows it.
    private(set) var failure: JSONFailure?

    init(maxDepth: Int, omitting omitted: Set<String>?) {
        base = .allocate(capacity: capacity)
        frames = .allocate(capacity: roomForFrames)
        self.maxDepth = maxDepth
        self.omitted = omitted
    }

    deinit {
        base.deallocate()
        frames.deallocate()
    }

    var bytes: [UInt8] { [UInt8](UnsafeBufferPointer(start: base, count: count)) }

    func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: base, count: count))
    }

    // MARK: Bytes

    /// Makes room for more bytes.
    @inline(__always)
    func reserve(_ more: Int) {
        if count + more > capacity { grow(more) }
    }

    @inline(never)
    private func grow(_ more: Int) {
        let larger = max(capacity * 2, count + more)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: base, count: count)
        base.deallocate()
        base = moved
        capacity = larger
    }

    @inline(__always)
    func byte(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count += 1
    }

    @inline(__always)
    func raw(_ text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress else { return }
        reserve(text.count)
        (base + count).update(from: start, count: text.count)
        count += text.count
    }

    @inline(__always)
    func raw(_ text: StaticString) {
        raw(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Text without anything that needs an escape.
    func raw(_ text: String) {
        var text = text
        text.withUTF8(raw)
    }

    /// Moves the end over bytes that the caller has put into reserved room.
    @inline(__always)
    func advance(to count: Int) {
        self.count = count
    }

    // MARK: Frames

    func open(_ kind: Frame.Kind, cut: Int = -1) {
        if height == roomForFrames {
            let moved = UnsafeMutablePointer<Frame>.allocate(capacity: roomForFrames * 2)
            moved.moveInitialize(from: frames, count: height)
            frames.deallocate()
            frames = moved
            roomForFrames *= 2
        }
        serial &+= 1
        (frames + height).initialize(
            to: Frame(kind: kind, cut: cut, start: count, serial: serial))
        height += 1
        guard kind != .value else { return }
        depth += 1
        if depth > maxDepth {
            fail(
                JSONFailure(
                    .depth, path: JSONFailure.path(path(height: height)),
                    reason: "nested more than \(maxDepth) levels deep"))
        }
        byte(kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
    }

    /// Closes what is open above a height.
    @inline(__always)
    func close(to height: Int) {
        while self.height > height { closeLast() }
    }

    private func closeLast() {
        height -= 1
        let frame = frames[height]
        switch frame.kind {
        case .object: byte(UInt8(ascii: "}"))
        case .array: byte(UInt8(ascii: "]"))
        case .value: if count == frame.start { raw("{}") }
        }
        if frame.kind != .value { depth -= 1 }
        if frame.cut >= 0 { count = frame.cut }
    }

    /// Makes an open container the innermost one again.
    @inline(__always)
    func resume(_ height: Int, _ serial: UInt32) throws {
        if self.height == height, frames[height - 1].serial == serial, failure == nil { return }
        try resumeBelow(height, serial)
    }

    private func resumeBelow(_ height: Int, _ serial: UInt32) throws {
        if let failure { throw failure }
        guard height <= self.height, frames[height - 1].serial == serial else {
            throw JSONFailure(
                .badValue, path: JSONFailure.path(path(height: self.height)),
                reason: "a container was written to after the one around it went on")
        }
        close(to: height)
    }

    func fail(_ failure: JSONFailure) {
        if self.failure == nil { self.failure = failure }
    }

    func throwFailure() throws {
        if let failure { throw failure }
    }

    // MARK: Members

    /// Writes what comes before a member's value; `false` if the member is omitted.
    @inline(__always)
    func member(_ key: String, _ height: Int, _ serial: UInt32) throws -> Bool {
        try resume(height, serial)
        if omitted != nil, height == 1, omits(key) { return false }
        separate()
        string(key)
        byte(UInt8(ascii: ":"))
        return true
    }

    /// Whether a key of the outermost object is to be left out.
    func omits(_ key: String) -> Bool {
        omitted?.contains(key) ?? false
    }

    /// The same for an element of an array.
    @inline(__always)
    func element(_ height: Int, _ serial: UInt32) throws {
        try resume(height, serial)
        separate()
    }

    /// Writes a comma unless this comes first in its container.
    @inline(__always)
    func separate() {
        let last = base[count - 1]
        if last != UInt8(ascii: "{") && last != UInt8(ascii: "[") { byte(UInt8(ascii: ",")) }
    }

    /// Opens something as the value of a key by a call that may not throw.
    func openMember(_ kind: Frame.Kind, _ key: String, _ height: Int, _ serial: UInt32) {
        do {
            try resume(height, serial)
            let before = count
            guard try member(key, height, serial) else {
                // What is written there is cut off again; it still needs a key for its path.
                separate()
                string(key)
                byte(UInt8(ascii: ":"))
                open(kind, cut: before)
                return
            }
            open(kind)
        } catch {
            refuse(error, kind)
        }
    }

    func openElement(_ kind: Frame.Kind, _ height: Int, _ serial: UInt32) {
        do {
            try element(height, serial)
            open(kind)
        } catch {
            refuse(error, kind)
        }
    }

    private func refuse(_ error: any Error, _ kind: Frame.Kind) {
        fail(error as? JSONFailure ?? JSONFailure(.badValue, reason: "\(error)"))
        open(kind)
    }

    var lastSerial: UInt32 { frames[height - 1].serial }

    // MARK: Paths

    /// The keys and places on the way to what is being written within the outer `height` frames,
    /// read off the text, which is well formed but for what is still open.
    func path(height: Int) -> [PathKey] {
        var path: [PathKey] = []
        var isKeyDue: [Bool] = []
        var place = 0
        while place < count {
            switch base[place] {
            case UInt8(ascii: "{"):
                isKeyDue.append(true)
                path.append(PathKey(stringValue: ""))
            case UInt8(ascii: "["):
                isKeyDue.append(false)
                path.append(PathKey(intValue: 0))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                isKeyDue.removeLast()
                path.removeLast()
            case UInt8(ascii: ","):
                if let index = path[path.count - 1].intValue {
                    path[path.count - 1] = PathKey(intValue: index + 1)
                } else {
                    isKeyDue[isKeyDue.count - 1] = true
                }
            case UInt8(ascii: "\""):
                let start = place + 1
                place = start
                while base[place] != UInt8(ascii: "\"") {
                    place += base[place] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard isKeyDue.last == true else { break }
                isKeyDue[isKeyDue.count - 1] = false
                let key = UnsafeBufferPointer(start: base + start, count: place - start)
                path[path.count - 1] = PathKey(
                    stringValue: String(unsafeUninitializedCapacity: key.count) {
                        unescape(key, into: $0)
                    })
            default: break
            }
            place += 1
        }
        let containers = (0..<min(height, self.height)).count { frames[$0].kind != .value }
        return Array(path.prefix(containers))
    }
}
