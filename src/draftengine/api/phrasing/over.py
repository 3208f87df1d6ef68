"""Analysis of formulas over several cards, card by card."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from draftengine.model.language.builtins import HAS, LYING
from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import Binary, Name, Number, parts, with_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from draftengine.model.language.tree import Expr

THIS = "*this."
"""Prefix for values of the card that a whole formula is about, in a part about cards of a zone."""
OF_ITS = "*of."
"""Prefix for a family: cards of the member that the formula's own card belongs to."""
EACH = "each."
"""Name for a seat's number of one card, in a phrase that covers several cards."""
IS_OF_EACH = f"{LYING}{EACH}"
"""Name that is 1 for cards of that kind in a zone, in a phrase that covers several cards."""


def factors(values: Sequence[Expr]) -> dict[str, int] | None:
    """Return the factor of each name in a sum of multiples; ``None`` for any other sum."""
    multiples = {}
    for value in values:
        match value:
            case Name(name):
                multiples[name] = 1
            case Binary("*", Name(name), Number(factor)) | Binary("*", Number(factor), Name(name)):
                multiples[name] = factor
            case _:
                return None
    return multiples


def alike(values: Sequence[Expr]) -> tuple[Expr, list[str]] | None:
    """Return the formula shared by several values, with `EACH` in place of each card, and the cards.

    Returns ``None`` if they differ in more than the card, or are plain names.
    """
    if len(values) <= 1:
        return None
    names = [sorted({name for kind, name in references(value) if kind == "name"}) for value in values]
    common = set.intersection(*map(set, names))
    apart = [[name for name in group if name not in common] for group in names]
    if any(len(rest) != 1 for rest in apart):
        return None
    asked = [rest[0] for rest in apart]
    renamed = [_renamed(value, partial(_exchanged, card)) for value, card in zip(values, asked, strict=True)]
    cards = [name.removeprefix(HAS).removeprefix(LYING) for name in asked]
    plain = isinstance(values[0], Name)
    return (renamed[0], cards) if all(expr == renamed[0] for expr in renamed) and not plain else None


def _exchanged(card: str, name: str) -> str:
    if name != card:
        return name
    return IS_OF_EACH if name.startswith(LYING) else EACH


def of_this(expr: Expr) -> Expr:
    """Return a formula about cards of a zone with ``its.`` names renamed by `THIS`."""
    return _renamed(expr, lambda name: f"{THIS}{name.removeprefix('its.')}" if name.startswith("its.") else name)


def by_member(values: Sequence[Expr]) -> dict[str, Expr] | None:
    """Return the formula that is multiplied by the ``its`` value of each card or family.

    Returns ``None`` if some value has another form.
    """
    exprs = {}
    for value in values:
        match value:
            case Binary("*", asked, Name(its)) if its.startswith("its."):
                exprs[its.removeprefix("its.")] = asked
            case Binary("*", Name(its), asked) if its.startswith("its."):
                exprs[its.removeprefix("its.")] = asked
            case _:
                return None
    return exprs


def of_its(exprs: Mapping[str, Expr], family: str) -> Expr | None:
    """Return the one formula that `exprs` has for every member of a family, with `OF_ITS` for the member.

    Returns ``None`` if they differ in more than the member.
    """
    renamed = [_renamed(expr, partial(_in_place_of, member, family)) for member, expr in exprs.items()]
    return renamed[0] if all(expr == renamed[0] for expr in renamed) else None


def _in_place_of(member: str, family: str, name: str) -> str:
    zone, dot, rest = name.rpartition(".")
    return f"{zone}{dot}{OF_ITS}{family}" if rest == member else name


def _renamed(expr: Expr, name_for: Callable[[str], str]) -> Expr:
    """Return the formula with every name replaced."""
    if isinstance(expr, Name):
        return Name(name_for(expr.id))
    return with_parts(expr, [_renamed(part, name_for) for part in parts(expr)])
