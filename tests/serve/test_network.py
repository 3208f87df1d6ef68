"""Delayed, reordered, repeated and lost messages and server crashes, against a serial model (R16).

Nothing depends on timing: one random generator decides which message arrives next, which connection breaks, and when
the server ends. The game must always equal its entries, played in series.
"""

from __future__ import annotations

import asyncio
import json
from random import Random

import pytest
from msgspec.structs import replace

import draftengine as de
from conftest import NIGHTLY
from draftengine.apps.web import RefusedError, protocol
from draftengine.apps.web.catalogue import head_of
from draftengine.apps.web.hub import TableServer
from draftengine.apps.web.live import Client
from draftengine.apps.web.messages import story_shown
from draftengine.apps.web.sockets import Sockets
from draftengine.apps.web.storage.engines import SqliteStorage
from draftengine.apps.web.storage.writer import StorageWriter
from draftengine.apps.web.table import Table
from loops import in_a_loop
from serve.harness import AT_ONCE

SEEDS = 250 if NIGHTLY else 1
"""The number of games for each number of seats."""
SETTINGS = replace(AT_ONCE, clock=lambda: 0.0, seeds=lambda: ("s", "t"))


class Inline(StorageWriter):
    """Storage that answers at once, so that only chance decides the order of events."""

    async def _run(self, method, *arguments):
        return method(*arguments)


def hub_over(path):
    """Return a table server over a file."""
    own = TableServer(SqliteStorage(path), SETTINGS)
    own.disk = Inline(own.storage)
    return own


class Person:
    """A person who chooses at random, and repeats requests without an answer."""

    def __init__(self, seat, token):
        self.seat, self.token = seat, token
        self.connection = None
        self.shown = None
        self.story, self.told, self.number = [], 0, -1
        self.sent, self.answered = {}, {}
        """Requests by key, and the numbers with which they were acknowledged."""

    def hear(self, text):
        message = json.loads(text)
        if message["type"] == "table":
            self.shown = message
            assert [own["n"] for own in message["story"]] == sorted({own["n"] for own in message["story"]})
            assert all(own["n"] >= self.told for own in message["story"]), "something was told twice"
            self.story += message["story"]
            self.told, self.number = message["told"], message["decision"][0]
        elif message["type"] == "done":
            before = self.answered.setdefault(message["key"], message["at"])
            assert before == message["at"], "the same request was acknowledged as two"
        elif message["code"] in {"late", "nothing-to-take-back"}:
            self.answered.setdefault(message["key"], None)
        else:
            pytest.fail(f"an honest client was refused: {message}")

    def next_request(self, chance):
        """Return the next request, which is the oldest unanswered one if there is any; or None."""
        open_keys = [key for key in self.sent if key not in self.answered]
        if open_keys:
            return self.sent[open_keys[0]]
        if not self.shown or "game" not in self.shown or self.seat not in self.shown["game"]["waiting"]:
            return None
        game, key = self.shown["game"], f"{self.seat}-{len(self.sent)}"
        decision = self.shown["decision"]
        if game["chosen"]:
            if chance.random() > 0.2:
                return None
            message = {"type": "withdraw", "key": key, "decision": decision}
        else:
            move = next((own["move"] for own in _shuffled(game["options"]["options"], chance) if own["whole"]), None)
            assert move is not None
            message = {"type": "choose", "key": key, "decision": decision, "move": move}
        self.sent[key] = message
        return message


def _shuffled(options, chance):
    return chance.sample(options, len(options))


class Network:
    """Connections of people to one server, which can crash and restart over its file."""

    def __init__(self, path, players, chance):
        self.path, self.players, self.chance = path, players, chance
        self.hub = hub_over(path)
        self.sockets = Sockets(self.hub)
        self.up = []
        """Messages on their way to the server, as (connection, text)."""

    async def settle(self):
        """Let the server finish what it has begun."""
        for _ in range(30):
            await asyncio.sleep(0)

    async def connect(self, person):
        self.cut(person)
        self.live = await self.hub.live(self.table)
        person.connection = Client(self.live.table.seat_of(person.token), person.told, person.number)
        await self.hub.enter(self.live, person.connection)

    def cut(self, person):
        """Cut a connection: messages to the person are lost; those to the server may still arrive."""
        if person.connection is not None:
            self.hub.leave(self.live, person.connection)
            person.connection = None

    async def deliver(self, at):
        """Deliver one message to the server; with some probability it stays, to arrive again."""
        client, text = self.up[at] if self.chance.random() < 0.2 else self.up.pop(at)
        message = protocol.read(text)
        try:
            await self.sockets._heard(self.live, client, message)
        except RefusedError as error:
            client.send({"type": "refused", "key": message["key"], "code": error.code, "message": str(error)})

    async def restart(self, people):
        """Crash the server at any point, and start another one over its file."""
        for person in people:
            person.connection = None
        self.up.clear()
        self.hub._closed = self.hub.disk._closed = True
        for task in list(self.hub._tasks):
            task.cancel()
        self.hub.storage._base.close()
        self.hub = hub_over(self.path)
        self.sockets = Sockets(self.hub)

    async def step(self, people):
        """Let chance decide the next event."""
        person, dice = self.chance.choice(people), self.chance.random()
        if person.connection is None:
            await self.connect(person)
        elif dice < 0.01:
            await self.restart(people)
        elif dice < 0.07:
            self.cut(person)
        elif dice < 0.35 and self.up:
            await self.deliver(self.chance.randrange(len(self.up)))
        elif dice < 0.40 and self.up:
            self.up.pop(self.chance.randrange(len(self.up)))
        elif dice < 0.70 and person.connection._waiting:
            person.hear(person.connection._waiting.popleft())
        else:
            message = person.next_request(self.chance)
            if message is not None and len(self.up) < 8 * len(people):
                self.up.append((person.connection, json.dumps({"v": 1, **message})))
        if self.chance.random() < 0.5:
            await self.settle()


async def played(path, players, chance):
    """Play a whole game over a bad network; return its kept table, and the people."""
    own = Network(path, players, chance)
    seats = [{"kind": "person", "name": f"Player {seat}"} for seat in range(players)]
    wanted = {"seats": seats, "hints": True, "effects": True, "memory": True}
    own.table, tokens = await own.hub.create(head_of(de.load("sushi_go", players=players)), wanted)
    people = [Person(seat, tokens[seat]) for seat in range(players)]
    await own.connect(people[0])
    await own.sockets._heard(own.live, people[0].connection, {"v": 1, "type": "start", "key": "start"})
    while not (own.live.table.state is not None and own.live.table.state.over):
        await own.step(people)
    for person in people:
        await own.connect(person)
        while person.connection._waiting:
            person.hear(person.connection._waiting.popleft())
    kept = own.hub.storage.take(own.table, 0.0)
    own.hub.storage._base.close()
    return kept, people


def one_after_another(game, entries):
    """Return the state after the last choices of all seats before each reveal, played in series."""
    moves, chosen = [], {}
    for entry in entries:
        if entry["kind"] == "choose":
            chosen[entry["seat"]] = entry["move"]
        elif entry["kind"] == "withdraw":
            del chosen[entry["seat"]]
        elif entry["kind"] == "reveal":
            moves += sorted(chosen.items())
            chosen = {}
    return game.replay("s", moves)


@pytest.mark.parametrize("players", [2, 3, 4, 5] if NIGHTLY else [3])
@pytest.mark.web
def test_a_bad_network_changes_nothing(players, tmp_path):
    """Acknowledged requests happen exactly once, and everybody gets the whole story once."""
    for seed in range(SEEDS):
        kept, people = in_a_loop(played(tmp_path / f"{seed}.sqlite", players, Random(f"{players}/{seed}")))
        table = Table.of("t", kept.head, kept.entries)
        assert one_after_another(table.game, kept.entries).digest == table.state.digest
        keys = [(entry["by"], entry["key"]) for entry in kept.entries if "key" in entry]
        assert len(keys) == len(set(keys)), "a request happened twice"
        for person in people:
            done = {key: at for key, at in person.answered.items() if at is not None and key != "start"}
            assert all(kept.entries[at - 1]["key"] == key for key, at in done.items()), "an acknowledged one was lost"
            assert person.story == story_shown(table, person.seat, 0)
