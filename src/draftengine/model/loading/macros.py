"""Reads the macros that formulas of a card set can use: definitions, families, and numbers on cards."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.cardset.records import TABLEAU, Define
from draftengine.model.language.macros import ANY_CARD, Definition, MacroScope, expand, known_again
from draftengine.model.language.parse import FormulaError, parse
from draftengine.model.loading.places import board_of
from draftengine.model.loading.sides import most_copies
from draftengine.model.records.reader import Reader
from draftengine.model.records.values import Formula
from draftengine.model.yaml.tree import Scalar, below
from draftengine.support.identity import IdentityKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.yaml.tree import Key
    from draftengine.model.yaml.tree import Mapping as Tree

_GAMES = 8
"""The number of games whose definitions are cached. Most games of a document share theirs."""
FORMULA = "is"
"""The key of the formula in a definition that also has a label or a text."""
_NAMES = re.compile(r"[a-z][a-z0-9_]*")


def shorthand_of(reader: Reader) -> MacroScope:
    """Return the macros of a whole game. Mistakes in its definitions become findings of the reader."""
    cards = list(reader.each("cards"))
    above = families_above(reader)
    definitions, findings = _read_definitions(IdentityKey(reader.at("define").node))
    reader.findings += findings
    members: dict[str, list[str]] = {}
    for name, member in [*cards, *reader.each("families")]:
        for family in member.words("family"):
            members.setdefault(family, []).append(name)
    copies = most_copies(reader, unknown=limits.COPIES)
    single = {
        name: ("card", name, *with_families(card.words("family"), above))
        for name, card in cards
        if copies[name] <= 1 and not card.has("forms")
    }
    # The counters of cards, each with its cards: single cards of a family, or all single cards.
    counters = [(name, counter.word("per")) for name, counter in reader.each("counters")]
    counted = [(name, per, tuple(card for card, of in single.items() if per in of)) for name, per in counters]
    on_cards = tuple((name, those) for name, per, those in counted if those or per == "card")
    short = MacroScope(
        defined=definitions,
        members={family: tuple(names) for family, names in members.items()},
        has={
            name: _numbers_of(name, IdentityKey(card.node), with_families(card.words("family"), above))
            for name, card in cards
        },
        counting=(TABLEAU, *(name for name, zone in reader.each("zones") if zone.flag("counts"))),
        board=replace(board_of(reader), on_cards=on_cards),
    )
    return known_again(short)


def families_above(reader: Reader) -> dict[str, tuple[str, ...]]:
    """Return, for each declared family, the families to which it belongs."""
    return {name: family.words("family") for name, family in reader.each("families")}


def with_families(families: tuple[str, ...], above: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the given families and all families to which they belong, directly or indirectly."""
    names = dict.fromkeys(families)
    waiting = list(names)
    while waiting:
        for family in above.get(waiting.pop(0), ()):
            if family not in names:
                names[family] = None
                waiting.append(family)
    return tuple(names)


@lru_cache(1 << 10)
def _numbers_of(name: str, node: IdentityKey[Tree], families: tuple[str, ...]) -> dict[str, int]:
    reader = Reader(node.own, "")
    return {**dict.fromkeys(families, 1), name: 1, **dict(reader.numbers("adds")), **dict(reader.numbers("has"))}


def definitions_of(reader: Reader) -> tuple[Define, ...]:
    """Return every definition with its formula expanded. Its parameters remain names in the formula."""
    return _written_out(IdentityKey(reader.at("define").node), IdentityKey(reader.short))


@lru_cache(_GAMES)
def _written_out(node: IdentityKey[Tree], shorthand: IdentityKey[MacroScope]) -> tuple[Define, ...]:
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
def _read_definitions(node: IdentityKey[Tree]) -> tuple[dict[str, Definition], list[Diagnostic]]:
    """Return the definitions and their mistakes. A definition that uses itself is a mistake, too.

    Each definition is expanded once without a call, so that its mistakes are reported at the definition.
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


def _defined(node: Tree) -> Iterator[tuple[Key, Scalar]]:
    """Yield the name of each definition, with its formula."""
    for entry in node.entries:
        value = below(entry.value, (FORMULA,)) or entry.value
        if isinstance(value, Scalar):
            yield entry.key, value
