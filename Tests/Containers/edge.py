"""A client of the edge for load and races: HTTP/1.1 over connections that it keeps, Python's own library only."""
import asyncio
import json
import os
import uuid


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    def json(self):
        return json.loads(self.body)


class Broken(Exception):
    """No whole answer came."""


class Edge:
    def __init__(self, port, patience=20):
        self.port = port
        self.patience = patience
        self.idle = []

    async def send(self, method, path, token=None, body=None, key=None, headers=None):
        """Sends one request once. Raises Broken when no answer came."""
        try:
            return await asyncio.wait_for(
                self._exchange(method, path, token, body, key, headers or {}), self.patience)
        except asyncio.TimeoutError:
            raise Broken(f"no answer within {self.patience} s")
        except (OSError, asyncio.IncompleteReadError, ValueError) as error:
            raise Broken(f"{type(error).__name__}: {error}")

    async def _exchange(self, method, path, token, body, key, headers):
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
        if token:
            lines.append(f"Authorization: Bearer {token}")
        if key:
            lines.append(f"Idempotency-Key: {key}")
        lines += [f"{name}: {value}" for name, value in headers.items()]
        content = b"" if body is None else json.dumps(body).encode()
        if body is not None:
            lines.append("Content-Type: application/json")
        if method in ("POST", "PUT"):
            lines.append(f"Content-Length: {len(content)}")
        if self.idle:
            reader, writer = self.idle.pop()
        else:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
            head = await reader.readuntil(b"\r\n\r\n")
            status_line, *fields = head.decode("latin-1").split("\r\n")[:-2]
            fields = {name.lower(): value.strip() for name, value in (f.split(":", 1) for f in fields)}
            status = int(status_line.split(" ")[1])
            if fields.get("transfer-encoding") == "chunked":
                answer = b""
                while size := int(await reader.readuntil(b"\r\n"), 16):
                    answer += (await reader.readexactly(size + 2))[:-2]
                await reader.readexactly(2)
            else:
                bodiless = method == "HEAD" or status in (204, 304)
                length = 0 if bodiless else int(fields.get("content-length", 0))
                answer = await reader.readexactly(length)
        except BaseException:
            writer.close()
            raise
        if fields.get("connection") == "close":
            writer.close()
        else:
            self.idle.append((reader, writer))
        return Answer(status, fields, answer)

    def close(self):
        for _, writer in self.idle:
            writer.close()
        self.idle = []


class User:
    def __init__(self, session, password):
        self.id = session["user"]["id"]
        self.email = session["user"].get("email")
        self.token = session["accessToken"]
        self.refresh_token = session["refreshToken"]
        self.password = password


async def sign_up(edge, count):
    """So many new users, one after the other: each costs the service a password hash."""
    users = []
    for number in range(count):
        name = uuid.uuid4().hex[:12]
        answer = await edge.send("POST", "/v1/auth/users", key=f"sign-up-{name}", body={
            "email": f"{name}@example.com", "password": "a long password", "nickname": f"rider {number}"})
        if answer.status != 201:
            raise SystemExit(f"sign-up answered {answer.status}: {answer.body.decode()}")
        users.append(User(answer.json(), "a long password"))
    return users


def edge_port():
    return int(os.environ.get("EDGE_PORT", "8080"))


def in_hours(hours):
    from datetime import datetime, timedelta, timezone
    return (datetime.now(timezone.utc) + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")


def party(title, seats=4):
    return {
        "title": title, "seats": seats, "departsAt": in_hours(2),
        "origin": {"name": "강남역", "latitude": 37.4979, "longitude": 127.0276},
        "destination": {"name": "Incheon Airport T1", "latitude": 37.4493, "longitude": 126.4512}}
