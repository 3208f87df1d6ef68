"""Reads what formulas can use besides plain names: definitions, families, copies of zones and so on.

There can be several copies of a zone, such as four rows, and counters that each copy has.

    zones: {row: {copies: 4, holds: 5, fits: closed == 0}}
    counters: {closed: {per: row, max: 1}}

The copies are zones with the names ``row_1`` to ``row_4``. In formulas and steps about one copy, ``row`` means that
copy (see `draftengine.model.language.macros`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from math import prod
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.cardset.records import TABLEAU, Define
from draftengine.model.language.macros import (
    ANY_CARD,
    PLAYERS,
    WITH_CARDS,
    Board,
    Definition,
    MacroScope,
    Naming,
    Places,
    Track,
    expand,
    known_again,
)
from draftengine.model.language.parse import FormulaError, parse
from draftengine.model.loading.payments import with_payments
from draftengine.model.loading.sides import most_copies
from draftengine.model.records import default_label
from draftengine.model.records.reader import Formula, Reader
from draftengine.model.yaml.tree import Scalar, Sequence, below, entries_of
from draftengine.support.identity import IdentityKey, by_identity

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping as Map

    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.yaml.tree import Key, Mapping, Node

COPIES = "copies"
COPY_OF = "copy_of"
"""The key for the card of the file in a card that is a single copy of it (see `copies_apart`)."""
_EACH_PLAYER = "players"
NAMING = ("choose", "find")
"""The verbs of steps that can give a name to a place, card or player."""
_WITH_STEPS = ("setup", "round", "finish", "cards", "triggers")
"""The sections of a card set that can contain steps."""


def player_range(root: Mapping) -> tuple[int, int]:
    """Return the fewest and the most players that a tree states (``players: 2-5`` or ``players: 3``)."""
    return Reader(root, "").range("players") or (1, 1)


def board_of(reader: Reader) -> Board:
    """Return the markers, the zones with their copies, and the names that steps give in a game."""
    fewest, most = player_range(reader.node)
    zones = [*reader.each("zones")]
    counters = tuple((name, counter.word("per")) for name, counter in reader.each("counters"))
    places = tuple((name, _places(name, zone, fewest, most, counters)) for name, zone in zones if zone.has(COPIES))
    limited = ((name, zone) for name, zone in zones if not zone.has(COPIES) and (zone.has("holds") or zone.has("fits")))
    parts = (entry.value for entry in reader.node.entries if entry.key.text in _WITH_STEPS)
    given = dict.fromkeys(chain.from_iterable(map(_namings, parts)))
    board = Board(
        markers=tuple(name for name, _ in reader.each("markers")),
        shared=("deck", "discard", *(name for name, zone in zones if zone.word("per", "table") == "table")),
        places=places,
        limited=tuple((name, replace(_places(name, zone, 1, 1, ()), copies=())) for name, zone in limited),
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
    sides = [(name, zone.word("side")) for name, zone in zones if zone.has("side")]
    board = replace(board, sides=tuple((copy, side) for name, side in sides for copy, _ in copies_of(board, name)))
    taken = dict.fromkeys(("deck", *WITH_CARDS), "zone")
    for kind, section in (("zone", "zones"), ("counter", "counters")):
        for name, _ in reader.each(section):
            taken |= dict.fromkeys((name, *(copy for copy, _ in copies_of(board, name))), kind)
    clashes = {naming.name: taken[naming.name] for naming in given if naming.name in taken}
    of_seats = [(name, zone) for name, zone in zones if zone.word("per") == "seat"]
    hidden = {name for name, zone in of_seats if not (zone.flag("counts") or zone.word("seen_by") == "everyone")}
    hidden |= {name for name, zone in zones if zone.word("seen_by") in {"nobody", "owner"}}
    seen = (copy for name, _ in zones if name not in hidden for copy, _ in copies_of(board, name))
    return replace(
        board,
        zones_of_seats=(*board.zones_of_seats, *(copy for name, _ in of_seats for copy, _ in copies_of(board, name))),
        open_zones=board.open_zones.union(seen),
        namings=tuple(naming for naming in board.namings if naming.name not in clashes),
        clashes=tuple(clashes.items()),
    )


@by_identity(1 << 10)
def _namings(node: Node) -> tuple[Naming, ...]:
    """Return the names that steps give in one part of the tree."""
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
    """Return the copies of a zone. `counters` is a list of (name, value of `per`) for all counters.

    Each copy comes with the smallest number of players in whose games it is used, or 0 if it is always used.
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
    """Yield (name, number from 1) of each copy of a zone or counter; if it has no copies, its name and 0."""
    zone = name if dict(board.places).get(name) else dict(board.counters).get(name)
    if zone is None:
        yield name, 0
        return
    for copy in range(1, len(board.copies(zone)) + 1):
        yield f"{name}_{copy}", copy


_GAMES = 8
"""The size of the cache of definitions. Most games of a document have the same ones."""
FORMULA = "is"
"""The key for the formula in a definition that is a mapping, because it has a label or a text."""
_NAMES = re.compile(r"[a-z][a-z0-9_]*")


def shorthand_of(reader: Reader) -> MacroScope:
    """Return the macros of a whole game. Mistakes in its definitions are added to the reader's findings."""
    cards = list(reader.each("cards"))
    above = families_above(reader)
    definitions, findings = _read_definitions(IdentityKey(reader.at("define").node))
    reader.findings += findings
    members: dict[str, list[str]] = {}
    for name, member in [*cards, *reader.each("families")]:
        whole = member.word(COPY_OF, name)  # copies of a card are one member of a family
        for family in member.words("family"):
            those = members.setdefault(family, [])
            those += [one] if (one := name if family == whole else whole) not in those else []
    families = {name: with_families(card.words("family"), above) for name, card in cards}
    copies = most_copies(reader, unknown=limits.COPIES)
    single: dict[str, list[str]] = {"card": []}
    """The cards with at most one copy, for each card and family, and for all cards (``card``)."""
    for name, card in cards:
        for group in ("card", name, *families[name]):
            those = single.setdefault(group, [])
            if copies[name] <= 1 and not card.has("forms"):
                those.append(name)
    counters = [(name, counter.word("per")) for name, counter in reader.each("counters")]
    on_cards = tuple((name, tuple(single[per])) for name, per in counters if per in single)
    apart = tuple((name, card.word(COPY_OF)) for name, card in cards if card.has(COPY_OF))
    short = MacroScope(
        defined=definitions,
        members={family: tuple(names) for family, names in members.items()},
        has={name: _numbers_of(name, IdentityKey(card.node), families[name]) for name, card in cards},
        counting=(TABLEAU, *(name for name, zone in reader.each("zones") if zone.flag("counts"))),
        board=replace(board_of(reader), on_cards=on_cards, apart=apart),
    )
    return known_again(with_payments(Reader(reader.node, "", reader.findings, short), families))


def families_above(reader: Reader) -> dict[str, tuple[str, ...]]:
    """Return, for each declared family, the families to which it belongs."""
    return {name: family.words("family") for name, family in reader.each("families")}


def with_families(families: tuple[str, ...], above: Map[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return these families and all families to which they belong, directly or indirectly."""
    names = dict.fromkeys(families)
    waiting = list(names)
    while waiting:
        for family in above.get(waiting.pop(0), ()):
            if family not in names:
                names[family] = None
                waiting.append(family)
    return tuple(names)


@lru_cache(1 << 10)
def _numbers_of(name: str, node: IdentityKey[Mapping], families: tuple[str, ...]) -> dict[str, int]:
    reader = Reader(node.own, "")
    return {**dict.fromkeys(families, 1), name: 1, **dict(reader.numbers("adds")), **dict(reader.numbers("has"))}


def definitions_of(reader: Reader) -> tuple[Define, ...]:
    """Return every definition with its formula expanded, except for its parameters."""
    return _written_out(IdentityKey(reader.at("define").node), IdentityKey(reader.short))


@lru_cache(_GAMES)
def _written_out(node: IdentityKey[Mapping], shorthand: IdentityKey[MacroScope]) -> tuple[Define, ...]:
    short = shorthand.own.about(ANY_CARD)
    for zone, _ in short.board.places:  # a definition about a copy of a zone is checked for the first copy
        short = short.at(zone, 1)
    definitions, reader = [], Reader(node.own, "/define")
    for key, value in _defined(node.own):
        name, *parameters = _NAMES.findall(key.text)
        definition, inner = short.defined[name], reader.at(key.text)
        try:
            expr = expand(definition.expr, short, definition.parameters)
        except FormulaError:  # it reads a number that no card has; the error is reported where the definition is used
            expr = parse("0")
        formula = Formula(str(value.value), expr, value.span)
        texts = inner.texts("label"), inner.texts("text")
        definitions.append(Define(name, tuple(parameters), formula, key.span, *texts))
    return tuple(definitions)


@lru_cache(_GAMES)
def _read_definitions(node: IdentityKey[Mapping]) -> tuple[dict[str, Definition], list[Diagnostic]]:
    """Return the definitions and the mistakes in them, such as a definition that uses itself.

    Each definition is also expanded on its own, so that its mistakes are reported at the definition.
    """
    reader = Reader(node.own, "/define")
    definitions: dict[str, Definition] = {}
    places: dict[str, str] = {}
    for key, _ in _defined(node.own):
        name, *parameters = _NAMES.findall(key.text)
        alone = reader.optional_formula(key.text)
        formula = alone or reader.at(key.text).formula(FORMULA)
        definitions[name] = Definition(tuple(parameters), formula.expr, "(" not in key.text)
        places[name] = key.text if alone else f"{key.text}/{FORMULA}"
    empty = {name: replace(definition, expr=parse("0")) for name, definition in definitions.items()}
    # The first pass finds the mistakes of each definition by itself, the second those of calls of other definitions.
    for words in (empty, definitions):
        for name, definition in list(definitions.items()):
            try:
                expand(definition.expr, MacroScope(words), definition.parameters, of=name)
            except FormulaError as error:
                reader.refuse(places[name], error, whole=words is definitions)
                definitions[name] = empty[name]
    return definitions, reader.findings


def _defined(node: Mapping) -> Iterator[tuple[Key, Scalar]]:
    """Yield the name of each definition in a section, with its formula."""
    for entry in node.entries:
        value = below(entry.value, (FORMULA,)) or entry.value
        if isinstance(value, Scalar):
            yield entry.key, value
