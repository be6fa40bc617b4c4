// What a loop calls. A class rather than a protocol: one virtual call an event, no existential. `open` because that is how
// Swift spells a class that another module of the package may subclass.
import CLinux
import Glibc

/// Readiness of a descriptor, as epoll reports it.
public struct Readiness: OptionSet, Sendable {
    /// Bits as epoll has them.
    public let rawValue: UInt32
    /// Bits as epoll has them.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Something arrived, the end included.
    public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    /// There is room to send.
    public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer sends no more.
    public static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
    /// Both directions are over.
    public static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
    /// The descriptor is broken.
    public static let error = Readiness(rawValue: EPOLLERR.rawValue)
}

/// Something that owns a descriptor and is told of its readiness. Subclass it; used on its loop's thread only.
open class Watcher: @unchecked Sendable {
    /// What is watched.
    public let descriptor: Int32

    /// Watches nothing until registered with a loop.
    public init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Called with what the descriptor is ready for. `hangUp` and `error` come unasked.
    open func ready(_ readiness: Readiness) {
        preconditionFailure("override ready(_:)")
    }
}

/// Work put off to the end of a turn.
package protocol Deferred: AnyObject {
    func endOfTurn()
}

/// A failed system call.
package struct SystemError: Error, CustomStringConvertible {
    package let call: String
    package let code: Int32

    package init(_ call: String, code: Int32? = nil) {
        self.call = call
        self.code = code ?? errno
    }

    package var description: String { "\(call): \(String(cString: strerror(code)))" }
}
