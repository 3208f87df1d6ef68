"""Runs a whole server with many people and bots, hints, lost connections and killed processes.

Every table must move on soon after it is able to. Nothing acknowledged may be lost. The game of every table must equal
a replay of its entries by the public interface.

``PYTHONPATH=tests:src python -m serve.liveness --seconds 600`` runs for ten minutes. With ``--crowd`` there are forty
tables of hard bots and twenty people who ask for hints; the times of acknowledgements are printed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from random import Random

from msgspec import Struct, field
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

import draftengine as de
from conftest import NIGHTLY
from draftengine.apps.web.storage.engines import SqliteStorage
from draftengine.apps.web.table import Table
from loops import in_a_loop
from serve.planted import FAULTS, install, plant

MOVES_ON, SOME_DAY = 2.0, 8.0
"""Seconds within which a table must move on, at night and by day.

By day, browsers of other tests share the machine. Then only tables are found that wait longer than people's patience,
for instance for a bot's process, which may think for ten seconds.
"""
TIMES = 20
"""Number of times that a server wakes up for an answer, each time as late as this machine makes it."""
LEVELS = ("easy", "medium", "hard")
ALLOWED = {
    "late",
    "too-fast",
    "already-started",
    "not-your-turn",
    "busy",
    "held-elsewhere",
    "takes-too-long",
    "went-wrong",
}
"""Codes with which an honest person may be refused: too late, or worked at by a killed process."""


class Plan(Struct):
    """Plan of a run: its length, its tables, and the frequencies of disturbances."""

    seconds: float
    tables: int = 6
    """The number of tables for each level."""
    levels: tuple[str, ...] = LEVELS
    people: int = 2
    bots: int = 2
    faults: tuple[str, ...] = FAULTS
    kills: float = 2.0
    """Seconds between two kills of a process of the pool; 0 for none."""
    leave: float = 0.02
    """Probability that a person loses the connection instead of choosing."""
    hints: float = 0.3
    """Probability that a person asks for a hint before choosing."""
    thinking: float = 0.3
    """Seconds before somebody chooses."""
    warm: float = 0.0
    """Seconds for processes to start, in which choices are not timed."""


class Seen(Struct):
    """Measurements of a run."""

    took: list[float] = field(default_factory=list)
    """Seconds from each choice to its acknowledgement."""
    stood: list[tuple[float, str]] = field(default_factory=list)
    """Seconds from when a table could move on until it did, with its name."""
    acknowledged: dict[str, dict[str, int]] = field(default_factory=dict)
    """For each table, the number of entries at which a request was acknowledged, by key."""
    hints: int = 0
    opinions: int = 0
    notices: int = 0
    kills: int = 0
    lag: float = 0.0
    """Longest delay, in seconds, with which this machine woke up this process."""
    disk: float = 0.0
    """Longest time for syncing a few bytes, which a server does twice before a table moves on."""

    @property
    def longest(self) -> float:
        return max((own for own, _ in self.stood), default=0.0)

    def share(self, part: float) -> float:
        """Return the seconds within which that share of the choices was acknowledged."""
        return sorted(self.took)[int(part * (len(self.took) - 1))]


class Server:
    """A server in its own process, over a file, with its error output in another file."""

    def __init__(self, folder, path):
        self.complaints = Path(folder) / "complaints.txt"
        command = [sys.executable, "-m", "draftengine", "serve", "sushi_go", "--port", "0", "--pause", "0.2"]
        with self.complaints.open("w") as said:
            self.process = subprocess.Popen(
                [*command, "--connections", "10000", "--data", str(Path(folder) / "t.sqlite")],
                stdout=subprocess.PIPE, stderr=said, text=True, env={**os.environ, "PYTHONPATH": path},
            )  # fmt: skip
        self.address = self.process.stdout.readline().split()[-1]

    def workers(self):
        """Return the process ids of the server's pool."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(own) for own in children.read_text().split()]

    def end(self):
        self.process.terminate()
        self.process.wait(60)
        self.process.stdout.close()


def asked(address, path, data=None):
    """Send a request and return the answer of the server. It blocks."""
    body = None if data is None else json.dumps({"v": 1, **data}).encode()
    headers = {"Origin": address, "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{address}{path}", body, headers), timeout=120) as answer:  # noqa: S310 (our own server)
        return json.load(answer)


class Watch:
    """Times from when a table can move on until it does, as its first person sees it."""

    def __init__(self, table, seen):
        self.table, self.seen = table, seen
        self.able = self.decision = None

    def look(self, message):
        """Read the state of the table from a message, and check how long it took to move on."""
        game, now = message.get("game"), time.monotonic()
        if message["decision"] != self.decision:
            self.settle(now)
            self.decision = message["decision"]
        people = [at for at, own in enumerate(message["seats"]) if own["kind"] == "person"]
        able = game and not game["over"] and all(
            message["seats"][at]["chosen"] for at in people if at in game["waiting"]
        )  # fmt: skip
        if not able:
            self.able = None
        elif self.able is None:
            self.able = now

    def settle(self, now):
        if self.able is not None:
            self.seen.stood.append((now - self.able, self.table))
        self.able = None


class Person:
    """A person who chooses at random, loses connections, and repeats requests without an answer."""

    def __init__(self, plan, seen, server, table, token, seed, watch=None):
        self.plan, self.seen, self.server, self.watch = plan, seen, server, watch
        self.table, self.token, self.chance = table, token, Random(seed)
        self.name = f"{table}/{seed}"
        self.told, self.number, self.count = 0, -1, 0
        self.open = {}
        """Requests without an answer so far, each with the time at which it was sent."""

    async def play(self, until):
        self.counts_from = until - self.plan.seconds + self.plan.warm
        url = f"{self.server.address.replace('http', 'ws')}/api/tables/{self.table}/play"
        while time.monotonic() < until:
            if self.watch is not None:
                self.watch.able = None  # nothing is seen while disconnected
            with suppress(ConnectionClosed, InvalidStatus, OSError):
                async with connect(url, origin=self.server.address, max_size=1 << 23, compression=None) as socket:
                    await self._send(
                        socket, {"type": "hello", "token": self.token, "told": self.told, "number": self.number}
                    )
                    for message, _ in list(self.open.values()):
                        await self._send(socket, message)
                    await self._listen(socket, until)
            await asyncio.sleep(0.05)

    async def _send(self, socket, message):
        await socket.send(json.dumps({"v": 1, **message}))

    async def _ask(self, socket, message):
        self.count += 1
        message["key"] = f"{self.name}-{self.count}"
        self.open[message["key"]] = (message, time.monotonic())
        await self._send(socket, message)

    async def _listen(self, socket, until):
        answered = latest = None
        while time.monotonic() < until:
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), 0.5))
            except TimeoutError:
                continue
            if message["type"] == "table":
                self.told, self.number = message["told"], message["decision"][0]
                if self.watch is not None:
                    self.watch.look(message)
                latest = message
            elif message["type"] == "notice":
                self.seen.notices += 1
            else:
                self._answered(message)
            moment = (latest["decision"], latest.get("game", {}).get("over")) if latest else answered
            if moment != answered and not any(own["type"] != "hint" for own, _ in self.open.values()):
                answered = moment
                if await self._act(socket, latest):
                    return

    def _answered(self, message):
        asked_for, since = self.open.pop(message.get("key"), (None, 0.0))
        if message["type"] == "done" and asked_for is not None:
            self.seen.acknowledged.setdefault(self.table, {})[message["key"]] = message["at"]
            if asked_for["type"] == "choose" and since > self.counts_from:
                self.seen.took.append(time.monotonic() - since)
        self.seen.hints += message["type"] == "hint"
        assert message["type"] != "refused" or message["code"] in ALLOWED, message

    async def _act(self, socket, message):
        """Take one of the actions that are possible now, including leaving."""
        game = message.get("game")
        if not game or game["over"]:
            if message["seat"] == message["host"]:
                await self._ask(socket, {"type": "start"})
            return False
        if message["seat"] not in game["waiting"] or game["chosen"]:
            return False
        if self.chance.random() < self.plan.hints:
            await self._ask(socket, {"type": "hint"})
        await asyncio.sleep(self.plan.thinking * 2 * self.chance.random())
        if self.chance.random() < self.plan.leave:
            return True
        whole = [own["move"] for own in game["options"]["options"] if own["whole"]]
        await self._ask(socket, {"type": "choose", "decision": message["decision"], "move": self.chance.choice(whole)})
        return False


async def opinions(server, seen, until, chance):
    """Look at past games until the end, and ask for a bot's opinion of choices."""
    while time.monotonic() < until:
        await asyncio.sleep(1.0)
        games = await asyncio.to_thread(asked, server.address, "/api/games")
        if games:
            own = chance.choice(games)["id"]
            await asyncio.to_thread(asked, server.address, f"/api/games/{own}/replay?seat=0")
            with suppress(urllib.error.HTTPError):
                await asyncio.to_thread(
                    asked, server.address, f"/api/games/{own}/replay?seat=0&at={chance.randrange(10)}"
                )
            seen.opinions += 1


async def killing(server, plan, seen, until, chance):
    """Kill processes of the pool until the end."""
    while plan.kills and time.monotonic() < until:
        await asyncio.sleep(plan.kills + TIMES * seen.lag)  # on a slow machine, fewer kills
        if found := server.workers():
            with suppress(ProcessLookupError):
                os.kill(chance.choice(found), signal.SIGKILL)
                seen.kills += 1


async def waking(seen, until):
    """Measure until the end how late this machine wakes up a waiting process."""
    while (now := time.monotonic()) < until:
        await asyncio.sleep(0.02)
        seen.lag = max(seen.lag, time.monotonic() - now - 0.02)


async def syncing(folder, seen, until):
    """Measure until the end how long this machine takes to sync a file."""

    def sync():
        began = time.monotonic()
        with (Path(folder) / "synced").open("w") as file:
            file.write("x")
            file.flush()
            os.fsync(file.fileno())
        return time.monotonic() - began

    while time.monotonic() < until:
        seen.disk = max(seen.disk, await asyncio.to_thread(sync))
        await asyncio.sleep(0.1)


async def crowd(server, plan, seen, planted):
    """Run all people and disturbances of the plan to its end."""
    people = []
    for level in plan.levels:
        for number in range(plan.tables):
            seats = [{"kind": "person", "name": f"P{at}"} for at in range(plan.people)]
            seats += [{"kind": "bot", "level": level}] * plan.bots
            data = {"set": "sushi_go", "variants": [], "seats": seats}
            made = await asyncio.to_thread(asked, server.address, "/api/tables", data)
            watch = Watch(made["table"], seen)
            for seat, token in made["tokens"].items():
                here = watch if seat == "0" else None
                people.append(Person(plan, seen, server, made["table"], token, f"{level}-{number}-{seat}", here))
    people += [Person(plan, seen, server, own, own, "0", Watch(own, seen)) for own in planted]
    chance, until = Random(1), time.monotonic() + plan.seconds
    tasks = [own.play(until) for own in people]
    tasks += [
        killing(server, plan, seen, until, chance),
        waking(seen, until),
        syncing(server.complaints.parent, seen, until),
    ]
    if plan.kills:
        tasks.append(opinions(server, seen, until, chance))
    await asyncio.gather(*tasks)
    for own in people:
        if own.watch is not None:
            own.watch.settle(until)


def hold(path, seen):
    """Assert that every table equals a replay of its entries, with each acknowledged choice once.

    Returns the number of tables.
    """
    storage = SqliteStorage(path)
    for name, acknowledged in seen.acknowledged.items():
        kept = storage.take(name, time.time() + 100)
        table = Table.of(name, kept.head, kept.entries)
        game = de.rules_in_json(kept.head["rules"]).game(kept.head["players"])
        seed, moves, chosen = "", [], {}
        for entry in kept.entries:
            if entry["kind"] == "start":
                seed, moves, chosen = entry["seed"], [], {}
            elif entry["kind"] == "choose":
                chosen[entry["seat"]] = entry["move"]
            elif entry["kind"] == "withdraw":
                del chosen[entry["seat"]]
            elif entry["kind"] == "reveal":
                moves += sorted(chosen.items())
                chosen = {}
        assert game.replay(seed, moves).digest == table.state.digest, name
        keys = [entry["key"] for entry in kept.entries if "key" in entry]
        assert len(keys) == len(set(keys)), "a request happened twice"
        for key, at in acknowledged.items():
            assert kept.entries[at - 1].get("key") == key, "an acknowledged request was lost"
    storage.let_go()


def run(plan):
    """Carry out a plan and return the measurements. Raises `AssertionError` if a promise is broken."""
    seen = Seen()
    with tempfile.TemporaryDirectory() as folder:
        path, game = install(Path(folder) / "planted"), de.load("sushi_go", players=2)
        for level in plan.faults:
            plant(Path(folder) / "t.sqlite", game, level, f"planted-{level}")
        server = Server(folder, path)
        try:
            in_a_loop(crowd(server, plan, seen, [f"planted-{level}" for level in plan.faults]))
            said = server.complaints.read_text("utf-8")
        finally:
            server.end()
        hold(Path(folder) / "t.sqlite", seen)
    assert "Traceback" not in said, said
    assert "Error" not in said.replace("failed: IndexError", "").replace("failed: RefusedError", ""), said
    moved = {table for _, table in seen.stood}
    assert len(moved) == len(plan.levels) * plan.tables + len(plan.faults), sorted(moved)
    limit = (MOVES_ON if NIGHTLY else SOME_DAY) + TIMES * seen.lag + 4 * seen.disk
    assert seen.longest <= limit, sorted(seen.stood)[-5:]
    return seen


CROWD = Plan(
    60, tables=40, levels=("hard",), people=1, bots=3, faults=(), kills=0, leave=0, hints=0.5, thinking=2.0, warm=10
)
"""Forty tables of hard bots with one person each, who asks for a hint at half of the choices."""


def main():
    """Run the plan of the command line and print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--crowd", action="store_true")
    given = parser.parse_args()
    plan = CROWD if given.crowd else Plan(0)
    plan.seconds = given.seconds
    seen = run(plan)
    told = {
        "acknowledged": len(seen.took),
        **{f"p{share}": round(seen.share(share / 100), 3) for share in (50, 95, 99)},
    }
    told |= {
        "stood": round(seen.longest, 2),
        "moved": len(seen.stood),
        "lag": round(seen.lag, 3),
        "disk": round(seen.disk, 3),
    }
    told |= {"hints": seen.hints, "opinions": seen.opinions, "notices": seen.notices, "kills": seen.kills}
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
