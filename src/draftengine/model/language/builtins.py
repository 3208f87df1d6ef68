"""The functions of formulas. Each is declared once, with its meaning, range and an example to test."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from draftengine.model.language.environment import TRUTH, Range, absolute, hull

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from draftengine.model.language.environment import Environment, State, Value

Type = Literal["int", "bool"]
Seats = tuple[int, int]
"""The lowest and highest number of seats in a game."""


class Example(Struct, frozen=True):
    """A formula `text` with its `value` for seat 0.

    `given` lists, for each name or call such as ``gained(soup)``, the values at all seats.
    """

    text: str
    given: tuple[tuple[str, tuple[int, ...]], ...]
    value: int


class Declared(Struct, frozen=True):
    """Base class of the declarations: the fields that every function has."""

    name: str
    signature: str
    doc: str
    example: Example


class NumericFunction(Declared, frozen=True):
    """A function whose arguments are numbers, such as ``max``."""

    fewest: int
    """The smallest allowed number of arguments."""
    most: int | None
    """The largest allowed number of arguments; ``None`` for any number."""
    value: Callable[[Sequence[int]], int]
    range: Callable[[Sequence[Range]], Range]


class Aggregate(Declared, frozen=True):
    """A function of the values that its argument has at several seats, such as ``most``."""

    takes: Type
    others: bool
    """True if the seat for which the formula is evaluated is left out."""
    value: Callable[[Iterable[int]], int]
    """Computes the result from at least one value. Without any value, the result is 0."""
    range: Callable[[Range, Seats], Range]
    """Computes the range of the result from the argument's range and the number of seats."""


class StateFunction(Declared, frozen=True):
    """A function that reads the state of the game. Its argument names a marker, zone or counter."""

    reads: Literal["counter", "marker", "scores"]
    gives: Type
    value: Callable[[Environment[State], str], Value[State]]
    range: Callable[[Range], Range]
    """Computes the range of the result from the range of the name."""


class ZoneAggregate(Declared, frozen=True):
    """A function of the cards in a zone, such as ``sum(market, price)``.

    It reads one attribute of each card.

    Cards without the attribute are left out. Instead of an attribute, the function can read a formula about each card.
    `cards` also works with only the zone as its argument, and then counts the cards.
    """

    fewest: int
    """The smallest allowed number of arguments: the zone, the attribute, the result without any card."""
    most: int
    takes: Type
    """The type that a formula about each card must have."""
    value: Callable[[Sequence[int]], int]
    """Computes the result from the attribute's values.

    There is at least one value if the function has an argument for the result without any card.
    """
    range: Callable[[Range, int], Range]
    """Computes the range of the result from the attribute's range and the most cards in the zone."""


HAS = "*."
"""The prefix of an attribute's name when a function reads the attribute from every card in a zone.

Cards without the attribute are left out. Authors of card sets cannot write the prefix.
"""
LYING = "*its."
"""The prefix of an attribute's name in a formula that is evaluated for each card in a zone.

Cards without the attribute count as 0. Authors cannot write this prefix. Their prefix ``its.`` means an attribute of
the card that the whole formula is about.
"""


class OtherSeatFunction(Declared, frozen=True):
    """A function that evaluates its last argument at another seat, or gives 0 (false) without such a seat."""

    whose: Literal["left", "right", "asking", "holder"]
    """The other seat: a neighbour, a marker's holder, or (``asking``) the seat of the whole formula."""


class MacroFunction(Declared, frozen=True):
    """A function that is replaced by a formula before checking (see `draftengine.model.language.macros`)."""

    arguments: int
    means: str = ""
    """The formula that replaces a call, with ``x`` for the argument; empty if code expands the call."""


Builtin = NumericFunction | Aggregate | StateFunction | ZoneAggregate | OtherSeatFunction | MacroFunction


def _one_of(value: Range, seats: Seats) -> Range:
    return value if seats[0] > 0 else hull([value, (0, 0)])


def _sum_of(value: Range, seats: Seats) -> Range:
    return min(value[0] * count for count in seats), max(value[1] * count for count in seats)


def _count_of(_value: Range, seats: Seats) -> Range:
    return 0, seats[1]


def _top(values: Sequence[int]) -> int:
    return sum(sorted(values[1:], reverse=True)[: max(0, values[0])])


def _top_of(values: Sequence[Range]) -> Range:
    """Return the range of `top`, which adds up a number of its largest arguments.

    Every possible number is tried, with the lowest values of all arguments and with their highest values.
    """
    fewest, most = (min(max(0, end), len(values) - 1) for end in values[0])
    ends = [_top([count, *(value[end] for value in values[1:])]) for end in (0, 1) for count in range(fewest, most + 1)]
    return min(ends), max(ends)


_SOUP: tuple[tuple[str, tuple[int, ...]], ...] = (("soup", (2, 5, 3)),)


def _aggregate(
    name: str,
    doc: str,
    value: Callable[[Iterable[int]], int],
    range_: Callable[[Range, Seats], Range],
    example: int,
    *,
    takes: Type = "int",
) -> Aggregate:
    """Declare a function of all seats. `example` is its value if the seats have 2, 5 and 3 soups."""
    argument, asked = ("x", "soup") if takes == "int" else ("c", "soup >= 3")
    tried = Example(f"{name}({asked})", _SOUP, example)
    others = name.startswith("others_")
    return Aggregate(name, f"{name}({argument})", doc, tried, takes=takes, others=others, value=value, range=range_)


_ALL: tuple[Builtin, ...] = (
    NumericFunction(
        "min",
        "min(a, b, …)",
        "The smallest of the values.",
        Example("min(soup, 4)", (("soup", (7,)),), 4),
        fewest=2,
        most=None,
        value=min,
        range=lambda values: (min(low for low, _ in values), min(high for _, high in values)),
    ),
    NumericFunction(
        "max",
        "max(a, b, …)",
        "The largest of the values.",
        Example("max(soup - 3, 0)", (("soup", (2,)),), 0),
        fewest=2,
        most=None,
        value=max,
        range=lambda values: (max(low for low, _ in values), max(high for _, high in values)),
    ),
    NumericFunction(
        "abs",
        "abs(x)",
        "The value without its sign.",
        Example("abs(soup - bread)", (("soup", (2,)), ("bread", (5,))), 3),
        fewest=1,
        most=1,
        value=lambda values: abs(values[0]),
        range=lambda values: absolute(values[0]),
    ),
    NumericFunction(
        "kinds",
        "kinds(a, b, …)",
        "The number of values above 0.",
        Example("kinds(soup, bread, salad)", (("soup", (2,)), ("bread", (0,)), ("salad", (1,))), 2),
        fewest=1,
        most=None,
        value=lambda values: sum(value > 0 for value in values),
        range=lambda values: (sum(low > 0 for low, _ in values), sum(high > 0 for _, high in values)),
    ),
    NumericFunction(
        "top",
        "top(n, a, b, …)",
        "The sum of the n largest values. top(n, family, x): of the values of x for each member of a family.",
        Example("top(2, soup, bread, salad)", (("soup", (2,)), ("bread", (5,)), ("salad", (3,))), 8),
        fewest=2,
        most=None,
        value=_top,
        range=_top_of,
    ),
    MacroFunction(
        "over",
        "over(family, x)",
        "The sum of x for each member of a family. In x, card is the number of cards of the member that the seat has.",
        Example("over(drink, card * card)", (("tea", (2,)), ("milk", (1,))), 5),
        arguments=2,
    ),
    MacroFunction(
        "its",
        "its(name)",
        "A value of the card that the formula is about: a number under has or adds, or 1 for its own name and "
        "families. In over, its(card) is 1 for cards of the member.",
        Example("2 * its(cost)", (("cost", (3,)),), 6),
        arguments=1,
    ),
    _aggregate("most", "The largest value of x at any seat.", max, _one_of, 5),
    _aggregate("fewest", "The smallest value of x at any seat.", min, _one_of, 2),
    _aggregate("total", "The sum of x at all seats.", sum, _sum_of, 10),
    _aggregate("seats_with", "The number of seats where c holds.", sum, _count_of, 2, takes="bool"),
    _aggregate("others_most", "The largest value of x at any other seat; 0 without other seats.", max, _one_of, 5),
    _aggregate("others_fewest", "The smallest value of x at any other seat; 0 without other seats.", min, _one_of, 3),
    _aggregate("others_total", "The sum of x at all other seats.", sum, _sum_of, 8),
    _aggregate("others_with", "The number of other seats where c holds.", sum, _count_of, 2, takes="bool"),
    StateFunction(
        "gained",
        "gained(counter)",
        "The rise of the counter in this turn.",
        Example("2 * gained(soup)", (("gained(soup)", (3,)),), 6),
        reads="counter",
        gives="int",
        value=lambda env, name: env.gained(name),
        range=lambda value: (value[0] - value[1], value[1] - value[0]),
    ),
    StateFunction(
        "holds",
        "holds(marker)",
        "True if the seat holds the marker.",
        Example("3 if holds(trophy) else 0", (("holds(trophy)", (1,)),), 3),
        reads="marker",
        gives="bool",
        value=lambda env, name: env.holds(name),
        range=lambda _value: TRUTH,
    ),
    ZoneAggregate(
        "cards",
        "cards(zone, name)",
        "The number of cards that the seat has in the zone, or that a shared zone holds. With a name, only cards of "
        "that name or family count; with a condition about its(…), only cards that meet it. Both are possible only if "
        "everybody sees the zone.",
        Example("cards(hand) + cards(market, soup)", (("cards(hand)", (4,)), ("in(market, soup)", (1, 0, 1))), 6),
        fewest=1,
        most=2,
        takes="bool",
        value=sum,
        range=lambda _has, most: (0, most),
    ),
    ZoneAggregate(
        "highest",
        "highest(zone, n, if_empty)",
        "The largest number n on the cards of the zone; if_empty if no card has it. n may be a formula about its(…). "
        "Then every card counts, with 0 for numbers that it lacks. Everybody must see the zone.",
        Example("highest(market, cost, 0)", (("in(market, cost)", (2, 7, 3)),), 7),
        fewest=3,
        most=3,
        takes="int",
        value=max,
        range=lambda has, _most: has,
    ),
    ZoneAggregate(
        "lowest",
        "lowest(zone, n, if_empty)",
        "The smallest number n on the cards of the zone; if_empty if no card has it. n is as in highest.",
        Example("lowest(market, cost, 99)", (("in(market, cost)", (2, 7, 3)),), 2),
        fewest=3,
        most=3,
        takes="int",
        value=min,
        range=lambda has, _most: has,
    ),
    ZoneAggregate(
        "sum",
        "sum(zone, n)",
        "The sum of the numbers n on the cards of the zone. n is as in highest.",
        Example("sum(market, cost)", (("in(market, cost)", (2, 7, 3)),), 12),
        fewest=2,
        most=2,
        takes="int",
        value=sum,
        range=lambda has, most: (min(0, has[0] * most), max(0, has[1] * most)),
    ),
    ZoneAggregate(
        "on_top",
        "on_top(zone, n)",
        "The number n on the card on top of the zone, which is drawn next; 0 if the zone is empty or the card has no "
        "n. n may be a formula about its(…). Everybody must see the zone.",
        Example("on_top(market, cost)", (("in(market, cost)", (2, 7, 3)),), 3),
        fewest=2,
        most=2,
        takes="int",
        value=lambda values: values[-1] if values else 0,
        range=lambda has, _most: (min(0, has[0]), max(0, has[1])),
    ),
    MacroFunction(
        "place",
        "place(x)",
        "The place of the seat by x: 1 if no seat has more. Seats with equal values share a place.",
        Example("place(soup)", _SOUP, 3),
        arguments=1,
        means="1 + others_with(x > my(x))",
    ),
    MacroFunction(
        "alone",
        "alone(c)",
        "True if c holds for the seat and for no other seat.",
        Example("3 if alone(soup < 3) else 0", _SOUP, 3),
        arguments=1,
        means="x and others_with(x) == 0",
    ),
    MacroFunction(
        "played",
        "played(card)",
        "The rise in the number of cards with this name or family since cards were last chosen: gained, of cards only.",
        Example("2 * played(soup)", (("gained(soup)", (3,)),), 6),
        arguments=1,
        means="gained(x)",
    ),
    MacroFunction(
        "chosen",
        "chosen(name)",
        "True if the name that a choice or find gives stands for something.",
        Example("2 if chosen(goal) else 0", (("name:goal", (1,)),), 2),
        arguments=1,
    ),
    StateFunction(
        "best_of",
        "best_of(cards)",
        "The most points that one of the seat's cards with `scores` would give it now; 0 without such cards.",
        Example("best_of(cards)", (("best_of(cards)", (9,)),), 9),
        reads="scores",
        gives="int",
        value=lambda env, name: env.best_of(name),
        range=lambda value: hull([value, (0, 0)]),
    ),
    OtherSeatFunction(
        "left",
        "left(x)",
        "The value of x at the next player to the left; 0 without another player.",
        Example("left(soup)", _SOUP, 5),
        whose="left",
    ),
    OtherSeatFunction(
        "right",
        "right(x)",
        "The value of x at the next player to the right; 0 without another player.",
        Example("right(soup)", _SOUP, 3),
        whose="right",
    ),
    OtherSeatFunction(
        "my",
        "my(x)",
        "In a function of other seats: the value of x at the seat that the whole formula is for. my(its(x)), in over "
        "or in a formula about each card of a zone: a value of the card that the whole formula is about.",
        Example("others_with(soup > my(soup))", _SOUP, 2),
        whose="asking",
    ),
    OtherSeatFunction(
        "of",
        "of(marker, x)",
        "The value of x at the seat that holds the marker; 0 if no seat holds it.",
        Example("of(trophy, soup)", (*_SOUP, ("holds(trophy)", (0, 0, 1))), 3),
        whose="holder",
    ),
)

BETWEEN: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
"""The operators with two operands, and the functions that compute them."""

BUILTINS: Mapping[str, Builtin] = {builtin.name: builtin for builtin in _ALL}
"""All functions of formulas by name, in the order in which the documentation describes them."""

OPEN = frozenset(
    {"left", "right", "my", "of", "best_of", "over", "its", "top", "highest", "lowest", "sum", "on_top"}
    | {"place", "alone", "played", "chosen"}
)
"""Functions whose names a card set may also give to its cards, counters and so on."""


def at_seat(seat: str, formula: str) -> str:
    """Return a formula for the value at a neighbour, a marker's holder or a player with a name."""
    return f"{seat}({formula})" if seat in {"left", "right", "my"} else f"of({seat}, {formula})"
