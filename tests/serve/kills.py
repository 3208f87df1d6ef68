"""Kills servers during games, and checks that acknowledged requests are kept exactly once (R15).

``PYTHONPATH=tests python -m serve.kills --kills 100`` does so with a file of SQLite. With ``--postgres`` there are two
servers on a PostgreSQL of their own, and each continues the table of a killed one. `test_kill.py` does it a few times.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random

from draftengine.apps.web.storage.engines import SqliteStorage
from draftengine.apps.web.table import Table
from serve.harness import BOT, Process, made, opened, person


class Killing:
    """A game that survives kills of its servers, with its acknowledged requests by key."""

    def __init__(self, servers, chance):
        self.servers, self.chance = servers, chance
        self.table, tokens = made(servers[0].address, "sushi_go", [person(), BOT])
        self.token = tokens[0]
        self.acknowledged, self.killed = {}, 0

    def kill(self):
        """Make some choices at the server that holds the table, then kill and restart that server."""
        server = self.servers[self.killed % len(self.servers)]
        page = opened(server, self.table, self.token)
        assert page.shown["at"] >= max(self.acknowledged.values(), default=0), "an acknowledged choice was lost"
        if not page.game or page.game["over"]:
            self._ask(page, "start", f"{self.killed}-start")
        for number in range(self.chance.randrange(1, 5)):
            while not (page.to_choose() or page.game["over"]):
                page.until(lambda message: message["type"] == "table")
            if page.game["over"]:
                break
            key, sent = f"{self.killed}-{number}", self._choice(page)
            self._ask(page, "choose", key, **sent)
            assert page.ask("choose", key, **sent)["at"] == self.acknowledged[key], "the same request happened twice"
        if "options" in page.game:
            page.send(type="choose", key=f"{self.killed}-late", **self._choice(page))
        time.sleep(self.chance.random() / 50)
        server.kill()
        page.close()
        self.killed += 1
        server.start()

    def _choice(self, page):
        return {"decision": page.shown["decision"], "move": page.some_move(self.chance)}

    def _ask(self, page, kind, key, **more):
        answer = page.ask(kind, key, **more)
        assert answer["type"] == "done", answer
        self.acknowledged[key] = answer["at"]

    def hold(self, storage):
        """Assert that each acknowledged request was kept once, at the number that was acknowledged."""
        kept = storage.take(self.table, time.time() + 100)
        again = Table.of(self.table, kept.head, kept.entries)
        storage.let_go()
        keys = [entry["key"] for entry in kept.entries if "key" in entry]
        assert len(keys) == len(set(keys)), "a request happened twice"
        assert {key: again.done.get((0, key)) for key in self.acknowledged} == self.acknowledged


def main():
    """Kill servers as often as the command line says, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument(
        "--postgres", action="store_true", help="two servers over a PostgreSQL instead of one over SQLite"
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as left:
        path = Path(folder) / "t.sqlite"
        arguments, kind = ("--data", str(path)), SqliteStorage
        if given.postgres:
            from draftengine.apps.web.storage.engines import PostgresStorage as kind  # noqa: N813 (a class by another name)
            from serve.database import running

            path = left.enter_context(running())()
            arguments = ("--database", path)
        servers = [Process(*arguments) for _ in range(1 + given.postgres)]
        for own in servers:
            left.callback(own.kill)
        killing = Killing(servers, Random(given.kills))
        for number in range(given.kills):
            killing.kill()
            sys.stderr.write(f"\r{number + 1} of {given.kills} kills, {len(killing.acknowledged)} acknowledged ")
        for own in servers:
            own.kill()
        killing.hold(kind(path))
    sys.stdout.write(f"\n{given.kills} kills: {len(killing.acknowledged)} acknowledged requests are there, once.\n")


if __name__ == "__main__":
    main()
