"""Which tables come with the package: one for every game that it can be asked for, and no other."""

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
"""What is learnt again by the tests; all but the first at night."""
MOST_BYTES = 3_000_000
"""All of them together."""


@cache
def wanted() -> dict[tuple[str, int], Configuration]:
    """A configuration for each set of rules and number of players: some say the same in other words."""
    found: dict[tuple[str, int], Configuration] = {}
    for configuration in CONFIGURATIONS:
        found.setdefault((configuration.program.rules_hash, configuration.players), configuration)
    return found


def there() -> dict[Path, WorthFile | None]:
    """The files in the package, and what they say."""
    return {file: decode(file.read_bytes()) for file in sorted(tables.SHIPPED.glob(f"*{tables.SUFFIX}"))}


def file_of(program: Program) -> Path:
    """The table of a game."""
    (file,) = tables.SHIPPED.glob(f"*{tables._end(program)}")
    return file


def missing(among: Iterable[Configuration] | None = None) -> list[Configuration]:
    """The configurations without a table that fits."""
    known = {(kept.rules, kept.players): kept for kept in there().values() if kept is not None}
    asked = wanted() if among is None else {(own.program.rules_hash, own.players): own for own in among}
    return [own for key, own in asked.items() if key not in known or not known[key].fits(own.program)]


def needless(*, everything: bool = False) -> list[Path]:
    """The files of which nobody asks for the rules any more, or that cannot be read; or simply all."""
    return [
        file
        for file, kept in there().items()
        if everything or kept is None or (kept.rules, kept.players) not in wanted() or file.name != tables.name_of(kept)
    ]
