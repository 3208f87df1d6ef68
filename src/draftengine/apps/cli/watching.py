"""Watching of files: a check at each save, then games that show the effect of a rule change."""

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
"""Seconds between two looks at the files; polling is cheap and works on every file system."""

GAMES = 200
BOT = "greedy"
SEED = 1


def keep_watching(paths: Iterable[str], check: Callable[[], object]) -> None:
    """Call `check` after each change of a YAML file in the folders of these files, until interrupted.

    After a rule change in a card set without errors, the changes since its last such version are printed. Games of both
    versions are played with equal seeds, and the differences are printed, too.
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
    """Return the modification times and sizes of the YAML files in the folders of these files."""
    stamps = {}
    for folder in {Path(name).resolve().parent for name in names}:
        for path in folder.glob("*.y*ml"):
            try:
                stat = path.stat()
            except OSError:  # it was removed meanwhile
                continue
            stamps[path] = (stat.st_mtime_ns, stat.st_size)
    return stamps


def _rules(name: str) -> Ruleset | None:
    """Return the rules of a file; ``None`` if it has errors now."""
    from draftengine.api.errors import SelectionError
    from draftengine.api.ruleset import rules_named
    from draftengine.model.library.library import CardSetError, NoSuchCardSetError

    try:
        return rules_named(name)
    except (CardSetError, NoSuchCardSetError, SelectionError):
        return None


def _effects(old: Ruleset, new: Ruleset) -> Iterator[str]:
    """Yield the changes in the words of the game, then their effect in a few games.

    If they have no effect for the usual number of players, the fewest and the most are tried, as the change may concern
    only them.
    """
    from draftengine.apps.cli.diff import told
    from draftengine.apps.cli.simulating import conclusions
    from draftengine.studies.compare.report import sentences
    from draftengine.studies.simulation.words import caveat

    yield from told(old, new)
    for players in dict.fromkeys((new.usual_players, *new.players)):
        compared = _compared(old, new, players)
        if compared is None:
            continue
        if compared.interrupted:
            raise KeyboardInterrupt
        if any(effect.difference for effect in compared.effects) or players == new.players[1]:
            played = f"In {compared.games} games of {players} {BOT} bots with the same seeds"
            effects = sentences(compared, "the old rules", "the new rules")
            yield from conclusions(
                [f"{played} (with 95 % for all of it together):", *effects, str(caveat([BOT]))],
            )
            return


def _compared(old: Ruleset, new: Ruleset, players: int) -> ComparisonResult | None:
    """Compare games of both versions with equal seeds; ``None`` if one does not allow this many players."""
    from draftengine.api.errors import SelectionError
    from draftengine.model.library.library import CardSetError
    from draftengine.studies.compare.compare import PairTask, compare
    from draftengine.studies.runner.playing import Task

    try:
        games = [rules.game(players) for rules in (old, new)]
    except (CardSetError, SelectionError):
        return None
    tasks = [Task(game, (BOT,) * players, SEED, 0, GAMES, "reference", logged=True, rows=True) for game in games]
    return compare(PairTask(*tasks), precision=0.001)
