"""What a formula goes over, card by card, taken apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.language.evaluate import references
from draftengine.language.tree import Binary, Call, Compare, Conditional, Logic, Name, Number, Unary, parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.language.tree import Expr

EACH = "each."
"""In what is said once for several cards: how many of one of them a seat has."""


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
    cards = [own[0] for own in apart]
    said = [_renamed(own, card) for own, card in zip(values, cards, strict=True)]
    plain = isinstance(values[0], Name)
    return (said[0], cards) if all(own == said[0] for own in said) and not plain else None


def _renamed(expr: Expr, card: str) -> Expr:  # noqa: PLR0911 (one for each kind of node)
    """The same with another name for the number of a card."""
    match expr:
        case Name(name):
            return Name(EACH) if name == card else expr
        case Unary():
            return Unary(expr.op, _renamed(expr.operand, card))
        case Binary():
            return Binary(expr.op, _renamed(expr.left, card), _renamed(expr.right, card))
        case Compare():
            return Compare(expr.op, _renamed(expr.left, card), _renamed(expr.right, card))
        case Logic():
            return Logic(expr.op, _renamed(expr.left, card), _renamed(expr.right, card))
        case Conditional():
            then, condition, other = (_renamed(own, card) for own in parts(expr))
            return Conditional(then, condition, other)
        case Call():
            return Call(expr.function, tuple(_renamed(own, card) for own in expr.arguments))
    return expr
