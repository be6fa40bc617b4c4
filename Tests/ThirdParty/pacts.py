"""Verifies pacts: pacts.py FOLDER SECRET PROVIDER=PORT...

Between pact-python and a provider stands a proxy. It brings about the states that pacts name, puts a real
service token in place of the pact's, and, to see that a change would be noticed, renames one member of an
answer. Prints "passed failed"; what failed, on standard error."""
import http.client
import json
import pathlib
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pact import Verifier


def send(port, method, path, headers=None, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.getheaders(), answer.read()
    finally:
        connection.close()


def post(port, path, value):
    status, _, body = send(port, "POST", path, {"Content-Type": "application/json"}, json.dumps(value))
    assert status == 201, (path, status, body)
    return json.loads(body)


class States:
    """What pacts may say is true beforehand."""

    def __init__(self, ports):
        self.ports = ports

    def bring_about(self, state):
        if state == "users 1 and 2 exist":
            for number in (1, 2):
                account = {"email": f"{number}@example.com", "password": "correct horse", "nickname": "미나"}
                send(self.ports["auth"], "POST", "/v1/auth/users", {"Content-Type": "application/json"},
                     json.dumps(account))
        else:
            raise ValueError(f"no state {state!r}")


def renamed(value, member):
    """The document with the member under another name; "*" is each element of a list."""
    name, rest = member[0], member[1:]
    if isinstance(value, list) and name == "*":
        return [renamed(element, rest) for element in value]
    if not isinstance(value, dict) or name not in value:
        return value
    if rest:
        return {**value, name: renamed(value[name], rest)}
    return {("renamed" if key == name else key): item for key, item in value.items()}


def members(value):
    if isinstance(value, dict):
        for name, item in value.items():
            yield (name,)
            yield from ((name, *rest) for rest in members(item))
    elif isinstance(value, list) and value:
        yield from (("*", *rest) for rest in members(value[0]))


class Proxy:
    def __init__(self, port, token, states):
        self.rename = None  # a path and the member of its successful answers
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.path == "/states":
                    return self.answer_state(json.loads(body))
                headers = {name: value for name, value in self.headers.items()
                           if name.lower() not in ("host", "content-length", "connection")}
                if "authorization" in map(str.lower, headers):
                    headers = {name: value for name, value in headers.items() if name.lower() != "authorization"}
                    headers["Authorization"] = f"Bearer {token}"
                status, fields, answer = send(port, self.command, self.path, headers, body or None)
                if proxy.rename and self.path.split("?")[0] == proxy.rename[0] and status < 400:
                    answer = json.dumps(renamed(json.loads(answer), proxy.rename[1])).encode()
                kept = [(name, value) for name, value in fields
                        if name.lower() not in ("content-length", "connection", "date")]
                self.answer(status, kept, answer)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_one

            def answer_state(self, request):
                try:
                    if request.get("action") != "teardown" and request.get("state"):
                        states.bring_about(request["state"])
                    self.answer(200, [("Content-Type", "application/json")], b'""')
                except Exception as error:
                    self.answer(500, [], str(error).encode())

            def answer(self, status, fields, body):
                self.send_response(status)
                for name, value in fields:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def verify(file, pact, proxy):
    """None, or what pact-python said of the provider."""
    verifier = (
        Verifier(pact["provider"]["name"], host="127.0.0.1")
        .add_transport(url=proxy.url)
        .add_source(file)
        .state_handler(proxy.url + "/states", body=True)
        .set_coloured_output(enabled=False)
    )
    try:
        verifier.verify()
        return None
    except RuntimeError:
        return verifier.output(strip_ansi=True)


def main():
    folder, secret, *providers = sys.argv[1:]
    ports = {name: int(port) for name, port in (provider.split("=") for provider in providers)}
    states = States(ports)
    passed = failed = 0
    for file in sorted(pathlib.Path(folder).glob("*.json")):
        pact = json.loads(file.read_text())
        consumer, provider = pact["consumer"]["name"], pact["provider"]["name"]
        token = post(ports["auth"], "/internal/service-tokens", {"service": consumer, "secret": secret})
        proxy = Proxy(ports[provider], token["accessToken"], states)
        said = verify(file, pact, proxy)
        if said is None:
            passed += 1
        else:
            failed += 1
            print(f"FAILED: {provider} no longer does what {consumer} expects\n{said}", file=sys.stderr)
            continue
        for interaction in pact["interactions"]:
            if interaction["response"]["status"] >= 400:
                continue
            for member in members(interaction["response"]["body"]["content"]):
                if interaction["response"].get("matchingRules") is None:
                    continue
                proxy.rename = (interaction["request"]["path"], member)
                said = verify(file, pact, proxy) or ""
                proxy.rename = None
                if member[-1] in said and consumer in said:
                    passed += 1
                else:
                    failed += 1
                    print(f"FAILED: nobody noticed that {'.'.join(member)} of {provider}'s "
                          f"{interaction['description']}, which {consumer} reads, was renamed\n{said}",
                          file=sys.stderr)
    print(passed, failed)


main()
