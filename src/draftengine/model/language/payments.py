"""Payments: formulas for the amounts that a seat gives for the goods that a card costs.

Goods come from sources, in the order of the card set: the seat's own cards, its counters, the cards of neighbours, and
counters that stand for goods. Each source gives as much as it can before the next one is used. Of two neighbours next
to each other in the list, the cheaper one comes first. The units of all sources form a matroid, on which this greedy
method covers the goods whenever any method does.

A card may make one of several goods. Then Hall's theorem gives the number of units that some sources lack. For each set
of goods, it compares the units needed with the units that the sources can make. The largest difference is the lack. A
source gives the difference between the lacks without and with it, so no search is needed. Goods are split into parts,
so that no source joins goods of two parts. Only the sets within a part matter. A counter that stands for all goods and
comes last joins nothing: it covers what all parts still lack.
"""

from __future__ import annotations

from functools import reduce
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct, field

from draftengine.model.language.tree import (
    Binary,
    BooleanLiteral,
    Call,
    Comparison,
    Conditional,
    LogicalOp,
    Name,
    Number,
    Unary,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from draftengine.model.language.tree import Expr

COST, FREE, MAKES = "cost:", "free:", "makes:"
"""The prefixes of hidden names: costs, cards that make other cards free, and goods that cards make."""
NEIGHBOURS = {"left": 1, "right": -1}
"""The neighbours that can sell, with their distance in seats to the left."""

Goods = tuple[str, ...]
Units = tuple[tuple[Goods, int], ...]
"""Pairs of goods and a number: each of the units can become any one of the goods."""


def on_the_card(name: str) -> Expr:
    """Return the formula for an attribute of the card that is paid for."""
    return Call("its", (Name(name),))


def cost_of(goods: Goods) -> str:
    """Return the hidden attribute for the number of units of these goods that a card costs."""
    return f"{COST}{'+'.join(goods)}"


def made(goods: Goods, of: tuple[str, ...] = ()) -> str:
    """Return the name of the hidden counter for the units of these goods that cards can make.

    With `of`, it only counts these cards or families.
    """
    return f"{MAKES}{'+'.join(goods)}{':' * bool(of)}{'|'.join(of)}"


class GoodsPart(Struct, frozen=True):
    """Goods that cards can make in place of each other; often only one."""

    group: str
    goods: Goods
    sets: tuple[Goods, ...]
    """All non-empty sets of these goods."""


class Source(Struct, frozen=True):
    """A source of goods: cards that make them, or counters that are goods or stand for goods.

    Exactly one of `maker`, `stocked` and `stands_for` is not empty.
    """

    maker: str = ""
    """The seat whose cards make the goods: ``self``, ``left`` or ``right``."""
    of: tuple[str, ...] = ()
    """The families or cards whose goods count; empty for all."""
    counter: str = ""
    """The counter that a neighbour is paid from, or that stands for goods."""
    prices: tuple[tuple[str, Expr], ...] = ()
    """A neighbour's price of a unit for each group of goods, as a formula for the seat that buys."""
    stocked: Goods = ()
    """The goods that the seat has as a counter of the same name."""
    stands_for: Goods = ()

    @property
    def sells(self) -> bool:
        """True if a neighbour sells the goods."""
        return self.maker in NEIGHBOURS


class Due(Struct, frozen=True):
    """The price of a card, as formulas for the seat that pays."""

    possible: Expr | None
    """The condition that no units are lacking; ``None`` if units cannot be lacking."""
    amounts: tuple[tuple[str, Expr], ...]
    """The counters to pay from, each with its amount."""
    handed: tuple[tuple[str, str, Expr], ...]
    """The part of the amounts that neighbours get, as (seat, counter, amount)."""
    bought: tuple[tuple[str, Expr], ...]
    """The units that each neighbour sells."""
    choice: Expr | None
    """The condition that two neighbours can share the purchase in another way; ``None`` if they never can."""

    @property
    def payable(self) -> Expr:
        """The condition under which the seat can pay."""
        enough = [Comparison(">=", Name(counter), amount) for counter, amount in self.amounts]
        return _all([*([self.possible] if self.possible is not None else []), *enough])


class Payment(Struct, frozen=True):
    """A payment that the card set declares, with the hidden names that the game's cards use."""

    id: str
    parts: tuple[GoodsPart, ...]
    others: Goods
    """The counters, other than goods, that cards can cost."""
    sources: tuple[Source, ...]
    """The sources in the order of their use."""
    free_with: tuple[str, ...]
    """The cards and families that make another card free."""
    known: frozenset[str] = frozenset()
    """The hidden attributes and counters that at least one card uses."""

    def costs(self, cost: Iterable[tuple[str, int]], free_with: Iterable[str]) -> Iterator[tuple[str, int]]:
        """Yield a card's hidden attributes: its cost in each set of goods, and each card that makes it free."""
        units = dict(cost)
        sets = chain.from_iterable(part.sets for part in self.parts)
        for goods in (*sets, *((counter,) for counter in self.others)):
            if needed := sum(units.get(good, 0) for good in goods):
                yield cost_of(goods), needed
        yield from ((f"{FREE}{name}", 1) for name in free_with)

    def supplies(self, names: Collection[str], units: Units) -> Iterator[tuple[str, int]]:
        """Yield the hidden counters to which a card with these names adds, one for each set of goods."""
        limited = dict.fromkeys(source.of for source in self.sources if not {*names}.isdisjoint(source.of))
        for goods in chain.from_iterable(part.sets for part in self.parts):
            if count := sum(number for alternatives, number in units if not {*goods}.isdisjoint(alternatives)):
                yield from ((made(goods, of), count) for of in ((), *limited))

    def due(self, number: Callable[[str], Expr], *, other_first: bool = False) -> Due:
        """Return the price of a card. `number` returns the formula for an attribute of the card.

        With `other_first`, two neighbours sell in the other order.
        """
        account = _Account(other_first)
        for counter in self.others:
            account.pay(counter, number(cost_of((counter,))))
        for part in self.parts:
            sets = [goods for goods in part.sets if {cost_of((good,)) for good in goods} <= self.known]
            if sets:
                self._pay_for(part, {goods: number(cost_of(goods)) for goods in sets}, account)
        names = [name for name in self.free_with if f"{FREE}{name}" in self.known]
        there = (Binary("*", number(f"{FREE}{name}"), Name(name)) for name in names)
        return account.due(Comparison(">", Call("max", (Number(0), *there)), Number(0)) if names else None)

    def _pay_for(self, part: GoodsPart, needs: Mapping[Goods, Expr], account: _Account) -> None:
        """Let each source give as much as it can of a part. `needs` has the units needed of each set of goods."""
        used: list[Mapping[Goods, Expr]] = []

        def spend(counter: str, stands_for: Collection[str], left: Expr) -> None:
            stock = {goods: left for goods in needs if not {*goods}.isdisjoint(stands_for)}
            if stock:
                account.pay(counter, Binary("-", _lack(needs, used), _lack(needs, [*used, stock])))
                used.append(stock)

        for index, source in enumerate(self.sources):
            if source.maker == "self":
                used.append(self._made_by(source, needs))
            elif source.sells:
                pair = [other for other in self.sources[index : index + 2] if other.sells]
                if index and self.sources[index - 1].sells:
                    continue
                offers = [self._made_by(seller, needs) for seller in pair]
                prices = [dict(seller.prices)[part.group] for seller in pair]
                cheaper, other = _sold(needs, used, offers, prices)
                if pair[1:]:
                    account.choices.append(Comparison("!=", cheaper[0], other[0]))
                for seller, price, units in zip(pair, prices, other if account.other_first else cheaper, strict=True):
                    account.pay(seller.counter, Binary("*", units, price), seller.maker)
                    account.bought[seller.maker] = _plus(account.bought.get(seller.maker), units)
                used += offers
            elif source.counter and source.counter == self.wild:
                account.pay(source.counter, _lack(needs, used))
                return
            elif source.counter:
                spend(source.counter, source.stands_for, account.left(source.counter))
            for good in (good for good in part.goods if good in source.stocked):
                spend(good, {good}, Name(good))
        account.lacking.append(Comparison("==", _lack(needs, used), Number(0)))

    def _made_by(self, source: Source, needs: Iterable[Goods]) -> Mapping[Goods, Expr]:
        """Return the units that the cards of a seat can make, by set of goods."""
        names: dict[Goods, Expr] = {
            goods: Name(name) for goods in needs if (name := made(goods, source.of)) in self.known
        }
        if not source.sells:
            return names
        sold: dict[Goods, Expr] = {goods: Call(source.maker, (units,)) for goods, units in names.items()}
        if source is next(other for other in self.sources if other.sells):
            return sold
        several = Comparison(">", Name("players"), Number(2))  # with two players, only the first in the list sells
        return {goods: Conditional(units, several, Number(0)) for goods, units in sold.items()}

    @property
    def wild(self) -> str:
        """The last source, if it is a counter that stands for all goods; else empty."""
        goods = {good for part in self.parts for good in part.goods}
        return next((last.counter for last in self.sources[-1:] if goods <= {*last.stands_for}), "")


class _Account(Struct):
    """Adds up the amounts that a seat pays."""

    other_first: bool
    amounts: dict[str, Expr] = field(default_factory=dict)
    handed: dict[tuple[str, str], Expr] = field(default_factory=dict)
    lacking: list[Expr] = field(default_factory=list)
    """Conditions which all hold if no units are lacking."""
    bought: dict[str, Expr] = field(default_factory=dict)
    choices: list[Expr] = field(default_factory=list)
    """For each part that two neighbours sell, the condition that they can share it in another way."""

    def pay(self, counter: str, amount: Expr, seat: str = "") -> None:
        """Add an amount to pay from a counter. If `seat` is given, that neighbour gets it."""
        self.amounts[counter] = _plus(self.amounts.get(counter), amount)
        if seat:
            self.handed[seat, counter] = _plus(self.handed.get((seat, counter)), amount)

    def left(self, counter: str) -> Expr:
        """Return what is left of a counter after the amounts so far."""
        if counter not in self.amounts:
            return Name(counter)
        return Call("max", (Number(0), Binary("-", Name(counter), self.amounts[counter])))

    def due(self, free: Expr | None) -> Due:
        """Return the price. If the condition `free` is given, nothing is paid when it holds."""

        def unless_free(amount: Expr) -> Expr:
            return amount if free is None else Conditional(Number(0), free, amount)

        possible = _all(self.lacking) if self.lacking else None
        choice = reduce(lambda one, other: LogicalOp("or", one, other), self.choices) if self.choices else None
        if choice is not None and free is not None:
            choice = LogicalOp("and", Unary("not", free), choice)
        return Due(
            possible if free is None or possible is None else LogicalOp("or", free, possible),
            tuple((counter, unless_free(amount)) for counter, amount in self.amounts.items()),
            tuple((*whom, unless_free(amount)) for whom, amount in self.handed.items()),
            tuple((seat, unless_free(units)) for seat, units in self.bought.items()),
            choice,
        )


def _plus(before: Expr | None, amount: Expr) -> Expr:
    return amount if before is None else Binary("+", before, amount)


def _sold(
    needs: Mapping[Goods, Expr],
    used: Sequence[Mapping[Goods, Expr]],
    offers: Sequence[Mapping[Goods, Expr]],
    prices: Sequence[Expr],
) -> tuple[list[Expr], list[Expr]]:
    """Return the units that one or two sellers sell, after the sources `used` have given theirs.

    The first list is for the order in which the cheaper one sells first or, of equal ones, the first in the list. The
    second list is for the other order.
    """
    missing, rest = _lack(needs, used), _lack(needs, [*used, *offers])
    if not offers[1:]:
        return [Binary("-", missing, rest)], [Binary("-", missing, rest)]
    one, two = (_lack(needs, [*used, offer]) for offer in offers)
    turned = Comparison("<", prices[1], prices[0])
    early = Binary("-", missing, one), Binary("-", missing, two)
    late = Binary("-", two, rest), Binary("-", one, rest)
    return (
        [Conditional(late[0], turned, early[0]), Conditional(early[1], turned, late[1])],
        [Conditional(early[0], turned, late[0]), Conditional(late[1], turned, early[1])],
    )


def _lack(needs: Mapping[Goods, Expr], sources: Sequence[Mapping[Goods, Expr]]) -> Expr:
    """Return the number of needed units that the sources lack. Each source has units by set of goods."""
    lacking = (
        reduce(lambda rest, units: Binary("-", rest, units), [each[goods] for each in sources if goods in each], needed)
        for goods, needed in needs.items()
    )
    return Call("max", (Number(0), *lacking))


def _all(conditions: Sequence[Expr]) -> Expr:
    return reduce(lambda one, other: LogicalOp("and", one, other), conditions or [BooleanLiteral(value=True)])
