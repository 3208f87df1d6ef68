"""Watching files: again at every save, and then some games that show what a change of the rules does."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from draftengine.api.ruleset import Ruleset
    from draftengine.studies.compare.compare import ComparisonResult

PAUSE = 0.2
"""Seconds between two looks at the files: looking costs nothing, and works on every file system."""

GAMES = 200
BOT = "greedy"
SEED = 1


def watch(paths: Iterable[str], check: Callable[[], None]) -> None:
    """Call `check` after every change of a YAML file beside these files; goes on until it is interrupted.

    After a change of the rules of a card set without errors it is said what was changed since its last form without
    errors, games of both are played with the same seeds, and what they tell is written to standard output.
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
    stamps = {}
    for folder in {Path(name).resolve().parent for name in names}:
        for path in folder.glob("*.y*ml"):
            try:
                stat = path.stat()
            except OSError:  # it went away in between
                continue
            stamps[path] = (stat.st_mtime_ns, stat.st_size)
    return stamps


def _rules(name: str) -> Ruleset | None:
    """The rules of a file, if it has no errors at this moment."""
    from draftengine.api.errors import SelectionError
    from draftengine.api.ruleset import rules_named
    from draftengine.model.library.library import CardSetError, NoSuchCardSetError

    try:
        return rules_named(name)
    except (CardSetError, NoSuchCardSetError, SelectionError):
        return None


def _effects(old: Ruleset, new: Ruleset) -> Iterator[str]:
    """What was changed, in the words of the game, and what that does in as many games as take a moment.

    If nothing comes of it for the usual number of players, it is tried with the fewest and the most: what was changed
    may be an exception for them.
    """
    from draftengine.apps.cli.diff import told
    from draftengine.apps.cli.simulating import conclusions

    yield from told(old, new)
    for players in dict.fromkeys((new.usual_players, *new.players)):
        compared = _compared(old, new, players)
        if compared is None:
            continue
        if compared.interrupted:
            raise KeyboardInterrupt
        if any(effect.difference for effect in compared.effects) or players == new.players[1]:
            yield from conclusions(_said(compared, players))
            return


def _compared(old: Ruleset, new: Ruleset, players: int) -> ComparisonResult | None:
    """Games of both forms with the same seeds; ``None`` if one of them is not for so many players."""
    from draftengine.api.errors import SelectionError
    from draftengine.model.library.library import CardSetError
    from draftengine.studies.compare.compare import compare
    from draftengine.studies.compare.pairs import PairTask
    from draftengine.studies.runner.task import Task

    try:
        games = [rules.game(players) for rules in (old, new)]
    except (CardSetError, SelectionError):
        return None
    tasks = [Task(game, (BOT,) * players, SEED, 0, GAMES, "reference", logged=True, rows=True) for game in games]
    return compare(PairTask(*tasks), precision=0.001)


def _said(compared: ComparisonResult, players: int) -> Iterator[str]:
    from draftengine.studies.compare.conclusions import sentences
    from draftengine.studies.simulation.caveats import caveat

    yield f"In {compared.games} games of {players} {BOT} bots with the same seeds (with 95 % for all of it together):"
    yield from sentences(compared, "the old rules", "the new rules")
    yield caveat([BOT])
