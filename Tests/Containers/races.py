"""Races through the edge between replicas: the last seat of a party, and one refresh token shown many times."""
import asyncio
import collections
import sys

from edge import Edge, edge_port, party, sign_up

ROUNDS = 5
RIDERS = 20
REFRESHES = 50
faults = 0


def check(name, holds, told):
    global faults
    faults += not holds
    print(f"  {'ok  ' if holds else 'FAIL'} {name}: {told}")


async def last_seat(edge, owner, riders, number):
    created = (await edge.send("POST", "/v1/parties", owner.token, party(f"race {number}", seats=2))).json()
    path = f"/v1/parties/{created['id']}/members"
    answers = await asyncio.gather(*(edge.send("POST", path, rider.token) for rider in riders))
    statuses = collections.Counter(answer.status for answer in answers)
    full = sum(answer.status == 409 and answer.json()["code"] == "party_full" for answer in answers)
    seen = (await edge.send("GET", f"/v1/parties/{created['id']}", owner.token)).json()
    check(f"{len(riders)} riders on the last seat, round {number}",
          sum(n for status, n in statuses.items() if status < 300) == 1
          and full == len(riders) - 1 and len(seen["members"]) == 2,
          f"{dict(statuses)}, {len(seen['members'])} members")


async def refreshes(edge, user, number):
    token = user.refresh_token
    answers = await asyncio.gather(*(
        edge.send("POST", "/v1/auth/tokens", body={"refreshToken": token}) for _ in range(REFRESHES)))
    successors = {answer.json().get("refreshToken") for answer in answers}
    statuses = collections.Counter(answer.status for answer in answers)
    check(f"{REFRESHES} refreshes of one token, round {number}",
          len(successors) == 1 and statuses == {200: REFRESHES},
          f"{dict(statuses)}, {len(successors)} successor{'s' * (len(successors) != 1)}")
    user.refresh_token = successors.pop()
    alive = await edge.send("POST", "/v1/auth/tokens", body={"refreshToken": user.refresh_token})
    check("the successor goes on", alive.status == 200, str(alive.status))
    user.refresh_token = alive.json().get("refreshToken")


async def main():
    edge = Edge(edge_port(), patience=30)
    owner, *riders = await sign_up(edge, RIDERS + 1)
    for number in range(1, ROUNDS + 1):
        await last_seat(edge, owner, riders, number)
    for number in range(1, ROUNDS + 1):
        await refreshes(edge, owner, number)
    edge.close()
    sys.exit(1 if faults else 0)


asyncio.run(main())
