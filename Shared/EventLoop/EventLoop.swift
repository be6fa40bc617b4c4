// One thread, one epoll set, and every Swift task that belongs to it. Connections, timers and database sockets of a loop
// are touched only by its thread, so nothing on the request path takes a lock.
import CLinux
import Glibc
import Synchronization

/// A single-threaded epoll loop that is also the executor of the tasks started on it.
///
/// Start handlers with `Task(executorPreference: loop)`; they and everything they await resume on the loop's thread.
/// `Task {}` and `Task.detached` leave it and do not belong into handlers.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    /// The position of the loop among those of the process, from 0. Per-loop state is indexed by it.
    package let index: Int
    /// Nanoseconds that the last turn spent between two waits; what a new event may have to wait.
    package private(set) var lastTurnNanoseconds: UInt64 = 0

    /// Monotonic nanoseconds at the start of this turn: good enough for deadlines and cheaper than a clock call.
    package private(set) var turnBegan: UInt64 = linux_monotonic_nanoseconds()
    /// Where every read of this loop's streams lands first. Valid until the next read.
    package let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)

    private let epoll: Int32
    private let wakeup: Int32
    private var watchers: [Watcher?] = []
    private var generations: [UInt32] = []
    private var events: UnsafeMutablePointer<epoll_event>
    private static let eventsPerTurn = 256

    private var localJobs: [UnownedJob] = []
    private var runningJobs: [UnownedJob] = []
    private var timers = TimerHeap()
    private var endOfTurn: [any Deferred] = []
    private var thread: pthread_t?
    private var running = true
    private let remote = Mutex(Remote())

    private struct Remote {
        var jobs: [UnownedJob] = []
        var bodies: [@Sendable () -> Void] = []
        var signalled = false
    }

    /// - Throws: `SystemError` when the process is out of descriptors.
    package init(index: Int = 0) throws {
        self.index = index
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw SystemError("epoll_create1") }
        wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeup >= 0 else { throw SystemError("eventfd") }
        events = .allocate(capacity: Self.eventsPerTurn)
        linux_epoll_control(
            epoll, EPOLL_CTL_ADD, wakeup, EPOLLIN.rawValue, UInt64(UInt32(bitPattern: wakeup)))
    }

    deinit {
        close(epoll)
        close(wakeup)
        events.deallocate()
        scratch.deallocate()
    }

    // MARK: Running

    /// The loop whose thread this is; `nil` elsewhere.
    package static var current: EventLoop? {
        guard let pointer = linux_thread_context() else { return nil }
        return Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Whether the caller is on this loop's thread.
    package var isCurrent: Bool {
        linux_thread_context() == Unmanaged.passUnretained(self).toOpaque()
    }

    /// Runs the loop on the calling thread until `stop()`.
    package func run() {
        linux_set_thread_context(Unmanaged.passUnretained(self).toOpaque())
        defer { linux_set_thread_context(nil) }
        while running { turn() }
    }

    /// Starts a thread of its own that runs the loop.
    package func start() {
        var thread = pthread_t()
        let loop = Unmanaged.passRetained(self)
        pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, loop.toOpaque())
        pthread_detach(thread)
    }

    /// Ends `run()` after the current turn. Callable from any thread.
    package func stop() {
        execute { self.running = false }
    }

    private func turn() {
        let timeout = waitMilliseconds()
        let count = epoll_wait(epoll, events, Int32(Self.eventsPerTurn), timeout)
        turnBegan = linux_monotonic_nanoseconds()
        if count > 0 {
            for position in 0..<Int(count) { dispatch(events[position]) }
        }
        fireTimers()
        runJobs()
        while !endOfTurn.isEmpty {
            let deferred = endOfTurn
            endOfTurn.removeAll(keepingCapacity: true)
            for item in deferred { item.endOfTurn() }
            runJobs()
        }
        lastTurnNanoseconds = linux_monotonic_nanoseconds() &- turnBegan
    }

    private func waitMilliseconds() -> Int32 {
        if !localJobs.isEmpty || !endOfTurn.isEmpty { return 0 }
        guard let next = timers.nextDeadline else { return -1 }
        let now = linux_monotonic_nanoseconds()
        if next <= now { return 0 }
        return Int32(min((next - now + 999_999) / 1_000_000, 60_000))
    }

    private func dispatch(_ event: epoll_event) {
        let data = withUnsafePointer(to: event) { linux_epoll_data($0) }
        let descriptor = Int(UInt32(truncatingIfNeeded: data))
        if descriptor == Int(wakeup) {
            drainWakeup()
            return
        }
        let generation = UInt32(truncatingIfNeeded: data >> 32)
        guard descriptor < watchers.count, generations[descriptor] == generation,
            let watcher = watchers[descriptor]
        else { return }
        watcher.ready(Readiness(rawValue: event.events))
    }

    private func drainWakeup() {
        var value: UInt64 = 0
        _ = Glibc.read(wakeup, &value, 8)
        let (jobs, bodies) = remote.withLock { remote in
            remote.signalled = false
            defer {
                remote.jobs.removeAll(keepingCapacity: true)
                remote.bodies.removeAll(keepingCapacity: true)
            }
            return (remote.jobs, remote.bodies)
        }
        localJobs.append(contentsOf: jobs)
        for body in bodies { body() }
    }

    private func runJobs() {
        var rounds = 0
        while !localJobs.isEmpty && rounds < 4 {
            swap(&localJobs, &runningJobs)
            for job in runningJobs {
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
            runningJobs.removeAll(keepingCapacity: true)
            rounds += 1
        }
    }

    // MARK: Work

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            localJobs.append(job)
        } else {
            remote.withLock { remote in
                remote.jobs.append(job)
                signal(&remote)
            }
        }
    }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    /// Runs `body` on the loop's thread: at once when already there, otherwise in its next turn.
    package func execute(_ body: @escaping @Sendable () -> Void) {
        if isCurrent {
            body()
        } else {
            remote.withLock { remote in
                remote.bodies.append(body)
                signal(&remote)
            }
        }
    }

    /// Starts a task whose every step runs on this loop. Callable from any thread.
    @discardableResult
    package func spawn(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: self, operation: body)
    }

    /// Reads state that belongs to this loop, from any task.
    package func read<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        if isCurrent { return body() }
        return await withCheckedContinuation { continuation in
            execute { continuation.resume(returning: body()) }
        }
    }

    private func signal(_ remote: inout Remote) {
        if remote.signalled { return }
        remote.signalled = true
        var one: UInt64 = 1
        _ = write(wakeup, &one, 8)
    }

    /// Calls `item.endOfTurn()` once when the events and jobs of this turn are done, to flush what they produced in one
    /// system call. Loop thread only.
    package func atEndOfTurn(_ item: any Deferred) {
        endOfTurn.append(item)
    }

    // MARK: Descriptors

    /// Reports readiness of the watcher's descriptor to it until `unregister`. Level-triggered. Loop thread only.
    package func register(_ watcher: Watcher, for interest: Readiness) {
        let descriptor = Int(watcher.descriptor)
        while watchers.count <= descriptor {
            watchers.append(nil)
            generations.append(0)
        }
        generations[descriptor] &+= 1
        watchers[descriptor] = watcher
        control(EPOLL_CTL_ADD, descriptor, interest)
    }

    /// Changes what is reported. Loop thread only.
    package func update(_ watcher: Watcher, for interest: Readiness) {
        control(EPOLL_CTL_MOD, Int(watcher.descriptor), interest)
    }

    /// Ends reporting; call before closing the descriptor. Loop thread only.
    package func unregister(_ watcher: Watcher) {
        let descriptor = Int(watcher.descriptor)
        guard descriptor < watchers.count, watchers[descriptor] === watcher else { return }
        watchers[descriptor] = nil
        control(EPOLL_CTL_DEL, descriptor, [])
    }

    private func control(_ operation: Int32, _ descriptor: Int, _ interest: Readiness) {
        let data = UInt64(generations[descriptor]) << 32 | UInt64(descriptor)
        linux_epoll_control(epoll, operation, Int32(descriptor), interest.rawValue, data)
    }

    // MARK: Timers

    /// Nanoseconds of the monotonic clock.
    package static var now: UInt64 { linux_monotonic_nanoseconds() }

    /// Calls `body` on the loop once `deadline` (monotonic nanoseconds) has passed, to about a millisecond. Loop thread
    /// only.
    @discardableResult
    package func schedule(at deadline: UInt64, _ body: @escaping () -> Void) -> LoopTimer {
        let timer = LoopTimer(deadline: deadline, body: body)
        timers.insert(timer)
        return timer
    }

    /// Calls `body` after a number of nanoseconds. Loop thread only.
    @discardableResult
    package func schedule(after nanoseconds: UInt64, _ body: @escaping () -> Void) -> LoopTimer {
        schedule(at: Self.now &+ nanoseconds, body)
    }

    private func fireTimers() {
        guard timers.nextDeadline != nil else { return }
        let now = Self.now
        while let timer = timers.removeFirst(dueAt: now) { timer.fire() }
    }
}
