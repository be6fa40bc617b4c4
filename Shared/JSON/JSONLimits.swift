// The bounds a document must keep. They are checked while scanning, before anything is built from
// the input, so that a hostile document costs no more than reading its bytes once.

/// The bounds of a JSON document, checked when it is read; `maxDepth` also when it is written.
public struct JSONLimits: Sendable, Equatable {
    /// The deepest `maxDepth` that is honoured. Types decode themselves recursively, so that depth
    /// is stack: 1024 levels fit a thread of 8 MB with room to spare.
    public static let deepest = 1024

    /// How many arrays and objects may be open at once, 1...`deepest`.
    public var maxDepth: Int {
        didSet { maxDepth = Self.clamped(maxDepth, to: Self.deepest) }
    }

    /// The length of the longest document, in bytes, 1...2^31-1.
    public var maxBytes: Int {
        didSet { maxBytes = Self.clamped(maxBytes, to: Int(Int32.max)) }
    }

    /// Limits; values outside their range are moved to its nearer end.
    public init(maxDepth: Int = 64, maxBytes: Int = 16 << 20) {
        self.maxDepth = Self.clamped(maxDepth, to: Self.deepest)
        self.maxBytes = Self.clamped(maxBytes, to: Int(Int32.max))
    }

    private static func clamped(_ value: Int, to most: Int) -> Int {
        min(max(value, 1), most)
    }
}
