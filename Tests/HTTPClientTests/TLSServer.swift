// TLS servers as processes of their own, with a certificate authority made in a temporary folder.

import Foundation
import Glibc
import TestSupport

/// A running server. `stop` when done.
final class TLSServer: Sendable {
    let port: Int
    /// The file of the authority to trust.
    let authority: String
    private let process: Process
    private let folder: URL

    private init(port: Int, process: Process, folder: URL) {
        self.port = port
        self.process = process
        self.folder = folder
        authority = folder.appending(path: "ca.pem").path
    }

    func stop() {
        // A child may inherit blocked signals; this one cannot be blocked.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Python's server, which tells what it was sent.
    static func python() throws -> TLSServer {
        let folder = try makeCertificates()
        let script = folder.appending(path: "server.py")
        try pythonSource.write(to: script, atomically: true, encoding: .utf8)
        let output = Pipe()
        let process = try run("python3", [script.path], in: folder, output: output)
        var text = ""
        while !text.hasSuffix("\n") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw CocoaError(.executableLoad) }
            text += String(decoding: more, as: UTF8.self)
        }
        guard let port = Int(text.dropLast()) else { throw CocoaError(.executableLoad) }
        return TLSServer(port: port, process: process, folder: folder)
    }

    /// nginx with HTTP/2; `nil` where it is not installed.
    static func nginx() throws -> TLSServer? {
        guard let path = ["/usr/sbin/nginx", "/usr/bin/nginx"].first(where: isExecutable) else {
            return nil
        }
        let folder = try makeCertificates()
        // Taken and given back: nginx cannot say which free port it found.
        let probe = try ScriptedServer { _, _ in }
        let port = probe.port
        probe.stop()
        let configuration = folder.appending(path: "nginx.conf")
        try nginxSource(port: port, folder: folder.path)
            .write(to: configuration, atomically: true, encoding: .utf8)
        let process = try run(path, ["-p", folder.path, "-c", configuration.path], in: folder)
        let server = TLSServer(port: port, process: process, folder: folder)
        for _ in 0..<1000 where process.isRunning {
            if (try? RawSocket(port: port)) != nil { return server }
            usleep(5000)
        }
        server.stop()
        throw CocoaError(.executableLoad)
    }

    private static func isExecutable(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: path)
    }

    private static func run(
        _ name: String, _ arguments: [String], in folder: URL, output: Pipe? = nil
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.currentDirectoryURL = folder
        process.standardOutput = output ?? FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }

    private static func makeCertificates() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "madang-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let commands = """
            set -e
            curve='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
            openssl req -x509 $curve -keyout ca.key -out ca.pem -days 2 -subj /CN=Tests \
            -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
            openssl req $curve -keyout server.key -out server.csr -subj /CN=localhost
            echo subjectAltName=DNS:localhost >server.ext
            openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
            -out server.pem -extfile server.ext
            """
        let process = try run("sh", ["-c", commands], in: folder)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return folder
    }

    private static let pythonSource = """
        import http.server, ssl

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(201)
                self.send_header("X-Method", self.command)
                self.send_header("X-Path", self.path)
                sent = [self.headers.get(name, "none") for name in
                        ("X-A", "X-Empty", "Content-Type", "Expect")]
                self.send_header("X-Sent", "a=%s empty=%s type=%s expect=%s" % tuple(sent))
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("server.pem", "server.key")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    private static func nginxSource(port: Int, folder: String) -> String {
        """
        daemon off;
        master_process off;
        pid \(folder)/pid;
        error_log stderr;
        events { worker_connections 64; }
        http {
            access_log off;
            client_body_temp_path \(folder)/t1; proxy_temp_path \(folder)/t2;
            fastcgi_temp_path \(folder)/t3; uwsgi_temp_path \(folder)/t4; scgi_temp_path \(folder)/t5;
            server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(folder)/server.pem;
                ssl_certificate_key \(folder)/server.key;
                location / { return 200 $server_protocol; }
            }
        }
        """
    }
}
