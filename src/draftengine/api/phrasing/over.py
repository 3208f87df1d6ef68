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
    found = {}
    for own in values:
        match own:
            case Name(name):
                found[name] = 1
            case Binary("*", Name(name), Number(factor)) | Binary("*", Number(factor), Name(name)):
                found[name] = factor
            case _:
                return None
    return found


def alike(values: Sequence[Expr]) -> tuple[Expr, list[str]] | None:
    """What is said of several cards in the same words: with a name that stands for each, and the cards."""
    if len(values) <= 1:
        return None
    names = [sorted({name for kind, name in references(own) if kind == "name"}) for own in values]
    common = set.intersection(*map(set, names))
    apart = [[own for own in found if own not in common] for found in names]
    if any(len(own) != 1 for own in apart):
        return None
    asked = [own[0] for own in apart]
    said = [_renamed(own, partial(_exchanged, card)) for own, card in zip(values, asked, strict=True)]
    cards = [own.removeprefix(HAS).removeprefix(LYING) for own in asked]
    plain = isinstance(values[0], Name)
    return (said[0], cards) if all(own == said[0] for own in said) and not plain else None


def _exchanged(card: str, name: str) -> str:
    if name != card:
        return name
    return IS_OF_EACH if name.startswith(LYING) else EACH


def of_this(expr: Expr) -> Expr:
    """A formula about the cards of a zone, in which what the card has that asks is called by a name of its own."""
    return _renamed(expr, lambda name: f"{THIS}{name.removeprefix('its.')}" if name.startswith("its.") else name)


def by_member(values: Sequence[Expr]) -> dict[str, Expr] | None:
    """What is asked of each of several cards or families, if it is asked of the one to which a card belongs."""
    found = {}
    for own in values:
        match own:
            case Binary("*", asked, Name(its)) if its.startswith("its."):
                found[its.removeprefix("its.")] = asked
            case Binary("*", Name(its), asked) if its.startswith("its."):
                found[its.removeprefix("its.")] = asked
            case _:
                return None
    return found


def of_its(found: Mapping[str, Expr], family: str) -> Expr | None:
    """One formula for what `found` says of each member of a family, with a name for the member that is meant."""
    said = [_renamed(own, partial(_in_place_of, member, family)) for member, own in found.items()]
    return said[0] if all(own == said[0] for own in said) else None


def _in_place_of(member: str, family: str, name: str) -> str:
    zone, dot, own = name.rpartition(".")
    return f"{zone}{dot}{OF_ITS}{family}" if own == member else name


def _renamed(expr: Expr, name_for: Callable[[str], str]) -> Expr:
    """The formula with every name replaced."""
    if isinstance(expr, Name):
        return Name(name_for(expr.id))
    return with_parts(expr, [_renamed(own, name_for) for own in parts(expr)])
