"""Measure how many tables one server carries.

Usage: ``python benchmarks/serving.py --tables 200 --seconds 60``. Every table has one scripted person, who answers
after two seconds, and medium bots. The report has the times from a choice to its acknowledgement, which follows the
write to disk. It needs Linux, for the CPU time of the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from websockets.asyncio.client import connect

SEATS = [{"kind": "person", "name": "Ada"}, *[{"kind": "bot", "level": "medium"}] * 3]
THINKING = 2.0


def made(address):
    """Create a table; return its name and the token of its person."""
    body = json.dumps({"v": 1, "set": "sushi_go", "variants": [], "seats": SEATS}).encode()
    headers = {"Origin": address, "Content-Type": "application/json"}
    request = urllib.request.Request(f"{address}/api/tables", body, headers)  # noqa: S310 (our own server)
    with urllib.request.urlopen(request) as answer:  # noqa: S310 (as above)
        found = json.load(answer)
    return found["table"], found["tokens"]["0"]


async def person(address, table, token, until, took):
    """Play one game after the other."""
    url = f"{address.replace('http', 'ws')}/api/tables/{table}/play"
    async with connect(url, origin=address, max_size=1 << 22, compression=None) as socket:
        number, chosen = 0, None

        async def send(**message):
            await socket.send(json.dumps({"v": 1, **message}))

        async def answer(game, decision, key):
            await asyncio.sleep(THINKING)
            took[table, key] = time.perf_counter()
            await send(type="choose", key=key, decision=decision, move=game["options"]["options"][0]["move"])

        await send(type="hello", token=token)
        await send(type="start", key="start")
        answering = set()
        while time.perf_counter() < until:
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), 5))
            except TimeoutError:
                continue
            if message["type"] == "done" and message["key"] != "start" and (table, message["key"]) in took:
                took[table, message["key"]] = time.perf_counter() - took[table, message["key"]]
            if message["type"] != "table" or "game" not in message:
                continue
            game, decision = message["game"], message["decision"]
            if game["over"] and chosen != decision:
                chosen = decision
                await send(type="start", key=f"again {decision}")
            elif game.get("options") and chosen != decision:
                chosen, number = decision, number + 1
                answering = {own for own in answering if not own.done()}
                answering.add(asyncio.create_task(answer(game, decision, f"k{number}")))
        for own in answering:
            own.cancel()


async def measure(address, tables, seconds):
    """Play for some seconds and return the times of all acknowledgements, in milliseconds."""
    took = {}
    until = time.perf_counter() + seconds
    players = []
    for own in [made(address) for _ in range(tables)]:
        players.append(asyncio.create_task(person(address, *own, until, took)))
        await asyncio.sleep(random.random() * THINKING / tables * 2)
    await asyncio.gather(*players)
    return sorted(own * 1000 for own in took.values() if own < seconds)


def main():
    """Start a server, measure, tell."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "draftengine", "serve", "sushi_go", "--port", "0", "--connections", "10000"]
        data = str(Path(folder) / "t.sqlite")
        with subprocess.Popen([*command, "--data", data], stdout=subprocess.PIPE, text=True) as server:
            address = re.search(r"http://\S+", server.stdout.readline()).group()
            found = asyncio.run(measure(address, given.tables, given.seconds))
            spent = sum(map(int, Path(f"/proc/{server.pid}/stat").read_text("utf-8").rpartition(")")[2].split()[11:13]))
            server.terminate()
    machine = {"server_cpu_s": spent / os.sysconf("SC_CLK_TCK"), "load": os.getloadavg()[0]}
    figures = {f"p{share}": round(found[len(found) * share // 100], 1) for share in (50, 95, 99)}
    print(json.dumps({"tables": given.tables, "acknowledged": len(found), **figures, "unit": "ms", **machine}))


if __name__ == "__main__":
    main()
