"""Actions of a choice (“ways” in card sets): what can be done with the chosen cards.

    - choose:
        from: hand
        as:
          build: {when: coins >= 2, pay: {coins: 2}, to: tableau}
          sell: {to: discard, do: [{add: {coins: 3}}]}

Each seat takes one of the actions that are open to it. Some actions take no card (`cards: 0`): a bid, an order,
a pass.

With `ask`, the other players are asked for a card, starting on the left. The first who has it in the zone from which
the choice takes must hand it over, and it is played immediately. In return, that player gets the card `give` from the
tableau of the asking seat. If nobody has the wanted card, `give` is discarded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.language.evaluate import references
from draftengine.model.language.macros import ANY_CARD
from draftengine.model.language.tree import Binary, Comparison, Name, Number, parts
from draftengine.model.records.record import (
    CardName,
    CardOrFamilyNames,
    FlowNumber,
    Label,
    NamedRecord,
    Printed,
    SeatAmounts,
    SeatCondition,
    Sources,
    ZoneFrom,
    ZoneTo,
    field,
    formulas_in,
    schema_of,
)
from draftengine.model.records.schema_fragments import (
    ID,
    described,
    map_of,
    ref,
)
from draftengine.model.records.values import Amount, ByPlayerCount, Formula
from draftengine.model.verbs.effects import AddStep
from draftengine.model.verbs.group import DoStep
from draftengine.model.verbs.piles import MoveStep
from draftengine.model.verbs.places import both, cards_in, numbered_label
from draftengine.model.verbs.verb import Step, number_key, read_list

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import Reader
    from draftengine.model.records.values import Texts
    from draftengine.model.verbs.verb import Zones

TABLEAU = "tableau"
ONLY = "take"
"""The name of the entry to which a range belongs if the choice has no other actions."""
MOST = 20
"""The largest number of cards in a range."""

Range = tuple[int, int]
_RANGE = re.compile(r"\s*(\d{1,3})\s*-\s*(\d{1,3})\s*")


def range_of_cards(reader: Reader) -> Range | None:
    """Return the range under `cards`; None if the value is a number or a formula."""
    match = _RANGE.fullmatch(reader.word("cards"))
    if match is None:
        return None
    low, high = int(match[1]), int(match[2])
    if low < high:
        return low, high
    if " " in match[0]:
        return None  # with spaces around the sign, it is a subtraction in a formula
    instead = low if low == high else f"{high}-{low}"
    reader.report("formula-syntax", "cards", say="range", instead=instead)
    return None


def numbered(name: str, count: int) -> str:
    """Return the name of the action that takes `count` cards of a range."""
    return f"{name}_{count}"


def written_out(way: Way, between: Range) -> Iterator[Way]:
    """Yield an action for each number of cards in the range.

    All but the lowest require exactly their number: they are open only to seats with enough cards.
    """
    low, high = between
    for count in range(low, min(high, MOST) + 1):
        yield replace(
            way,
            id=numbered(way.id, count),
            label=_label(way.label, count, named=way.id != ONLY),
            cards=ByPlayerCount(((None, Formula(str(count), Number(count), way.span)),), way.span),
            part_of=way.id,
            between=between,
            exactly=way.exactly or count > low,
        )


def _label(label: Texts, count: int, *, named: bool) -> Texts:
    """Return, in every language, ``2 cards`` after the action's own label, if it has one."""
    from draftengine.support.locale import LANGUAGES, spoken  # noqa: PLC0415 (the words are loaded only for card sets with ranges)

    names = dict(label)
    texts = []
    for language in LANGUAGES:
        words = spoken(language)
        cards = words.phrase("cards", count=count) if count else words.phrase("cards.none")
        name = names.get(language) or names.get("") or names.get("en") or next(iter(names.values()), "")
        texts.append((language, f"{name}: {cards}" if named and name else cards))
    return tuple(texts)


NAMELESS = ""
"""The name of a choice's only action if people do not see it, because it just limits the cards."""


class Way(NamedRecord, frozen=True, kw_only=True):
    """An action. It is open if its condition holds, its cost can be paid and it accepts a card."""

    said = field("Way", "One of the things that can be done with what is chosen.", {"to": "discard"})

    label: Label = ()
    text: Printed = ()
    when: Annotated[
        SeatCondition | None, field("When", "It is open to the seats for which this holds.", "coins >= 2")
    ] = None
    of: Annotated[
        CardOrFamilyNames,
        field("Of", "Only these cards (or cards of these families) can go this way.", ["tree"], schema=ref("names")),
    ] = ()
    ask: Annotated[
        CardName | None,
        field(
            "Ask",
            "The others are asked from the left: the first who has this card gives it, and it is played.",
            "soup",
        ),
    ] = None
    give: Annotated[
        CardName | None, field("Give", "What that player gets for it; if nobody does, it is discarded.", "ladle")
    ] = None
    cards: Annotated[
        FlowNumber | None,
        number_key(
            "How many go this way, perhaps about the seat, or 1-2; 0: none. Without it as many as the choice says."
        ),
    ] = None
    pay: Annotated[SeatAmounts, field("Pay", "What it costs, from counters that have enough.", {"coins": 2})] = ()
    to: Annotated[
        ZoneTo | None, field("To", "The zone to which the cards go; without it that of the choice.", "discard")
    ] = None
    do: Annotated[
        tuple[Step, ...],
        field(
            "Do",
            "What else happens to the seat, and what it does then.",
            [{"add": {"coins": 3}}, {"draw": {"to": "hand", "cards": 1}}],
            schema=ref("steps"),
            read=read_list,
        ),
    ] = ()
    take: Annotated[
        ZoneFrom | None,
        field("Take", "All cards of a zone are taken; of one with copies, those of one: a way for each.", "row"),
    ] = None
    exactly: Annotated[
        bool, field("Exactly", "Is it open only to who has as many cards for it as go it; else fewer will do.")
    ] = False
    source: Sources = ()
    part_of: str = ""
    """The id of the entry from which this and other actions were expanded; empty if there is none."""
    between: Range | None = None
    """The range of cards of that entry."""

    def admits(self, card: str, families: tuple[str, ...]) -> bool:
        """True if the action accepts a card with these families."""
        return not self.of or not {card, *families}.isdisjoint(self.of)

    @property
    def asks(self) -> bool:
        """True if the condition or the cost depends on the card with which the action is taken."""
        return _ask_for_a_card([amount.formula for amount in self.pay] + ([self.when] if self.when else []))

    @property
    def is_about_a_card(self) -> bool:
        """True if the condition, cost or effects depend on the card with which the action is taken."""
        return self.asks or _ask_for_a_card(
            formula for step in self.do for formula, *_ in formulas_in(by_itself(step), "")
        )

    @property
    def takes_none(self) -> bool:
        """True if the action takes no card: a bid, an order, a pass."""
        return self.cards is not None and all(formula.expr == Number(0) for _, formula in self.cards.cases)

    def takes_one(self, usual: ByPlayerCount | None) -> bool:
        """True if the action takes exactly one card. `usual` is the number of cards of the choice."""
        cases = self.cards or usual
        return cases is None or all(formula.expr == Number(1) for _, formula in cases.cases)

    @property
    def paying(self) -> AddStep | None:
        """The cost as an effect that subtracts it; None if the action is free."""
        if not self.pay:
            return None
        amounts = tuple(Amount(amount.counter, _less(amount.formula), amount.span) for amount in self.pay)
        return AddStep(amounts=amounts, span=self.span)

    @property
    def effects(self) -> tuple[Step, ...]:
        """The effects on the seat: the cost first, then `do`."""
        return (*((self.paying,) if self.paying else ()), *self.do)


def _ask_for_a_card(formulas: Iterable[Formula]) -> bool:
    return any(map(about_the_card, (formula.expr for formula in formulas)))


def by_itself(step: Step) -> Step:
    """Return a step without its actions, because formulas of actions are about other cards."""
    return replace(step, as_=()) if hasattr(step, "as_") else step


def about_the_card(expr: Expr) -> str:
    """Return the first attribute of the chosen card that a formula reads (``its.x``); empty if none."""
    if isinstance(expr, Name) and expr.id.startswith("its."):
        return expr.id.removeprefix("its.")
    return next(filter(None, map(about_the_card, parts(expr))), "")


def _less(formula: Formula) -> Formula:
    return Formula(f"0 - ({formula.text})", Binary("-", Number(0), formula.expr), formula.span)


def read_ways(reader: Reader, name: str) -> tuple[Way, ...]:
    """Read the actions under a key. Their formulas may be about the card with which the action is taken."""
    return tuple(way for key, inner in reader.about(ANY_CARD).each(name) for way in _read_entry(key, inner))


def _read_entry(name: str, reader: Reader) -> Iterator[Way]:
    """Yield the actions of an entry. If it has `take`, there is one for each copy of the zone."""
    way = _read_way(name, reader)
    if way.take is None:
        yield way
        return
    copies = reader.short.board.copies(way.take)
    for copy, zone in enumerate(copies or (way.take,), start=1):
        here = _read_way(name, reader.at_place(way.take, copy)) if copies else way
        some = Formula(f"cards({zone}) > 0", Comparison(">", cards_in(zone), Number(0)), way.span)
        moved = MoveStep(from_=zone, to=way.to or TABLEAU, span=way.span, for_one=True)
        taken = DoStep.around(moved, reader, moved.brings(reader))
        yield replace(
            here,
            id=numbered(name, copy) if copies else name,
            label=numbered_label(here.label, copy) if copies else here.label,
            when=both(some, here.when, way.span),
            cards=ByPlayerCount(((None, Formula("0", Number(0), way.span)),), way.span),
            do=(taken, *here.do),
            take=None,
        )


def _read_way(name: str, reader: Reader) -> Way:
    way, between = Way.declared(name, reader), range_of_cards(reader)
    return replace(way, between=between, cards=None) if between else _without_cards(way)


def _without_cards(way: Way) -> Way:
    """Return an action with `ask` with 0 as its number of cards, unless it states one."""
    if way.ask is None or way.cards is not None:
        return way
    return replace(way, cards=ByPlayerCount(((None, Formula("0", Number(0), way.span)),), way.span))


WAYS = field(
    "As",
    "Ways: what can be done with what is chosen; everyone takes one that is open to it.",
    {"build": {"to": "tableau", "pay": {"coins": 2}}, "sell": {"to": "discard", "do": [{"add": {"coins": 3}}]}},
    schema=map_of(
        ID, described(schema_of(Way), Way.said.title, Way.said.description, *Way.said.examples), limits.WAYS, 1
    ),
    read=read_ways,
)


CHANGING_NAMES = frozenset({"round", "turn"})
"""Names whose values change during play but are equal for all seats."""


def depends_on_seat(step: Step, formula: Formula, zones: Zones, constant: Callable[[str], int | None]) -> bool:
    """True if a number of cards uses a name whose value can differ between seats."""
    if not step.is_for_each(zones) or about_the_card(formula.expr):
        return False
    read = {name for _, name in references(formula.expr)} - CHANGING_NAMES
    shared = {name for name, zone in zones.items() if zone.per == "table"}
    return any(constant(name) is None for name in read - shared)


def any_differs(step: Step, cases: ByPlayerCount | None, zones: Zones, constant: Callable[[str], int | None]) -> bool:
    """True if the number for some number of players depends on the seat."""
    return cases is not None and any(depends_on_seat(step, formula, zones, constant) for _, formula in cases.cases)
