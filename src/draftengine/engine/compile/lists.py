"""Lists of one seat become steps of the flow behind the choice that starts them.

Whoever plays such a card owes its list: a hidden counter of the seat says how often. Behind the choice stands each list
as ordinary steps for the seats that owe it, and then all of them again until nobody owes anything, the lists that come
first always first. So a choice inside a list is a choice like any other: it is asked for, seen, saved, searched and
compiled as all of them are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.language.tree import Binary, Call, Compare, Logic, Name, Number
from draftengine.records.values import Formula

if TYPE_CHECKING:
    from draftengine.cardset.lists import Later
    from draftengine.language.tree import Expr
    from draftengine.source import Span

NONE = Number(0)


def owes(own: Later) -> Expr:
    """The condition that a seat has started this list and not carried it out yet."""
    return Compare(">", Name(own.counter), NONE)


def whose_turn(counter: str) -> Expr:
    """The condition that a seat is next among those whose turn is still to come; `counter` has their numbers."""
    turn = Name(counter)
    return Logic("and", Compare(">", turn, NONE), Compare("==", turn, Call("most", (turn,))))


def anybody(condition: Expr) -> Expr:
    """The condition that another one holds for some seat."""
    return Compare(">", Call("seats_with", (condition,)), NONE)


def both(condition: Expr | None, other: Expr | None) -> Expr | None:
    """The condition that both of two hold, where ``None`` always does."""
    if condition is None or other is None:
        return condition or other
    return Logic("and", condition, other)


def less(counter: str, by: int | None) -> Expr:
    """The number that is added to a counter so that it falls by `by`, or to 0 where that is ``None``."""
    return Binary("-", NONE, Name(counter)) if by is None else Number(-by)


def made(expr: Expr, span: Span) -> Formula:
    """An expression as a formula that no card set has written; `span` is where mistakes in it would be told."""
    return Formula("", expr, span)
