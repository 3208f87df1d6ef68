"""The shipped worth tables that should exist: one for every game with shipped rules, and no other."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import draftengine as de
from draftengine.bots.net import Inputs
from draftengine.bots.net import kept as networks
from draftengine.bots.worth import tables
from draftengine.bots.worth.tables import decode, selected_in, traits_of
from draftengine.engine.encoding import ALTERNATIVES
from engine.configurations import CONFIGURATIONS, Configuration

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from draftengine.api.game import Game
    from draftengine.bots.net.kept import NetworkFile, Taught
    from draftengine.bots.worth.tables import WorthFile
    from draftengine.engine.program import Program

SAMPLE = ("sushi_go-2p", "anniversary-3p-sushi_golf", "party_cutthroat-5p", "sushi_draft-4p")
"""Configurations that tests learn again; by day only the first."""
MOST_BYTES = 3_000_000
"""Limit for all tables and networks together."""


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


# ── Networks ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def stale_networks() -> list[Path]:
    """Return the files of networks that cannot be read, or that learnt rules that are different now."""
    return [file for file in sorted(tables.SHIPPED.glob(f"*{networks.SUFFIX}")) if not _is_current(file)]


def _is_current(file: Path) -> bool:
    kept = networks.read(file)
    if kept is None or kept.name != file.name or {*kept.levels} - {*kept.players}:
        return False
    programs = [[game.program for game in games_taught(kept, each)] for each in kept.taught]
    return all(
        len(some) == len(each.players) and all(each.rules == one.rules_hash and kept.knows(Inputs(one)) for one in some)
        for each, some in zip(kept.taught, programs, strict=True)
    )


def games_taught(kept: NetworkFile, each: Taught) -> list[Game]:
    """Return the games of a selection that a network was taught, as their rules are now."""
    return [game for game in games_of(kept.cardset, each.selected) if game.players in each.players]


def unguided(among: Iterable[Configuration] | None = None) -> list[Configuration]:
    """Return the configurations with a network, if nobody has measured whether it helps a search there."""
    opinions = ((each, networks.opinion_of(each.program)) for each in among or wanted().values())
    return [
        each
        for each, opinion in opinions
        if opinion and each.players not in opinion.kept.guides.get(each.program.rules_hash, {})
    ]


def games_of(cardset: str, selected: Iterable[str]) -> list[Game]:
    """Return a selection of a card set at all numbers of players."""
    rules = de.open_rules(cardset, variants=[*selected])
    return [rules.game(players) for players in rules.possible_players]


def rules_without_network() -> list[list[Game]]:
    """Return the games of each selection that has no network and can borrow none."""
    rules = {each.program.rules_hash: (each.cardset, selected_in(each.program)) for each in wanted().values()}
    return [games for games in (games_of(*selection) for selection in rules.values()) if lacks_network(games)]


def taught_together() -> list[list[Game]]:
    """Return the games without a network, by card set and aim: those that learn one network.

    Games in which cards are taken from a layout learn alone, because their moves are places.
    A selection is left out if the others of its group have all its moves and its numbers of players: it can borrow.
    Large groups come first, because small ones may borrow from them.
    """
    groups: dict[tuple[str, str, bool], list[list[Game]]] = {}
    for games in rules_without_network():
        places = any(zone.layout for zone in games[0].program.zones)
        groups.setdefault((games[0].id, traits_of(games[0].program)[-1], places), []).append(games)
    together: list[list[Game]] = []
    for group in groups.values():
        known: set[str] = set()
        together.append([])
        for games in sorted(group, key=len, reverse=True):
            inputs = [Inputs(game.program) for game in games]
            moves = [name.split(ALTERNATIVES) for each in inputs for name in (*each.outputs, each.number)]
            if any(known.isdisjoint(names) for names in moves):
                known.update(*moves)
                together[-1] += games
    return sorted(together, key=len, reverse=True)


def lacks_network(games: Iterable[Game]) -> bool:
    """True if any of the games has no network and can borrow none."""
    return any(networks.nearest(Inputs(game.program)) is None for game in games)
