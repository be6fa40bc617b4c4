// A queue with constant-time ends. An array's removeFirst moves everything; pipelines are hundreds
// of entries deep.

/// First in, first out, in a ring that doubles when full.
struct FIFO<Element> {
    private var ring: [Element?] = Array(repeating: nil, count: 16)
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    var first: Element? { count == 0 ? nil : ring[head] }

    mutating func append(_ element: Element) {
        if count == ring.count { grow() }
        ring[(head + count) & (ring.count - 1)] = element
        count += 1
    }

    @discardableResult
    mutating func removeFirst() -> Element? {
        guard count > 0 else { return nil }
        defer {
            ring[head] = nil
            head = (head + 1) & (ring.count - 1)
            count -= 1
        }
        return ring[head]
    }

    /// Calls `body` for each element from the oldest on.
    func forEach(_ body: (Element) -> Void) {
        for offset in 0..<count {
            if let element = ring[(head + offset) & (ring.count - 1)] { body(element) }
        }
    }

    /// Removes the first element that matches, keeping the order of the others. Linear.
    mutating func removeFirst(where matches: (Element) -> Bool) -> Element? {
        var found: Element?
        var kept = FIFO()
        while let element = removeFirst() {
            if found == nil && matches(element) { found = element } else { kept.append(element) }
        }
        self = kept
        return found
    }

    /// Empties the queue and returns what it held, oldest first.
    mutating func removeAll() -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        while let element = removeFirst() { elements.append(element) }
        return elements
    }

    private mutating func grow() {
        var larger: [Element?] = Array(repeating: nil, count: ring.count * 2)
        for offset in 0..<count { larger[offset] = ring[(head + offset) & (ring.count - 1)] }
        ring = larger
        head = 0
    }
}
