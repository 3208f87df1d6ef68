"""What the formulas of a card set can say for short: its definitions, its families, and what its cards have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from draftengine.cardset.tree import Scalar
from draftengine.diagnostics.finding import Diagnostic
from draftengine.language.parse import FormulaError, parse
from draftengine.language.writing_out import Definition, Words, write_out

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.cardset.reader import Reader

_NAMES = re.compile(r"[a-z][a-z0-9_]*")


def words_of(reader: Reader) -> Words:
    """The words of a whole game. What is wrong with its definitions becomes a finding of the reader."""
    cards = [(name, own) for name, own in reader.each("cards")]
    return Words(
        defined=_definitions(reader),
        members=_members(reader, cards),
        has={name: _numbers(name, own, reader) for name, own in cards},
    )


def with_families(families: tuple[str, ...], reader: Reader) -> tuple[str, ...]:
    """Families, and those to which they belong in turn."""
    above = {name: own.words("family") for name, own in reader.each("families")}
    found = dict.fromkeys(families)
    waiting = list(found)
    while waiting:
        for family in above.get(waiting.pop(0), ()):
            if family not in found:
                found[family] = None
                waiting.append(family)
    return tuple(found)


def _members(reader: Reader, cards: list[tuple[str, Reader]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name, own in [*cards, *reader.each("families")]:
        for family in own.words("family"):
            found.setdefault(family, []).append(name)
    return {family: tuple(own) for family, own in found.items()}


def _numbers(name: str, own: Reader, reader: Reader) -> dict[str, int]:
    families = with_families(own.words("family"), reader)
    return {**dict.fromkeys(families, 1), name: 1, **dict(own.numbers("adds")), **dict(own.numbers("has"))}


def _definitions(reader: Reader) -> dict[str, Definition]:
    """Each is written out once by itself, so that circles are found where they are defined."""
    found: dict[str, Definition] = {}
    places: dict[str, tuple[str, Scalar]] = {}
    for key, node in _defined(reader):
        name, *parameters = _NAMES.findall(key)
        formula = reader.at("define").formula(key)
        found[name] = Definition(tuple(parameters), formula.expr, "(" not in key)
        places[name] = key, node
    for name in list(found):
        try:
            write_out(found[name].expr, Words(found))
        except FormulaError as error:
            key, node = places[name]
            path = f"{reader.path}/define/{key}"
            reader.findings.append(Diagnostic("formula-syntax", "error", error.message, node.span, path, error.hint))
            found[name] = Definition(found[name].parameters, parse("0"), found[name].bare)
    return found


def _defined(reader: Reader) -> Iterator[tuple[str, Scalar]]:
    for entry in reader.at("define").node.entries:
        if isinstance(entry.value, Scalar):
            yield entry.key.text, entry.value
