"""Watching files: again at every save, and then some games that show what a change of the rules does."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from draftengine.api.ruleset import Ruleset

PAUSE = 0.2
"""Seconds between two looks at the files: looking costs nothing, and works on every file system."""

GAMES = 200
BOT = "greedy"
SEED = 1


def watch(paths: Iterable[str], check: Callable[[], None]) -> None:
    """Call `check` after every change of a YAML file beside these files; goes on until it is interrupted.

    After a change of the rules of a card set without errors, games of it and of its last form without errors are played
    with the same seeds, and what differs is written to standard output.
    """
    names = list(paths)
    rules = {name: _rules(name) for name in names}
    seen = _stamps(names)
    sys.stdout.write("Watching; Ctrl-C ends it.\n")
    sys.stdout.flush()
    while True:
        time.sleep(PAUSE)
        now = _stamps(names)
        if now == seen:
            continue
        seen = now
        sys.stdout.write(f"\n{time.strftime('%H:%M:%S')}\n")
        check()
        sys.stdout.flush()
        for name in names:
            fresh = _rules(name)
            old = rules[name]
            if fresh is not None and old is not None and fresh.fingerprint != old.fingerprint:
                for line in _effects(old, fresh):
                    sys.stdout.write(f"{line}\n")
                sys.stdout.flush()
            rules[name] = fresh or old


def _stamps(names: Iterable[str]) -> dict[Path, tuple[int, int]]:
    """When the YAML files in the folders of these files were written, and how long they are."""
    found = {}
    for folder in {Path(name).resolve().parent for name in names}:
        for path in folder.glob("*.y*ml"):
            try:
                stat = path.stat()
            except OSError:  # it went away in between
                continue
            found[path] = (stat.st_mtime_ns, stat.st_size)
    return found


def _rules(name: str) -> Ruleset | None:
    """The rules of a file, if it has no errors at this moment."""
    from draftengine.api.errors import SelectionError
    from draftengine.api.ruleset import rules_named
    from draftengine.library import CardSetError, NoSuchCardSetError

    try:
        return rules_named(name)
    except (CardSetError, NoSuchCardSetError, SelectionError):
        return None


def _effects(old: Ruleset, new: Ruleset) -> Iterable[str]:
    """What the change does to the points of each rule and seat, in as many games as take a moment."""
    from draftengine.api.errors import SelectionError
    from draftengine.library import CardSetError
    from draftengine.simulation.compare import compare
    from draftengine.simulation.pairs import Pair
    from draftengine.simulation.task import Task

    players = new.usual_players
    try:
        games = [rules.game(players) for rules in (old, new)]
    except (CardSetError, SelectionError):
        return
    bots = (BOT,) * players
    tasks = [Task(game, bots, SEED, 0, GAMES, "reference", logged=True, rows=True) for game in games]
    found = compare(Pair(*tasks), precision=0.001)
    if found.interrupted:
        raise KeyboardInterrupt
    yield f"What this does in {found.games} games of {players} {BOT} bots (seed {SEED}), before and after:"
    told = [own for own in found.effects if own.certain and own.kind != "card"]
    for own in told[:12]:
        low, high = own.ci95
        yield f"  {own.label:<34} {own.a:8.2f} → {own.b:8.2f}   {own.difference:+.2f} ({low:+.2f} to {high:+.2f})"
    if not told:
        yield "  Nothing that so few games can tell for certain."
