"""Actions of a choice (“ways” in card sets): what can be done with the chosen cards.

- choose:
        from: hand
        as:
          build: {when: coins >= 2, pay: {coins: 2}, to: tableau}
          sell: {to: discard, do: [{add: {coins: 3}}]}

Each seat takes one of the actions that are open to it. Some actions take no card (`cards: 0`), such as a bid, an order
or a pass. An action takes none either if neither it nor its choice says anything about cards.

With `ask`, a seat asks the other players for a card, starting on the left. The first player who has the card in the
source zone of the choice must hand it over. The asking seat plays it immediately, and gives that player the card `give`
from its tableau. If nobody has the wanted card, `give` is discarded.
"""

from __future__ import annotations

import re
from functools import reduce
from typing import TYPE_CHECKING, Annotated, Any

from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.model.language.evaluate import references
from draftengine.model.language.macros import ANY_CARD, expand
from draftengine.model.language.payments import on_the_card
from draftengine.model.language.tree import Binary, Call, Comparison, LogicalOp, Name, Number, parts
from draftengine.model.records import (
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
    default_label,
    field,
    formulas_in,
    schema_of,
)
from draftengine.model.records.reader import Amount, ByPlayerCount, Formula
from draftengine.model.records.schema_fragments import ID, described, map_of, ref
from draftengine.model.verbs.effects import AddStep
from draftengine.model.verbs.piles import MoveStep
from draftengine.model.verbs.places import SUCH_TO_CHOOSE, both, cards_in, cards_of, numbered_label
from draftengine.model.verbs.turns import DoStep
from draftengine.model.verbs.verb import SIDE_UP, Step, number_key, read_list, with_sides_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import Reader, Texts
    from draftengine.model.verbs.verb import Zones
    from draftengine.support.source import Span

TABLEAU = "tableau"
ONLY = "take"
"""The name of the only action of a choice that has a range of cards but declares no actions."""
MOST = 20
"""The largest number of cards that a range may allow."""

PLACE, LINE, TOP = "place", "line", "top"
"""Special values of `take`: all cards of one place, those in a row or column, or the top card."""
_NOT_WITH_TAKE = ("of", "cards", "exactly", "ask", "give", "as", "also")
"""Keys of choices and actions that are refused beside `take`, because `take` always takes all cards."""
TAKE = field(
    "Take",
    "A way for each group of cards that can be taken. place: all cards of the zone `from` or of one of its copies; "
    "top: the first card there; line: all cards in a row or column of its copies. Without `from`, `take` names the "
    "zone itself.",
    "place",
    "top",
    "line",
    "top",
    "row",
    schema=ref("name"),
    read=lambda reader, name: reader.optional_word(name),
)

Range = tuple[int, int]
_RANGE = re.compile(r"\s*(\d{1,3})\s*-\s*(\d{1,3})\s*")


def range_of_cards(reader: Reader) -> Range | None:
    """Return the range under the key `cards`, such as 2 to 4; None if the value is a number or a formula.

    A range whose ends are equal or in the wrong order is reported.
    """
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
    """Return the name of the action that takes exactly `count` cards, made from an action with a range."""
    return f"{name}_{count}"


def written_out(way: Way, between: Range) -> Iterator[Way]:
    """Yield one action for each number of cards in the range.

    The action for the lowest number is also open to seats with fewer cards. Each other action requires its full number
    of cards.
    """
    low, high = between
    for count in range(low, min(high, MOST) + 1):
        yield replace(
            way,
            id=numbered(way.id, count),
            label=_label(way.label, "cards" if count else "cards.none", named=way.id != ONLY, count=count),
            cards=ByPlayerCount(((None, Formula(str(count), Number(count), way.span)),), way.span),
            such=way.such if count else None,
            part_of=way.id,
            between=between,
            exactly=way.exactly or count > low,
        )


def label_said(key: str, **values: object) -> Texts:
    """Return a label in every language: a phrase of the message catalogue with its arguments filled in."""
    return _label((), key, named=False, **values)


def _label(label: Texts, key: str, *, named: bool, **values: object) -> Texts:
    """Return a label in every language: `label`, followed by a phrase of the catalogue: ``Sell: 2 cards``."""
    from draftengine.support.locale import LANGUAGES, spoken  # noqa: PLC0415 (the words are loaded only for card sets with ranges)

    names = dict(label)
    texts = []
    for language in LANGUAGES:
        phrase = spoken(language).phrase(key, **values)
        name = names.get(language) or names.get("") or names.get("en") or next(iter(names.values()), "")
        texts.append((language, f"{name}: {phrase}" if named and name else phrase))
    return tuple(texts)


NAMELESS = ""
"""The name of an action that players do not see: it only limits which cards can be chosen."""


class Way(NamedRecord, frozen=True, kw_only=True):
    """An action. A seat may take it if its condition holds, its cost can be paid and it accepts a card."""

    said = field("Way", "One thing that can be done with the chosen cards.", {"to": "discard"})

    label: Label = ()
    text: Printed = ()
    when: Annotated[SeatCondition | None, field("When", "The condition for a seat to take this way.", "coins >= 2")] = (
        None
    )
    of: Annotated[
        CardOrFamilyNames,
        field(
            "Of",
            "Only these cards, or cards of these families, can be used for this way, or those for which a condition "
            "about its(…) or card holds.",
            ["tree"],
            "card == 0",
            schema=ref("cards_meant"),
            read=cards_of,
        ),
    ] = ()
    such: Annotated[SeatCondition | None, SUCH_TO_CHOOSE] = None
    ask: Annotated[
        CardName | None,
        field(
            "Ask",
            "The other players are asked for this card, from the left. The first who has it gives it to the seat, "
            "which plays it.",
            "soup",
        ),
    ] = None
    give: Annotated[
        CardName | None,
        field(
            "Give",
            "The card that the player gets in return. If nobody has the card in `ask`, it is discarded.",
            "ladle",
        ),
    ] = None
    cards: Annotated[
        FlowNumber | None,
        number_key(
            "The number of cards: a number, a formula that may differ by seat, or a range such as 1-2; 0 for no card. "
            "Default: the number in the choice, or no card."
        ),
    ] = None
    pay: Annotated[
        SeatAmounts,
        field(
            "Pay",
            "The price, which is subtracted from counters. The seat must have enough. With the name of a payment: "
            "`cost` for what the card costs, or the cost of the card on top of a zone.",
            {"coins": 2},
            {"build": "cost"},
            {"build": "stage.cost"},
        ),
    ] = ()
    to: Annotated[
        ZoneTo | None, field("To", "The zone that the cards go to. Default: the zone in the choice.", "discard")
    ] = None
    do: Annotated[
        tuple[Step, ...],
        field(
            "Do",
            "Further effects on the seat, and steps that the seat then carries out.",
            [{"add": {"coins": 3}}, {"draw": {"to": "hand", "cards": 1}}],
            schema=ref("steps"),
            read=read_list,
        ),
    ] = ()
    from_: Annotated[
        ZoneFrom | None,
        field(
            "From",
            "The zone or zones that cards are taken from. Default: the zone in the choice. A way from several zones, "
            "or from a zone with copies, is there once for each of them.",
            "row",
            ["row", "hand"],
            schema=ref("names"),
            read=lambda reader, name: next(iter(reader.words(name if reader.has(name) else "take")), None),
        ),
    ] = None
    take: Annotated[str | None, TAKE] = None
    exactly: Annotated[
        bool,
        field(
            "Exactly",
            "True if a seat must have the full number of cards. Otherwise a seat with fewer cards uses all of them.",
        ),
    ] = False
    source: Sources = ()
    side: Annotated[str | None, SIDE_UP] = None
    lands: str = ""
    """The zone that the cards reach by the first steps in `do`, once turned; empty without `side`."""
    part_of: str = ""
    """The id of the entry in the file from which several actions were made; empty if there is only one."""
    implied: bool = False
    """True if the file has no such entry: the keys of the choice itself made the action."""
    line: tuple[str, ...] = ()
    """The zones of the row or column whose cards the action takes. `do` begins with a step for each."""
    stated_when: Formula | None = None
    """The author's own condition, if `take: line` or a payment added more conditions to `when`."""
    payment: tuple[str, str] | None = None
    """The payment from which `pay` was made, and the zone with the card to pay for (or empty)."""
    handed: tuple[tuple[str, Amount], ...] = ()
    """The amounts that neighbours get instead of the bank, each with the neighbour."""
    bought: tuple[tuple[str, Formula], ...] = ()
    """The units that neighbours sell, each with the neighbour."""
    other_first: str = ""
    """The id of the action that differs only in the neighbour who sells first; usually empty."""
    between: Range | None = None
    """The lowest and highest number of cards that the entry states; ``None`` if it states no range."""

    @classmethod
    def path_to(cls, name: str) -> str:
        return super().path_to("of" if name == "such" else name)

    @property
    def entry(self) -> str:
        """The name of the action's entry in the file; empty if it has none."""
        return "" if self.implied else self.part_of or self.id

    @property
    def open_if(self) -> Formula | None:
        """The conditions `when` and `such` as one condition; ``None`` if there is neither."""
        return both(self.such, self.when, self.span)

    def admits(self, card: str, families: tuple[str, ...]) -> bool:
        """True if the action accepts a card with this name that belongs to these families."""
        return not self.of or not {card, *families}.isdisjoint(self.of)

    @property
    def names_cards(self) -> bool:
        """True if the action itself says how many cards it takes, which cards, or where they go."""
        return bool(self.cards or self.between or self.of or self.to or self.from_ or self.exactly or self.asks)

    @property
    def asks(self) -> bool:
        """True if the condition or cost reads attributes of the card with which the action is taken."""
        return _ask_for_a_card([amount.formula for amount in self.pay] + ([self.open_if] if self.open_if else []))

    @property
    def is_about_a_card(self) -> bool:
        """True if the condition, cost or effects read attributes of the card with which the action is taken."""
        return self.asks or _ask_for_a_card(
            formula for step in self.do for formula, *_ in formulas_in(by_itself(step), "")
        )

    @property
    def takes_none(self) -> bool:
        """True if the action takes no card, such as a bid, an order or a pass."""
        return self.cards is not None and all(formula.expr == Number(0) for _, formula in self.cards.cases)

    def takes_one(self, usual: ByPlayerCount | None) -> bool:
        """True if the action takes exactly one card. `usual` is the choice's own number of cards."""
        cases = self.cards or usual
        return cases is None or all(formula.expr == Number(1) for _, formula in cases.cases)

    @property
    def paying(self) -> AddStep | None:
        """An effect that subtracts the cost; None if the action is free."""
        if not self.pay:
            return None
        amounts = []
        for price in self.pay:
            text, expr = f"0 - ({price.formula.text})", Binary("-", Number(0), price.formula.expr)
            amounts.append(Amount(price.counter, Formula(text, expr, price.formula.span), price.span))
        return AddStep(amounts=tuple(amounts), span=self.span)

    @property
    def effects(self) -> tuple[Step, ...]:
        """The effects on the seat that takes the action: payments first, then `do`."""
        given = (AddStep(amounts=(amount,), span=self.span) for _, amount in self.handed)
        return (*given, *((self.paying,) if self.paying else ()), *self.do)


def _ask_for_a_card(formulas: Iterable[Formula]) -> bool:
    return any(map(about_the_card, (formula.expr for formula in formulas)))


def by_itself(step: Step) -> Step:
    """Return the step without the actions of its choice, because their formulas read other cards."""
    return replace(step, as_=()) if hasattr(step, "as_") else step


def about_the_card(expr: Expr) -> str:
    """Return the first attribute of the chosen card that a formula reads: ``its.x``; empty if none."""
    if isinstance(expr, Name) and expr.id.startswith("its."):
        return expr.id.removeprefix("its.")
    return next(filter(None, map(about_the_card, parts(expr))), "")


def read_ways(reader: Reader, name: str) -> tuple[Way, ...]:
    """Read the actions under a key. Their formulas may read attributes of the chosen card."""
    to = reader.word("to", TABLEAU)
    return tuple(way for key, inner in reader.about(ANY_CARD).each(name) for way in read_entry(key, inner, to))


def read_entry(name: str, reader: Reader, to: str = TABLEAU) -> Iterator[Way]:
    """Yield the actions made from an entry of the file: one for each place or line to take, or just one.

    The entry has no name if `take` is a key of the choice itself. `to` is the zone for cards if it names none.
    """
    way = _read_way(name, reader)
    if way.take is None or way.from_ is None:
        zones = [*sources(reader)] if way.from_ is not None else []
        for zone, label, part in zones if zones[1:] else ():
            yield from _with_other_first(f"{name}_{zone}", part, zone, name, label)
        if not zones[1:]:
            yield from _with_other_first(name, reader, zones[0][0] if zones else None)
        return
    to = way.to or to
    places, named_from = reader.short.board.places_of(way.from_), reader.has("from")
    for key in filter(reader.has, _NOT_WITH_TAKE):
        reader.report("zone-misuse", key, say="take-top-and" if way.take == TOP else "take-and", other=key)
    if named_from and way.take not in {PLACE, LINE, TOP}:
        reader.report("zone-misuse", "take", say="place-or-line", take=way.take)
    elif way.take == LINE and not places.lines:
        meant = did_you_mean(way.from_, (zone for zone, _ in reader.short.board.places)) or None
        say = "no-lines" if named_from else "line-of-what"
        reader.report("zone-misuse", "take", say=say, zone=way.from_, hint=meant)
        yield replace(way, take=None, from_=None)
    for line, places_of_line in places.lines.items() if way.take == LINE else ():
        key, _, number = line.partition("_")
        label = _label(way.label, f"line.{key}", named=bool(name), number=number)
        one = replace(
            way, id=f"{name}_{line}" if name else line, label=label, line=places_of_line, stated_when=way.when
        )
        yield _taken(one, places_of_line, reader, to)
    if way.take != LINE:
        for copy, zone in enumerate(reader.short.board.copies(way.from_), start=1):
            here = _read_way(name, reader.at_place(way.from_, copy))
            label = numbered_label(here.label, copy) if name else ()
            yield _taken(replace(here, id=numbered(name, copy) if name else zone, label=label), (zone,), reader, to)
        if not places.copies:
            yield _taken(replace(way, id=name or way.from_), (way.from_,), reader, to)


def sources(reader: Reader) -> Iterator[tuple[str, Texts, Reader]]:
    """Yield the places of the zones under `from`, each with its label and a reader of formulas about it."""
    board = reader.short.board
    reader.report_twice("from")
    for zone in dict.fromkeys(reader.short.here.get(word, word) for word in reader.words("from")):
        copies = board.copies(zone)
        for copy, place in enumerate(copies, start=1):
            yield place, numbered_label(board.places_of(zone).label, copy), reader.at_place(zone, copy)
        if not copies:
            yield zone, board.places_of(zone).label or default_label(zone), reader


def _with_other_first(
    name: str, reader: Reader, zone: str | None, entry: str = "", suffix: Texts = ()
) -> Iterator[Way]:
    """Yield the action from one place and, if two neighbours sell, the one in which the other sells first.

    If there are several places, `entry` is the name of the entry, and `suffix` the label of the place.
    """
    way = replace(_read_way(entry or name, reader), id=name, part_of=entry, from_=zone)
    if suffix:
        labels = dict(suffix)
        usual = labels.get("") or next(iter(labels.values()))
        way = replace(way, label=tuple((tag, f"{text} ({labels.get(tag, usual)})") for tag, text in way.label))
    yield way
    if way.bought[1:]:
        other = _read_way(entry or name, reader, other_first=True)
        label = _label(way.label, "way.other_first", named=True)
        yield replace(other, id=f"{name}_other", label=label, other_first=name, part_of=entry, from_=zone)


def _taken(way: Way, zones: tuple[str, ...], reader: Reader, to: str) -> Way:
    """Return the action with a step that takes all cards of the zones, or the top one, to the zone `to`.

    It is open if there are any cards.
    """
    cards = reduce(lambda one, other: Binary("+", one, other), map(cards_in, zones))
    some = Formula(" + ".join(f"cards({zone})" for zone in zones) + " > 0", Comparison(">", cards, Number(0)), way.span)
    top = way.take == TOP and way.from_ in {*zones, zones[0].rpartition("_")[0]} and reader.has("from")
    one = ByPlayerCount(((None, Formula("1", Number(1), way.span)),), way.span) if top else None
    played = top and to in reader.short.counting and zones[0] not in reader.short.counting
    common: dict[str, Any] = {"to": to, "cards": one, "side": way.side, "span": way.span, "for_one": True}
    moves = [MoveStep(from_=zone, played=played, **common) for zone in zones]
    return replace(
        way,
        when=both(some, way.when, way.span),
        cards=no_cards(way.span),
        do=(*(DoStep.around(move, reader, with_sides_up(move.turned(reader), reader)) for move in moves), *way.do),
        take=None,
        from_=None,
    )


def _read_way(name: str, reader: Reader, *, other_first: bool = False) -> Way:
    """Read one action. With `ask`, it takes no card from the seat unless it states a number of cards.

    With `other_first`, return the action with the other order of the neighbours who sell.
    """
    way = _with_payment(Way.declared(name, reader), reader, other_first=other_first)
    between = range_of_cards(reader)
    if between:
        return replace(way, between=between, cards=None)
    return way if way.ask is None or way.cards is not None else replace(way, cards=no_cards(way.span))


def _with_payment(way: Way, reader: Reader, *, other_first: bool) -> Way:
    """Return the action with its cost and condition computed from the payment that it names, if any."""
    named = [amount for amount in way.pay if amount.counter in reader.short.payments]
    if not named:
        return way
    asked, span = named[0].formula, named[0].span
    zone, _, cost = asked.text.rpartition(".")
    if len(way.pay) > 1 or cost != _COST:
        reader.report("wrong-payment", "pay", say="pay", payment=named[0].counter)
        return replace(way, pay=())

    def number(name: str) -> Expr:
        return Call("on_top", (Name(zone), Name(name))) if zone else on_the_card(name)

    def formula(expr: Expr) -> Formula:
        return Formula("", expand(expr, reader.short), asked.span)

    due = reader.short.payments[named[0].counter].due(number, other_first=other_first)
    conditions = [each for each in (due.possible, due.choice if other_first else None) if each is not None]
    possible = formula(reduce(lambda one, other: LogicalOp("and", one, other), conditions)) if conditions else None
    return replace(
        way,
        when=both(possible, way.when, asked.span) if possible and way.when else possible or way.when,
        stated_when=way.when,
        pay=tuple(Amount(counter, formula(amount), span) for counter, amount in due.amounts),
        handed=tuple((seat, Amount(counter, formula(amount), span)) for seat, counter, amount in due.handed),
        bought=tuple((seat, formula(units)) for seat, units in due.bought),
        payment=(named[0].counter, zone),
    )


_COST = "cost"
"""The value under a payment's name in `pay`: ``cost``, or ``ZONE.cost`` for the card on top of a zone."""


def no_cards(span: Span) -> ByPlayerCount:
    """Return 0 as a number of cards, for an action that takes none."""
    return ByPlayerCount(((None, Formula("0", Number(0), span)),), span)


WAYS = field(
    "As",
    "The ways, which are the things that can be done with the chosen cards. Each seat takes one that is open to it.",
    {"build": {"to": "tableau", "pay": {"coins": 2}}, "sell": {"to": "discard", "do": [{"add": {"coins": 3}}]}},
    schema=map_of(
        ID, described(schema_of(Way), Way.said.title, Way.said.description, *Way.said.examples), limits.WAYS, 1
    ),
    read=read_ways,
)


CHANGING_NAMES = frozenset({"round", "turn"})
"""The names whose value changes during play, but is always the same for all seats."""


def depends_on_seat(step: Step, formula: Formula, zones: Zones, constant: Callable[[str], int | None]) -> bool:
    """True if the number of cards, which the formula gives, can differ between seats."""
    if not step.is_for_each(zones) or about_the_card(formula.expr):
        return False
    read = {name for _, name in references(formula.expr)} - CHANGING_NAMES
    shared = {name for name, zone in zones.items() if zone.per == "table"}
    return any(constant(name) is None for name in read - shared)


def any_differs(step: Step, cases: ByPlayerCount | None, zones: Zones, constant: Callable[[str], int | None]) -> bool:
    """True if the number of cards can differ between seats, for at least one number of players."""
    return cases is not None and any(depends_on_seat(step, formula, zones, constant) for _, formula in cases.cases)
