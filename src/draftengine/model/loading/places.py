"""Zones with copies, such as four rows, and counters that each copy has.

    zones: {row: {copies: 4, holds: 5, fits: closed == 0}}
    counters: {closed: {per: row, max: 1}}

The copies are zones with the names ``row_1`` to ``row_4``. In formulas and steps about one copy, ``row`` means that
copy (see `draftengine.model.language.macros`).
"""

from __future__ import annotations

from itertools import chain
from math import prod
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.language.macros import PLAYERS, WITH_CARDS, Board, Naming, Places, Track
from draftengine.model.language.parse import FormulaError, parse
from draftengine.model.records.reader import Reader
from draftengine.model.records.record import default_label
from draftengine.model.yaml.tree import Scalar, Sequence, below, entries_of
from draftengine.support.identity import by_identity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.yaml.tree import Mapping, Node

COPIES = "copies"
_EACH_PLAYER = "players"
NAMING = ("choose", "find")
"""The verbs that can name a place, card or player."""
_WITH_STEPS = ("setup", "round", "finish", "cards", "triggers")
"""The sections of a card set with steps in them."""


def player_range(root: Mapping) -> tuple[int, int]:
    """Return the fewest and the most players of a tree (``players: 2-5`` or ``players: 3``)."""
    return Reader(root, "").range("players") or (1, 1)


def board_of(reader: Reader) -> Board:
    """Return the markers, zones and copies of a game."""
    fewest, most = player_range(reader.node)
    zones = [*reader.each("zones")]
    counters = tuple((name, counter.word("per")) for name, counter in reader.each("counters"))
    places = tuple((name, _places(name, zone, fewest, most, counters)) for name, zone in zones if zone.has(COPIES))
    parts = (entry.value for entry in reader.node.entries if entry.key.text in _WITH_STEPS)
    given = dict.fromkeys(chain.from_iterable(map(_namings, parts)))
    board = Board(
        markers=tuple(name for name, _ in reader.each("markers")),
        shared=("deck", "discard", *(name for name, zone in zones if zone.word("per", "table") == "table")),
        places=places,
        counters=tuple((name, per) for name, per in counters if per in dict(places)),
        namings=tuple(
            naming if naming.of in PLAYERS or naming.of in dict(places) else replace(naming, is_card=True)
            for naming in given
            if naming.of in {*PLAYERS, *WITH_CARDS, *(name for name, _ in zones)}
        ),
        players=most,
        tracks=tuple(
            Track(
                name,
                ahead=counter.word("track"),
                start=counter.int("start"),
                low=counter.int("min"),
                high=counter.optional_int("max"),
            )
            for name, counter in reader.each("counters")
            if counter.has("track")
        ),
    )
    taken = dict.fromkeys(("deck", *WITH_CARDS), "zone")
    for kind, section in (("zone", "zones"), ("counter", "counters")):
        for name, _ in reader.each(section):
            taken |= dict.fromkeys((name, *(copy for copy, _ in copies_of(board, name))), kind)
    clashes = {naming.name: taken[naming.name] for naming in given if naming.name in taken}
    return replace(
        board,
        namings=tuple(naming for naming in board.namings if naming.name not in clashes),
        clashes=tuple(clashes.items()),
    )


@by_identity(1 << 10)
def _namings(node: Node) -> tuple[Naming, ...]:
    """Return the names that the steps in a part of the tree give."""
    if isinstance(node, Sequence):
        return tuple(chain.from_iterable(map(_namings, node.items)))
    given: list[Naming] = []
    for entry in entries_of(node):
        given += _namings(entry.value)
        if entry.key.text in NAMING:
            name, of = (below(entry.value, (key,)) for key in ("name", "of"))
            if isinstance(name, Scalar) and isinstance(of, Scalar):
                given.append(Naming(str(name.value), str(of.value)))
    return tuple(given)


def _places(name: str, zone: Reader, fewest: int, most: int, counters: tuple[tuple[str, str], ...]) -> Places:
    """Return the copies of a zone. `counters` has all counters, each with whose it is.

    Each copy has the least number of players with which it is used, or 0 if it is always used.
    """
    counts = {players: zone.int(COPIES) for players in range(fewest, most + 1)}
    table = zone.ints(COPIES)
    if table:
        counts = dict.fromkeys(counts, prod(table))
    elif zone.word(COPIES) == _EACH_PLAYER:
        counts = {players: players for players in counts}
    elif by_players := dict(zone.numbers(COPIES)):
        counts = {players: by_players.get(str(players), 1) for players in counts}
    copies = []
    for copy in range(1, max(counts.values()) + 1):
        needed = min(players for players, count in counts.items() if count >= copy)
        copies.append((f"{name}_{copy}", 0 if needed == fewest else needed))
    try:
        fits = parse(zone.word("fits")) if zone.has("fits") else None
    except FormulaError:  # this is reported where the zone is read
        fits = None
    label = zone.texts("label") or default_label(name)
    mine = tuple(counter for counter, per in counters if per == name)
    return Places(tuple(copies), zone.optional_int("holds"), fits, table[-1] if table else 0, label, mine)


def copies_of(board: Board, name: str) -> Iterator[tuple[str, int]]:
    """Yield the name and number of each copy of a zone or counter. Without copies, yield its name and 0."""
    zone = name if dict(board.places).get(name) else dict(board.counters).get(name)
    if zone is None:
        yield name, 0
        return
    for copy in range(1, len(board.copies(zone)) + 1):
        yield f"{name}_{copy}", copy
