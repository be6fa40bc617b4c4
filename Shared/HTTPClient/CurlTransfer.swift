// One request over libcurl: its options, what has arrived, and what became of it.
import CCurl
import EventLoop
import HTTP

/// Used on its loop's thread only.
final class CurlTransfer: @unchecked Sendable {
    var continuation: CheckedContinuation<Result<HTTPClientResponse, HTTPClientError>, Never>?
    var isCancelledEarly = false
    private(set) var handle: UnsafeMutableRawPointer?

    private let request: HTTPClientRequest
    private var lines: UnsafeMutablePointer<curl_slist>?
    private var fields: [(name: String, value: String)] = []
    private var fieldBytes = 0
    private var headIsComplete = false
    private var body: [UInt8] = []
    private var overflow: HTTPClientError?
    private var headLimit = 0

    init(_ request: HTTPClientRequest) {
        self.request = request
    }

    deinit { dispose() }

    var isFinished: Bool { continuation == nil }

    /// Answers the caller. The handle must not be with the multi handle any more.
    func finish(_ result: Result<HTTPClientResponse, HTTPClientError>) {
        dispose()
        let continuation = self.continuation
        self.continuation = nil
        continuation?.resume(returning: result)
    }

    private func dispose() {
        if let handle { curl_easy_cleanup(handle) }
        handle = nil
        curl_slist_free_all(lines)
        lines = nil
    }

    // MARK: Options

    /// - Returns: the handle, ready to be added. It refers to this object, which must outlive it.
    /// - Throws: `timedOut` when the deadline has passed, `connect` when libcurl refuses an option.
    func prepare(
        _ limits: CurlLimits, now: UInt64
    ) throws(HTTPClientError) -> UnsafeMutableRawPointer {
        guard request.deadline > now else { throw .timedOut }
        guard let handle = curl_easy_init() else { throw .connect("libcurl has no handle") }
        self.handle = handle
        headLimit = limits.headBytes
        var codes = [
            curl_allow_http_only(handle),
            curl_set_string(handle, CURLOPT_URL, request.url.description),
            curl_set_long(handle, CURLOPT_PATH_AS_IS, 1),
            curl_set_long(handle, CURLOPT_NOSIGNAL, 1),
            curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0),
            curl_set_long(handle, CURLOPT_SSL_VERIFYPEER, 1),
            curl_set_long(handle, CURLOPT_SSL_VERIFYHOST, 2),
            curl_set_long(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS),
            curl_set_long(handle, CURLOPT_PIPEWAIT, 1),
            curl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            curl_set_long(
                handle, CURLOPT_TIMEOUT_MS, Self.milliseconds(request.deadline - now)),
            curl_set_long(
                handle, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(limits.connectDeadline)),
            curl_set_long(handle, CURLOPT_FRESH_CONNECT, request.mayBeReplayed ? 0 : 1),
        ]
        if let file = limits.certificateFile {
            codes.append(curl_set_string(handle, CURLOPT_CAINFO, file))
        }
        if limits.proxy == .none { codes.append(curl_set_string(handle, CURLOPT_PROXY, "")) }
        codes += setMethodAndBody(handle)
        codes += setFields(handle)
        codes += setCallbacks(handle)
        if let refused = codes.first(where: { $0 != CURLE_OK }) {
            let reason = String(cString: curl_easy_strerror(refused))
            throw .connect("libcurl refuses an option: \(reason)")
        }
        return handle
    }

    /// Whole milliseconds, at least one: 0 would mean no limit.
    private static func milliseconds(_ nanoseconds: UInt64) -> Int {
        Int(min(nanoseconds / 1_000_000 + 1, 0x7FFF_FFFF))
    }

    private func setMethodAndBody(_ handle: UnsafeMutableRawPointer) -> [CURLcode] {
        if request.method == .head { return [curl_set_long(handle, CURLOPT_NOBODY, 1)] }
        let method = curl_set_string(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        guard request.announcesLength else { return [method] }
        // The size comes first, so that the copy may hold zeros.
        return (request.body ?? []).withUnsafeBytes { bytes in
            [
                method,
                curl_set_long(handle, CURLOPT_POSTFIELDSIZE, bytes.count),
                bytes.isEmpty
                    ? curl_set_string(handle, CURLOPT_COPYPOSTFIELDS, "")
                    : curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress),
            ]
        }
    }

    private func setFields(_ handle: UnsafeMutableRawPointer) -> [CURLcode] {
        // An empty one takes away what libcurl would add by itself.
        var texts = ["Expect:"]
        if request.announcesLength && !has("content-type") { texts.append("Content-Type:") }
        for (name, value) in request.fields {
            texts.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        for text in texts {
            guard let longer = curl_slist_append(lines, text) else { return [CURLE_OUT_OF_MEMORY] }
            lines = longer
        }
        return [curl_set_pointer(handle, CURLOPT_HTTPHEADER, lines)]
    }

    private func has(_ name: String) -> Bool {
        request.fields.contains { $0.name.lowercased() == name }
    }

    private func setCallbacks(_ handle: UnsafeMutableRawPointer) -> [CURLcode] {
        let own = Unmanaged.passUnretained(self).toOpaque()
        return [
            curl_set_pointer(handle, CURLOPT_WRITEDATA, own),
            curl_set_data_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, transfer in
                guard let bytes, let transfer else { return 0 }
                return Unmanaged<CurlTransfer>.fromOpaque(transfer).takeUnretainedValue()
                    .receivedBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
            },
            curl_set_pointer(handle, CURLOPT_HEADERDATA, own),
            curl_set_data_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, transfer in
                guard let bytes, let transfer else { return 0 }
                return Unmanaged<CurlTransfer>.fromOpaque(transfer).takeUnretainedValue()
                    .receivedLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
            },
        ]
    }

    // MARK: What arrives

    /// - Returns: the bytes taken; fewer than given ends the transfer.
    private func receivedBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard body.count + bytes.count <= request.maximumBody else {
            overflow = .bodyTooLarge
            return 0
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    /// Takes one line of a head, its end included. Each head, interim ones too, replaces the one
    /// before; trailers are not kept.
    private func receivedLine(_ bytes: UnsafeRawBufferPointer) -> Int {
        if bytes.count >= 5 && bytes.slice(0, 5).equals("HTTP/") {
            fields = []
            fieldBytes = 0
            headIsComplete = false
            return bytes.count
        }
        var line = bytes
        while let last = line.last, last == 0x0D || last == 0x0A {
            line = line.slice(0, line.count - 1)
        }
        if line.isEmpty { headIsComplete = true }
        if headIsComplete { return bytes.count }
        fieldBytes += line.count
        guard fieldBytes <= headLimit else {
            overflow = .badResponse("The head is longer than \(headLimit) bytes.")
            return 0
        }
        guard let colon = line.firstIndex(of: 0x3A) else { return bytes.count }
        fields.append((line.slice(0, colon).text, line.slice(colon + 1, line.count).trimmed.text))
        return bytes.count
    }

    /// What became of it. Call before `finish`.
    func outcome(of code: CURLcode) -> Result<HTTPClientResponse, HTTPClientError> {
        if let overflow { return .failure(overflow) }
        guard code == CURLE_OK else { return .failure(failure(code)) }
        var status = 0
        curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        guard let head = HTTPResponseHead.received(status: status, fields: fields), status >= 200
        else { return .failure(.badResponse("The head is not of HTTP.")) }
        return .success(HTTPClientResponse(head, body: body))
    }

    private func failure(_ code: CURLcode) -> HTTPClientError {
        let text = "\(request.url.origin): \(String(cString: curl_easy_strerror(code)))"
        var sent = 0
        curl_get_long(handle, CURLINFO_REQUEST_SIZE, &sent)
        switch code {
        case CURLE_OPERATION_TIMEDOUT:
            return sent == 0 && EventLoop.now < request.deadline ? .connect(text) : .timedOut
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: return .invalidRequest(text)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            return .badResponse(text)
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE:
            return .connectionClosed(mayHaveBeenProcessed: sent > 0)
        default:
            return sent == 0 ? .connect(text) : .connectionClosed(mayHaveBeenProcessed: true)
        }
    }
}
