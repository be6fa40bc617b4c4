// Runs a libcurl multi handle on the loop: libcurl says which sockets and which instant it waits for,
// and is told when they are due.
import CCurl
import EventLoop

/// Used on its loop's thread only. Its watchers keep it alive until `shutDown`.
final class CurlEngine: @unchecked Sendable {
    private let loop: EventLoop
    private let limits: CurlLimits
    private let multi: UnsafeMutableRawPointer
    private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var watchers: [Int32: CurlSocket] = [:]
    private var timer: LoopTimer?
    private var isShutDown = false

    /// Once for the process, before any handle.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init(loop: EventLoop, limits: CurlLimits) throws(HTTPClientError) {
        guard Self.isReady, let multi = curl_multi_init() else {
            throw .connect("libcurl does not start")
        }
        self.loop = loop
        self.limits = limits
        self.multi = multi
        let own = Unmanaged.passUnretained(self).toOpaque()
        curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, own)
        curl_multi_set_socket_callback(multi) { _, descriptor, wanted, engine, _ in
            guard let engine else { return -1 }
            Unmanaged<CurlEngine>.fromOpaque(engine).takeUnretainedValue()
                .watch(descriptor, wanted)
            return 0
        }
        curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, own)
        curl_multi_set_timer_callback(multi) { _, milliseconds, engine in
            guard let engine else { return -1 }
            Unmanaged<CurlEngine>.fromOpaque(engine).takeUnretainedValue()
                .setTimer(milliseconds)
            return 0
        }
        curl_multi_set_long(
            multi, CURLMOPT_MAX_HOST_CONNECTIONS, limits.connectionsPerHost)
        curl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.connections)
        curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, limits.connections)
    }

    // MARK: Transfers

    func begin(_ transfer: CurlTransfer) {
        if transfer.isCancelledEarly || isShutDown {
            transfer.finish(.failure(.cancelled))
            return
        }
        guard transfers.count < limits.transfers else {
            transfer.finish(.failure(.tooManyWaiting))
            return
        }
        do throws(HTTPClientError) {
            let handle = try transfer.prepare(limits, now: EventLoop.now)
            transfers[handle] = transfer
            guard curl_multi_add_handle(multi, handle) == CURLM_OK else {
                throw .connect("libcurl takes no further request")
            }
        } catch {
            end(transfer, .failure(error))
        }
    }

    func cancel(_ transfer: CurlTransfer) {
        if transfer.isFinished {
            transfer.isCancelledEarly = true
        } else {
            end(transfer, .failure(.cancelled))
        }
    }

    private func end(
        _ transfer: CurlTransfer, _ result: Result<HTTPClientResponse, HTTPClientError>
    ) {
        if let handle = transfer.handle, transfers.removeValue(forKey: handle) != nil {
            curl_multi_remove_handle(multi, handle)
        }
        transfer.finish(result)
    }

    /// Tells libcurl what a socket is ready for, or with -1 that its timer is due.
    fileprivate func act(on descriptor: Int32, _ readiness: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(multi, descriptor, readiness, &running)
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE,
                let handle = message.pointee.easy_handle, let transfer = transfers[handle]
            else { continue }
            let code = message.pointee.data.result
            end(transfer, transfer.outcome(of: code))
        }
    }

    // MARK: What libcurl waits for

    private func watch(_ descriptor: Int32, _ wanted: Int32) {
        if wanted == CURL_POLL_REMOVE {
            if let watcher = watchers.removeValue(forKey: descriptor) { loop.unregister(watcher) }
            return
        }
        var interest: Readiness = []
        if wanted & CURL_POLL_IN != 0 { interest.insert(.readable) }
        if wanted & CURL_POLL_OUT != 0 { interest.insert(.writable) }
        if let watcher = watchers[descriptor] {
            loop.update(watcher, for: interest)
        } else {
            let watcher = CurlSocket(descriptor: descriptor, engine: self)
            watchers[descriptor] = watcher
            loop.register(watcher, for: interest)
        }
    }

    private func setTimer(_ milliseconds: Int) {
        timer?.cancel()
        timer = nil
        if milliseconds < 0 { return }
        timer = loop.schedule(after: UInt64(milliseconds) * 1_000_000) { [weak self] in
            self?.act(on: -1, 0)
        }
    }

    func shutDown() {
        if isShutDown { return }
        isShutDown = true
        for transfer in Array(transfers.values) { end(transfer, .failure(.cancelled)) }
        // From here on libcurl must not call back: it closes what it kept.
        curl_multi_set_socket_callback(multi, nil)
        curl_multi_set_timer_callback(multi, nil)
        for watcher in watchers.values { loop.unregister(watcher) }
        watchers = [:]
        timer?.cancel()
        curl_multi_cleanup(multi)
    }
}

/// A socket of libcurl's on the loop.
private final class CurlSocket: Watcher, @unchecked Sendable {
    private let engine: CurlEngine

    init(descriptor: Int32, engine: CurlEngine) {
        self.engine = engine
        super.init(descriptor: descriptor)
    }

    override func ready(_ readiness: Readiness) {
        var mask: Int32 = 0
        if readiness.contains(.readable) { mask |= CURL_CSELECT_IN }
        if readiness.contains(.writable) { mask |= CURL_CSELECT_OUT }
        if !readiness.isDisjoint(with: [.error, .hangUp]) { mask |= CURL_CSELECT_ERR }
        engine.act(on: descriptor, mask)
    }
}
