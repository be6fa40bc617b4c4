"""What `make bench` measures, row by row; bench.sh starts it, with a PostgreSQL on core 0.

The server runs on core 0 with PostgreSQL, the load on core 1. The figure to trust is the server's CPU
time per request, since a shared machine has noisy clocks but honest accounts; it is compared with
nginx, which answers the same text in the same session, before and after.
"""

import datetime
import json
import os
import re
import subprocess
import time
import urllib.request

from processes import Server, cpu_seconds, free_port, memory_megabytes

WARM_SECONDS, SECONDS = 2, int(os.environ.get("BENCH_SECONDS", "8"))
CONNECTIONS, SOCKETS, WINDOW, IDLE_SOCKETS = 64, 100, 1024, 10_000
RELEASE = ".build/release/"
DATABASE_URL = os.environ["BENCH_DATABASE_URL"]
POSTGRES = int(os.environ["BENCH_POSTGRES_PROCESS"])
SERVICES = ["auth", "parties", "meetings", "market", "sports"]
TARGETS = {"hello": 0.75, "hello_authenticated": 0.65, "row": 0.4, "json_1kb": 0.2, "broadcast": 0.4}


def database(name):
    subprocess.run(
        ["psql", "--no-psqlrc", "--quiet", "--dbname", DATABASE_URL, "--command", f"create database {name}"], check=True)
    return DATABASE_URL.rpartition("/")[0] + "/" + name


def wrk(url, seconds, options=()):
    """Requests, requests a second, and p50 and p99 in milliseconds."""
    output = subprocess.run(
        ["taskset", "--cpu-list", "1", "wrk", "--threads", "1", "--connections", str(CONNECTIONS), "--duration",
         f"{seconds}s", "--latency", *options, url], check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise SystemExit(f"{url} did not answer well:\n{output}")
    scale = {"us": 0.001, "ms": 1, "s": 1000}

    def percentile(share):
        number, unit = re.search(rf"^\s+{share}%\s+([\d.]+)(us|ms|s)", output, re.M).groups()
        return float(number) * scale[unit]

    return {
        "requests": int(re.search(r"(\d+) requests in", output).group(1)),
        "perSecond": float(re.search(r"Requests/sec:\s+([\d.]+)", output).group(1)),
        "p50": percentile(50), "p99": percentile(99)}


def measure(server, url, options=()):
    """A row's figures; CPU in microseconds a request."""
    wrk(url, WARM_SECONDS, options)
    before, database_before = cpu_seconds(server.id), cpu_seconds(POSTGRES)
    result = wrk(url, SECONDS, options)
    result["cpu"] = (cpu_seconds(server.id) - before) / result["requests"] * 1e6
    result["postgres"] = (cpu_seconds(POSTGRES) - database_before) / result["requests"] * 1e6
    result["peak"] = memory_megabytes(server.id, "VmHWM")
    return result


def nginx():
    port, folder = free_port(), os.path.abspath(".bench")
    with open(f"{folder}/nginx.conf", "w") as file:
        file.write(f"""
            daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr warn;
            events {{ worker_connections 1024; }}
            http {{
                access_log off; keepalive_requests 1000000000; keepalive_timeout 60s; server_tokens off;
                client_body_temp_path {folder}/nginx; proxy_temp_path {folder}/nginx;
                fastcgi_temp_path {folder}/nginx; uwsgi_temp_path {folder}/nginx; scgi_temp_path {folder}/nginx;
                server {{
                    listen 127.0.0.1:{port};
                    location / {{ default_type application/json; return 200 '{{"message":"hello"}}'; }}
                }}
            }}""")
    url = f"http://127.0.0.1:{port}/"
    with Server(["nginx", "-e", "stderr", "-c", f"{folder}/nginx.conf"], ready=url) as server:
        result = measure(server, url)
        # The master only waits; the worker has the memory.
        worker = subprocess.run(["pgrep", "-P", str(server.id)], capture_output=True, text=True).stdout.split()[0]
        result["peak"] = memory_megabytes(worker, "VmHWM")
        return result


class BenchmarkServer(Server):
    """A fresh one for each row, so that its peak of memory is the row's."""

    def __init__(self, url):
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        # The rate limiter stays in the path, with a limit that the load does not reach.
        super().__init__(
            [RELEASE + "benchmark-server"],
            {"PORT": str(self.port), "HOST": "127.0.0.1", "DATABASE_URL": url, "LOOPS": "1", "LOG_LEVEL": "warning",
             "LOG_FORMAT": "json", "REQUESTS_PER_MINUTE": "1000000000"},
            ready=self.base + "/health/ready")


def scripts(token):
    """Path and options of wrk for each row."""
    def lua(name, text):
        path = f".bench/{name}.lua"
        with open(path, "w") as file:
            file.write(text)
        return ["--script", path]

    with open("Tests/Benchmarks/document.json") as file:
        document = file.read()
    return {
        "hello": ("/v1/bench/hello", []),
        "hello_authenticated": ("/v1/bench/hello-authenticated", ["--header", f"Authorization: Bearer {token}"]),
        "row": ("/v1/bench/rows/1", lua("row", """
            request = function() return wrk.format("GET", "/v1/bench/rows/" .. math.random(1, 10000)) end""")),
        "rows20": ("/v1/bench/rows?limit=20", []),
        "json_1kb": ("/v1/bench/document", lua("document", f"""
            wrk.method = "POST"; wrk.headers["Content-Type"] = "application/json"; wrk.body = [==[{document}]==]""")),
    }


def http_rows(url):
    rows = {}
    for name in ["hello", "hello_authenticated", "row", "rows20", "json_1kb"]:
        say(name)
        with BenchmarkServer(url) as server:
            with urllib.request.urlopen(server.base + "/v1/bench/token") as response:
                path, options = scripts(response.read().decode())[name]
            rows[name] = measure(server, server.base + path, options)
    return rows


def pgbench():
    """Rows a second of PostgreSQL's own client, beside it on core 0."""
    url = database("pgbench")
    subprocess.run(["pgbench", "--initialize", "--quiet", url], check=True, capture_output=True)
    output = subprocess.run(
        ["taskset", "--cpu-list", "0", "pgbench", "-M", "prepared", "-S", "-n", "-c", "8", "-T", str(SECONDS), url],
        check=True, capture_output=True, text=True).stdout
    return float(re.search(r"tps = ([\d.]+)", output).group(1))


def broadcast(server, port, path):
    """Deliveries of texts of 200 bytes to all sockets; the client is a C program on core 1."""
    client = subprocess.Popen(
        ["taskset", "--cpu-list", "1", ".bench/broadcast_client", "127.0.0.1", str(port), path, str(SOCKETS),
         "broadcast", str(WINDOW), str(WARM_SECONDS), str(SECONDS)], stdout=subprocess.PIPE, text=True)
    if client.stdout.readline().strip() != "measuring":
        raise SystemExit("The broadcast failed; the client's words are above.")
    before, own_before = cpu_seconds(server.id), cpu_seconds(client.pid)
    figures = client.stdout.readline().split()
    if len(figures) != 4:
        raise SystemExit("The broadcast broke off; the client's words are above.")
    cpu = cpu_seconds(server.id) - before
    client.wait()
    deliveries, seconds = int(figures[0]), float(figures[1])
    return {
        "perSecond": deliveries / seconds, "cpu": cpu / deliveries * 1e6, "postgres": 0.0, "p50": float(figures[2]),
        "p99": float(figures[3]), "peak": memory_megabytes(server.id, "VmHWM")}


def socketify():
    port = free_port()
    command = [".venv/socketify/bin/python", "Tests/Benchmarks/socketify_server.py"]
    with Server(command, {"PORT": str(port)}) as server:
        for _ in range(1000):
            if "listens" in open(server.log.name).read():
                return broadcast(server, port, "/broadcast")
            time.sleep(0.01)
    raise SystemExit("socketify did not start:\n" + open(server.log.name).read())


def idle_socket_bytes(url):
    """Memory of the server for a WebSocket on which nothing happens."""

    def hold(count):
        client = subprocess.Popen(
            ["taskset", "--cpu-list", "1", ".bench/broadcast_client", "127.0.0.1", str(server.port),
             "/v1/bench/broadcast", str(count), "idle"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if client.stdout.readline().strip() != "open":
            raise SystemExit("The idle sockets could not be opened; the client's words are above.")
        time.sleep(1)
        return client, memory_megabytes(server.id, "VmRSS")

    with BenchmarkServer(url) as server:
        # The first ones fill what the start has left free.
        some, before = hold(IDLE_SOCKETS // 4)
        more, after = hold(IDLE_SOCKETS)
        for client in [some, more]:
            client.stdin.close()
            client.wait()
        return (after - before) * 1024 * 1024 / IDLE_SOCKETS


def services():
    """Start to the first /health/live in milliseconds, and memory at rest, on a migrated database."""
    key = os.path.abspath(".bench/signing-key.pem")
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True, capture_output=True)
    figures = {}
    for name in SERVICES:
        port = free_port()
        environment = {
            "PORT": str(port), "HOST": "127.0.0.1", "DATABASE_URL": database(name), "SIGNING_KEY_FILE": key,
            "LOG_LEVEL": "warning"}
        base = f"http://127.0.0.1:{port}/health/"
        # The first start migrates.
        with Server([RELEASE + name], environment, base + "ready", core="0,1"):
            pass
        with Server([RELEASE + name], environment, base + "live", core="0,1") as server:
            milliseconds = server.start_milliseconds
            time.sleep(3)
            figures[name] = {"startMilliseconds": milliseconds, "restMegabytes": memory_megabytes(server.id, "VmRSS")}
    return figures


def processor():
    with open("/proc/cpuinfo") as file:
        model = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), "unknown")
    return f"{model}, {os.cpu_count()} cores"


def say(text):
    print(f"==> {text}", flush=True)


def table(result):
    """The result as Markdown."""
    lines = [
        f"{result['date']}, {result['machine']}. nginx: {result['nginx']['cpuMicroseconds']:.2f} µs a request.", "",
        "| | a second | CPU µs | PostgreSQL's | p50 ms | p99 ms | peak MB | ratio | to reach |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for row in result["rows"]:
        name = row["name"]
        ratio = result["ratioToSocketify"] if name == "broadcast" else row["ratioToNginx"]
        target = f"{TARGETS[name]:.2f}" if name in TARGETS else ""
        lines.append(
            f"| {name} | {row['requestsPerSecond']:,.0f} | {row['cpuMicroseconds']:.2f} | "
            f"{result['postgresMicroseconds'][name]:.2f} | {row['p50Milliseconds']:.2f} | {row['p99Milliseconds']:.2f} | "
            f"{row['peakMegabytes']:.1f} | {ratio:.2f} | {target} |")
    reached = result["socketify"]
    lines += [
        "", "The ratio is nginx's CPU per request to ours; of broadcast, our deliveries a second to those of socketify "
        f"({reached['requestsPerSecond']:,.0f}, {reached['cpuMicroseconds']:.2f} µs each).",
        f"`pgbench -M prepared -S -c 8` on the same core: {result['pgbenchRowsPerSecond']:,.0f} rows a second."]
    lines.append(f"An idle WebSocket: {result['idleSocketBytes']:,.0f} bytes ({IDLE_SOCKETS:,} measured; ≤ 8,192).")
    lines += ["", "| service | start, ms (≤ 300) | at rest, MB (≤ 30) |", "|---|--:|--:|"]
    for name, figures in result["services"].items():
        lines.append(f"| {name} | {figures['startMilliseconds']:.0f} | {figures['restMegabytes']:.1f} |")
    return "\n".join(lines) + "\n"


def row(name, figures, reference):
    return {
        "name": name, "requestsPerSecond": round(figures["perSecond"], 1), "cpuMicroseconds": round(figures["cpu"], 3),
        "p50Milliseconds": round(figures["p50"], 3), "p99Milliseconds": round(figures["p99"], 3),
        "peakMegabytes": round(figures["peak"], 1), "ratioToNginx": round(reference / figures["cpu"], 3)}


def main():
    url = database("bench")
    say("nginx")
    first = nginx()
    rows = http_rows(url)
    say("pgbench")
    rows_per_second = pgbench()
    say("broadcast")
    with BenchmarkServer(url) as server:
        rows["broadcast"] = broadcast(server, server.port, "/v1/bench/broadcast")
    say("socketify")
    reference = socketify()
    say("idle sockets")
    idle = idle_socket_bytes(url)
    say("services")
    started = services()
    say("nginx again")
    last = nginx()
    nginx_figures = {key: (first[key] + last[key]) / 2 for key in first}
    result = {
        "date": datetime.date.today().isoformat(), "machine": processor(),
        "rows": [row(name, figures, nginx_figures["cpu"]) for name, figures in rows.items()],
        "nginx": row("nginx", nginx_figures, nginx_figures["cpu"]),
        "nginxMicroseconds": [round(first["cpu"], 3), round(last["cpu"], 3)],
        "postgresMicroseconds": {name: round(figures["postgres"], 3) for name, figures in rows.items()},
        "socketify": row("socketify", reference, nginx_figures["cpu"]),
        "ratioToSocketify": round(rows["broadcast"]["perSecond"] / reference["perSecond"], 3),
        "pgbenchRowsPerSecond": rows_per_second, "idleSocketBytes": idle, "services": started}
    with open(".bench/latest.json", "w") as file:
        json.dump(result, file, indent=2)
        file.write("\n")
    text = table(result)
    with open(".bench/latest.md", "w") as file:
        file.write(text)
    print("\n" + text)


main()
