// Work that would hold up a loop: a few threads and a bounded line before them.
import Glibc

/// Runs what is given to it in the order of arrival.
final class WorkLine: @unchecked Sendable {
    private struct Job {
        let id: UInt64
        let run: () -> Void
        let leave: () -> Void
    }

    private let maximumWaiting: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// The first to come is the first to go. Under the mutex, as all below.
    private var jobs: [Job] = []
    private var isClosed = false
    private var lastID: UInt64 = 0

    /// - Parameter maximumWaiting: jobs in line at most, those being done apart.
    init(threads: Int, maximumWaiting: Int) {
        precondition(threads > 0, "a line without a thread")
        self.maximumWaiting = maximumWaiting
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
        for _ in 0..<threads {
            var thread = pthread_t()
            let status = pthread_create(
                &thread, nil,
                { argument in
                    guard let argument else { return nil }
                    Unmanaged<WorkLine>.fromOpaque(argument).takeRetainedValue().work()
                    return nil
                }, Unmanaged.passRetained(self).toOpaque())
            precondition(status == 0, "no thread could be started")
            pthread_detach(thread)
        }
    }

    /// The threads hold the line, so that the last one out takes it along.
    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(condition)
        mutex.deallocate()
        condition.deallocate()
    }

    /// Ends the threads when the line is empty.
    func close() {
        locked {
            isClosed = true
            pthread_cond_broadcast(condition)
        }
    }

    /// Jobs waiting for a thread.
    var waiting: Int { locked { jobs.count } }

    /// What `body` makes on one of the threads. A task that is cancelled leaves the line; what has begun is finished.
    /// - Throws: `PasswordHasherBusy` when the line is full, `CancellationError`.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
        let id = locked {
            lastID += 1
            return lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job(
                    id: id, run: { continuation.resume(returning: body()) },
                    leave: { continuation.resume(throwing: CancellationError()) })
                let refusal: (any Error)? = locked {
                    // The handler below may have come before the job: then the task knows.
                    if Task.isCancelled { return CancellationError() }
                    if jobs.count >= maximumWaiting { return PasswordHasherBusy() }
                    jobs.append(job)
                    pthread_cond_signal(condition)
                    return nil
                }
                if let refusal { continuation.resume(throwing: refusal) }
            }
        } onCancel: {
            let job: Job? = locked {
                jobs.firstIndex { $0.id == id }.map { jobs.remove(at: $0) }
            }
            job?.leave()
        }
    }

    private func work() {
        while let job = next() { job.run() }
    }

    /// The next job; waits for it. `nil` when the line is closed.
    private func next() -> Job? {
        locked {
            while jobs.isEmpty && !isClosed { pthread_cond_wait(condition, mutex) }
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
