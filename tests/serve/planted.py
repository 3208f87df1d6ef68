"""Faulty bots, and a package whose entry points offer them to a server as those of other packages do.

Pages cannot ask for them; a table with one is written into the database of a server before it starts.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from draftengine.apps.web.catalogue import head_of
from draftengine.apps.web.storage.chain import hashed
from draftengine.apps.web.storage.engines import SqliteStorage
from draftengine.bots.simple import GreedyBot

POINTS = """[draftengine.bots]
raises = serve.planted:Raises
hangs = serve.planted:Hangs
dies = serve.planted:Dies
grows = serve.planted:Grows
"""
FAULTS = ("raises", "hangs", "dies", "grows")


class Raises(GreedyBot):
    """A bot that fails at every choice."""

    def decide(self, seen, stream, budget):
        """Fail with an error."""
        raise IndexError("planted")


class Hangs(GreedyBot):
    """A bot that never returns."""

    def decide(self, seen, stream, budget):
        """Wait for ever."""
        while True:
            time.sleep(1)


class Dies(GreedyBot):
    """A bot that kills its process."""

    def decide(self, seen, stream, budget):
        """Kill the own process."""
        os.kill(os.getpid(), signal.SIGKILL)


class Grows(GreedyBot):
    """A bot that asks for more memory than there is."""

    def decide(self, seen, stream, budget):
        """Allocate more memory than there is."""
        return bytearray(1 << 45)


def install(folder):
    """Write the package of these bots into a folder; return the search path for a server."""
    package = Path(folder) / "planted-1.0.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: planted\nVersion: 1.0\n", "utf-8")
    (package / "entry_points.txt").write_text(POINTS, "utf-8")
    return os.pathsep.join([str(folder), str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "src")])


def plant(path, game, level, name):
    """Write a table into a database: one person, whose token is the table's name, and bots of a level."""
    head = {"versions": {}, **head_of(game), "hints": True, "effects": True, "memory": True}
    entries = [{"kind": "sit", "seat": 0, "name": "Ada", "token": hashed(name)}]
    entries += [{"kind": "seat", "seat": seat, "to": "bot", "level": level} for seat in range(1, game.players)]
    storage = SqliteStorage(path)
    storage.create(name, head, entries, time.time())
    storage.let_go()
