// A binary heap with lazy cancellation: most timers are deadlines that never fire.

/// A call that will happen at a monotonic instant unless cancelled. Used on its loop's thread only.
package final class LoopTimer {
    package let deadline: UInt64
    private var body: (() -> Void)?

    init(deadline: UInt64, body: @escaping () -> Void) {
        self.deadline = deadline
        self.body = body
    }

    /// Whether it neither fired nor was cancelled.
    package var isPending: Bool { body != nil }

    /// Drops the call and what it captured.
    package func cancel() { body = nil }

    func fire() {
        let body = self.body
        self.body = nil
        body?()
    }
}

struct TimerHeap {
    private var items: [LoopTimer] = []
    /// Number of items at which cancelled ones are dropped: twice what was left the last time, so that
    /// it costs little for each timer.
    private var sweepSize = 64

    /// Deadline of the earliest pending timer.
    var nextDeadline: UInt64? {
        mutating get {
            while let first = items.first, !first.isPending { removeRoot() }
            return items.first?.deadline
        }
    }

    mutating func insert(_ timer: LoopTimer) {
        if items.count >= sweepSize { dropCancelled() }
        items.append(timer)
        siftUp(items.count - 1)
    }

    mutating func removeFirst(dueAt now: UInt64) -> LoopTimer? {
        while let first = items.first {
            if !first.isPending {
                removeRoot()
                continue
            }
            guard first.deadline <= now else { return nil }
            removeRoot()
            return first
        }
        return nil
    }

    /// Rebuilds without cancelled timers, so that they do not pile up.
    private mutating func dropCancelled() {
        // A sorted array is a heap.
        items = items.filter(\.isPending).sorted { $0.deadline < $1.deadline }
        sweepSize = max(64, items.count * 2)
    }

    private mutating func removeRoot() {
        items.swapAt(0, items.count - 1)
        items.removeLast()
        siftDown(0)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            if items[parent].deadline <= items[child].deadline { return }
            items.swapAt(parent, child)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < items.count && items[child].deadline < items[least].deadline {
                least = child
            }
            if least == parent { return }
            items.swapAt(parent, least)
            parent = least
        }
    }
}
