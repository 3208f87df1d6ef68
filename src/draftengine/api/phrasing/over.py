"""What a formula goes over, card by card, taken apart."""

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
"""In formulas about the cards of a zone: before what the card has that the whole formula is about."""
OF_ITS = "*of."
"""Before a family: for those that belong to the same member of it as the card that a formula is about."""
EACH = "each."
"""In what is said once for several cards: how many of one of them a seat has."""
IS_OF_EACH = f"{LYING}{EACH}"
"""In what is said once for several cards, of each card of a zone: is it one of them."""


def factors(values: Sequence[Expr]) -> dict[str, int] | None:
    """By how much the number of each card is multiplied, if nothing else is done."""
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
    """What is said of several cards in the same words: with a name that stands for each, and the cards."""
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
    """A formula about the cards of a zone, in which what the card has that asks is called by a name of its own."""
    return _renamed(expr, lambda name: f"{THIS}{name.removeprefix('its.')}" if name.startswith("its.") else name)


def by_member(values: Sequence[Expr]) -> dict[str, Expr] | None:
    """What is asked of each of several cards or families, if it is asked of the one to which a card belongs."""
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
    """One formula for what `exprs` says of each member of a family, with a name for the member that is meant."""
    renamed = [_renamed(expr, partial(_in_place_of, member, family)) for member, expr in exprs.items()]
    return renamed[0] if all(expr == renamed[0] for expr in renamed) else None


def _in_place_of(member: str, family: str, name: str) -> str:
    zone, dot, rest = name.rpartition(".")
    return f"{zone}{dot}{OF_ITS}{family}" if rest == member else name


def _renamed(expr: Expr, name_for: Callable[[str], str]) -> Expr:
    """The formula with every name replaced."""
    if isinstance(expr, Name):
        return Name(name_for(expr.id))
    return with_parts(expr, [_renamed(part, name_for) for part in parts(expr)])
