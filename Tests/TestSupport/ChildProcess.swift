// Programs that tests run. None outlives the test process, however that ends.
package import Glibc
import Synchronization

/// A program run as a child.
package final class ChildProcess: Sendable {
    package let identifier: pid_t
    private let ending: Ending

    /// How a child ended, and who waits for that.
    private final class Ending: Sendable {
        let state = Mutex<(status: Int32?, waiters: [CheckedContinuation<Int32, Never>])>((nil, []))

        func record(_ status: Int32) {
            let waiters = state.withLock { state in
                state.status = status
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume(returning: status) }
        }
    }

    /// It could not be started, or ended badly.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// Starts a program.
    ///
    /// Linux kills it when the thread that started it ends, so each child has a thread of its own, which waits for it.
    ///
    /// - Parameters:
    ///   - command: a path or a name in PATH, and arguments.
    ///   - environment: all variables it gets.
    ///   - output: a file that takes its standard output and errors; `nil` for none.
    package init(
        _ command: [String], environment: [String: String], output: String? = nil
    ) throws {
        let ending = Ending()
        self.ending = ending
        let started = Handover<pid_t>()
        startThread {
            let child = Self.spawn(
                ["setpriv", "--pdeathsig", "KILL"] + command, environment, output)
            started.give(child)
            guard child > 0 else { return }
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0 && errno == EINTR {}
            // As a shell tells it: the status, or 128 and the signal.
            let signal = status & 0x7f
            ending.record(signal == 0 ? (status >> 8) & 0xff : 128 + signal)
        }
        identifier = started.take()
        guard identifier > 0 else {
            throw Failure(description: "can't run \(command.joined(separator: " "))")
        }
    }

    /// Whether it has not ended.
    package var isRunning: Bool { ending.state.withLock { $0.status == nil } }

    /// Sends a signal, unless it has ended.
    package func signal(_ number: Int32) {
        ending.state.withLock { if $0.status == nil { kill(identifier, number) } }
    }

    /// Waits for the end.
    /// - Returns: the exit status, or 128 and the number of the signal that killed it.
    package func end() async -> Int32 {
        await withCheckedContinuation { continuation in
            let status = ending.state.withLock { state in
                if state.status == nil { state.waiters.append(continuation) }
                return state.status
            }
            if let status { continuation.resume(returning: status) }
        }
    }

    /// - Parameter output: a file for standard output and errors.
    /// - Returns: the process, or -1.
    static func spawn(
        _ command: [String], _ environment: [String: String], _ output: String?
    ) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, 1, output ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let words = command.map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for word in words + variables { free(word) } }
        var child: pid_t = 0
        let code = posix_spawnp(&child, command[0], &actions, nil, words + [nil], variables + [nil])
        return code == 0 ? child : -1
    }
}

/// Passes one value from a thread to another that waits for it.
private final class Handover<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func give(_ value: Value) { self.value.withLock { $0 = value } }

    /// Starting a program takes a millisecond, so looking often is cheaper than a condition variable is long.
    func take() -> Value {
        while true {
            if let value = value.withLock({ $0 }) { return value }
            usleep(200)
        }
    }
}
