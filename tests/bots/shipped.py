"""The shipped worth tables that should exist: one for every game with shipped rules, and no other."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from draftengine.bots.worth import tables
from draftengine.bots.worth.kept import decode
from engine.configurations import CONFIGURATIONS, Configuration

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from draftengine.bots.worth.kept import WorthFile
    from draftengine.engine.program import Program

SAMPLE = ("sushi_go-2p", "anniversary-3p-sushi_golf", "party_cutthroat-5p", "sushi_draft-4p")
"""Configurations that tests learn again; by day only the first."""
MOST_BYTES = 3_000_000
"""Limit for all tables together."""


@cache
def wanted() -> dict[tuple[str, int], Configuration]:
    """Return one configuration for each pair of rules and number of players.

    Some selections give equal rules.
    """
    found: dict[tuple[str, int], Configuration] = {}
    for configuration in CONFIGURATIONS:
        found.setdefault((configuration.program.rules_hash, configuration.players), configuration)
    return found


def there() -> dict[Path, WorthFile | None]:
    """Return the table files of the package with their contents; None if one cannot be read."""
    return {file: decode(file.read_bytes()) for file in sorted(tables.SHIPPED.glob(f"*{tables.SUFFIX}"))}


def file_of(program: Program) -> Path:
    """Return the table file of a game."""
    (file,) = tables.SHIPPED.glob(f"*{tables._end(program)}")
    return file


def missing(among: Iterable[Configuration] | None = None) -> list[Configuration]:
    """Return the configurations without a table that fits."""
    known = {(kept.rules, kept.players): kept for kept in there().values() if kept is not None}
    asked = wanted() if among is None else {(own.program.rules_hash, own.players): own for own in among}
    return [own for key, own in asked.items() if key not in known or not known[key].fits(own.program)]


def needless(*, everything: bool = False) -> list[Path]:
    """Return the table files that no configuration needs or that cannot be read; or all of them."""
    return [
        file
        for file, kept in there().items()
        if everything or kept is None or (kept.rules, kept.players) not in wanted() or file.name != tables.name_of(kept)
    ]
