"""Load through the edge at a steady rate until standard input ends; prints what was sent and what failed.

load.py RATE [idempotent]

Every kind of request goes to every service in turn. With "idempotent", only requests are sent that may be sent
again, and one that the edge answers with 503 is, as a client of the API does: after the pause it names, with the same
Idempotency-Key. Without it nothing is ever sent twice.
"""
import asyncio
import collections
import itertools
import sys
import time
import uuid

from edge import Broken, Edge, edge_port, party, sign_up

ATTEMPTS = 4


class Load:
    def __init__(self, edge, users, league, idempotent):
        self.edge = edge
        self.users = itertools.cycle(users)
        self.refreshing = users[0]
        self.refresh = asyncio.Lock()
        self.league = league
        self.idempotent = idempotent
        self.sent = collections.Counter()
        self.failed = collections.Counter()
        self.repeated = 0
        self.longest = 0
        self.faults = []

    def kinds(self):
        """Method, path, body, key, status expected; the services in turn."""
        reads = [
            ("GET", "/v1/auth/me", None, None, 200),
            ("GET", "/v1/market/coins?limit=3", None, None, 200),
            ("GET", "/v1/meetings", None, None, 200),
            ("GET", "/v1/sports/leagues?limit=3", None, None, 200),
            ("GET", "/v1/parties/map?west=127&south=37.4&east=127.1&north=37.6&zoom=14", None, None, 200),
        ]
        keyed = [
            ("POST", "/v1/meetings", {"title": "with a key"}, "key", 201),
            ("POST", "/v1/parties", party("with a key"), "key", 201),
            ("PUT", f"/v1/sports/follows/{self.league}", None, None, 204),
            ("GET", "/v1/auth/jwks", None, None, 200),
            ("GET", "/v1/market/coins?limit=1", None, None, 200),
        ]
        bare = [
            ("POST", "/v1/meetings", {"title": "without a key"}, None, 201),
            ("POST", "/v1/parties", party("without a key"), None, 201),
            ("POST", "/v1/auth/tokens", "refresh", None, 200),
            ("DELETE", f"/v1/sports/follows/{self.league}", None, None, 204),
        ]
        return reads + keyed + ([] if self.idempotent else bare)

    async def one(self, kind):
        method, path, body, key, expected = kind
        if body == "refresh":
            # The next refresh needs what this one gives.
            async with self.refresh:
                answer = await self.attempt(
                    method, path, {"refreshToken": self.refreshing.refresh_token}, None, expected, None)
                if answer:
                    self.refreshing.refresh_token = answer.json()["refreshToken"]
            return
        user = next(self.users)
        await self.attempt(method, path, body, key and uuid.uuid4().hex, expected, user.token)

    async def attempt(self, method, path, body, key, expected, token):
        service = path.split("/")[2]
        self.sent[f"{method} {service}"] += 1
        began = time.monotonic()
        fault = ""
        for number in range(ATTEMPTS if self.idempotent else 1):
            if number:
                self.repeated += 1
            try:
                answer = await self.edge.send(method, path, token, body, key)
                if answer.status == expected:
                    self.longest = max(self.longest, time.monotonic() - began)
                    return answer
                fault = f"{answer.status} {answer.body.decode(errors='replace')[:300]}"
                if answer.status != 503:
                    break
                await asyncio.sleep(float(answer.headers.get("retry-after", 1)))
            except Broken as error:
                fault = str(error)
        self.failed[f"{method} {service}"] += 1
        self.faults.append(f"{time.strftime('%H:%M:%S')} {method} {path}: {fault}")
        return None


async def main():
    rate = float(sys.argv[1])
    edge = Edge(edge_port())
    users = await sign_up(edge, 4)
    leagues = await edge.send("GET", "/v1/sports/leagues?limit=1")
    load = Load(edge, users, leagues.json()["items"][0]["id"], "idempotent" in sys.argv)
    ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print("running", flush=True)
    kinds = itertools.cycle(load.kinds())
    tasks = set()
    began = time.monotonic()
    number = 0
    while not ended.done():
        task = asyncio.create_task(load.one(next(kinds)))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        number += 1
        await asyncio.sleep(max(0, began + number / rate - time.monotonic()))
    seconds = time.monotonic() - began
    await asyncio.gather(*tasks)
    edge.close()
    for fault in load.faults[:20]:
        print(f"  {fault}")
    for name in sorted(load.sent):
        print(f"  {name}: {load.sent[name]} sent, {load.failed[name]} failed")
    sent, failed = load.sent.total(), load.failed.total()
    print(f"sent {sent}, failed {failed} ({sent / seconds:.0f}/s for {seconds:.0f} s, "
          f"{load.repeated} sent again by the client, slowest {load.longest:.2f} s)")
    sys.exit(1 if failed or not sent else 0)


asyncio.run(main())
