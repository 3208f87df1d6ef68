"""Macros: the shorthand in formulas, which is expanded before formulas are checked.

The shorthand includes definitions, sums over families, attributes of cards, and conditions used as numbers. All later
code sees only numbers, names and plain functions. All nodes made from a call have that call's position in the text.
"""

from __future__ import annotations

from functools import lru_cache, partial, reduce
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.diagnostics.suggest import closest, did_you_mean
from draftengine.model.language.builtins import (
    BUILTINS,
    HAS,
    LYING,
    Aggregate,
    MacroFunction,
    NumericFunction,
    OtherSeatFunction,
    ZoneAggregate,
)
from draftengine.model.language.mistakes import FormulaError
from draftengine.model.language.parse import parse
from draftengine.model.language.tree import (
    Binary,
    BooleanLiteral,
    Call,
    Comparison,
    Conditional,
    Expr,
    LogicalOp,
    Name,
    Number,
    Unary,
    nodes_in,
    parts,
    whole,
    with_parts,
)
from draftengine.support.identity import IdentityKey
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from draftengine.model.language.payments import Payment
    from draftengine.support.locale.phrases import Value

ANY_CARD = "*"
"""The name for a card known only during play. Its attributes become names such as ``its.cost``."""
ANY_FORM = "*form"
"""The name for the form in which a wild card would be played.

In its condition, ``card`` and ``family`` are the names of counters.
"""
EACH_LYING = "*its"
"""The name for each card of a zone in turn. Its attributes become names such as ``*its.cost``."""
UNKNOWN = {ANY_CARD: "its.", ANY_FORM: "its.", EACH_LYING: LYING}
"""For each of these names, the prefix of the attributes."""
_REMEMBERED = 1 << 12


class Definition(Struct, frozen=True):
    """A formula to which the card set gives a name, with parameters if it has any."""

    parameters: tuple[str, ...]
    expr: Expr
    bare: bool
    """True if calls have no parentheses, because the definition has no parameters."""


class Places(Struct, frozen=True):
    """The copies of a zone that exists several times, with their limits."""

    copies: tuple[tuple[str, int], ...]
    """The name of each copy, and the smallest number of players in whose games it is used."""
    holds: int | None = None
    """The largest number of cards in a copy; ``None`` if there is no limit."""
    fits: Expr | None = None
    """The condition that a card must meet to lie in a copy; ``None`` if there is none."""
    columns: int = 0
    """The number of columns if the copies form a table of rows and columns; otherwise 0."""
    label: tuple[tuple[str, str], ...] = ()
    """The label of the zone: pairs of a language and a text."""
    counters: tuple[str, ...] = ()
    """The counters that each copy has."""

    @property
    def lines(self) -> dict[str, tuple[str, ...]]:
        """The copies in each row and column, by names such as ``row_1``; empty if they form no table."""
        names = [name for name, _ in self.copies] if self.columns else []
        rows = (names[first : first + self.columns] for first in range(0, len(names), self.columns or 1))
        columns = (names[first :: self.columns] for first in range(self.columns))
        lines = (("row", rows), ("column", columns))
        return {f"{line}_{number}": tuple(copies) for line, every in lines for number, copies in enumerate(every, 1)}


OTHERS = "others"
PLAYERS = (OTHERS, "everyone")
"""The words for the players that a step can name: any player but the one that names, or any player."""
WITH_CARDS = ("hand", "tableau", "discard")
"""The built-in zones with cards that a step can name."""


class Naming(Struct, frozen=True):
    """A name that a step gives to a copy of the zone `of`, to a card in it, or to a player."""

    name: str
    of: str
    is_card: bool = False
    """True if the name is for a card in the zone: the zone has no copies."""

    @property
    def counter(self) -> str:
        """The hidden counter of each seat with the number of what the name means there."""
        return f"{NAMED}{self.name}"

    def is_it(self, number: Expr) -> Expr:
        """Return the condition that the name means the candidate with this number."""
        return Comparison("==", Name(self.counter), number)


class Candidate(Struct, frozen=True):
    """A copy of a zone, a card or a player that a name from a step can mean."""

    number: Expr
    """The value that the counter of the name has for this candidate. Candidates are numbered from 1."""
    id: str = ""
    """The name of the copy, or of the action that names a player."""
    there: Expr | None = None
    """The condition under which the candidate is in the game; ``None`` if it always is."""
    place: int = 0
    """The number of the copy, from 1; 0 if the candidate is no copy of a zone."""
    distance: int = -1
    """For a player, the distance in seats to the left; -1 for copies and cards."""


TRACK = "track:"
"""The prefix of the hidden counters for the order of arrival on a track."""
ARRIVALS = limits.SEATS + 1
"""The number of different values that an order of arrival can have.

While a seat arrives, its value can be above those of all other seats.
"""


class Track(Struct, frozen=True):
    """A *track*: a counter on which seats with equal values are ordered by their arrival.

    For each seat, a hidden second counter, its *arrival*, is the number of seats that came to the same value before it.
    A seat that arrives gets an arrival above theirs. Then all seats are numbered anew, so that the order stays exact
    even if seats come back often.
    """

    name: str
    ahead: str
    """Which of the seats with the same value is ahead: the ``first`` or the ``last`` that came to it."""
    start: int = 0
    low: int = 0
    high: int | None = None

    @property
    def counter(self) -> str:
        return f"{TRACK}{self.name}"

    @property
    def measure(self) -> Expr:
        """The number by which seats are compared: the value comes first, then the arrival decides."""
        arrival: Expr = Name(self.counter)
        if self.ahead == "first":
            arrival = Binary("-", Number(limits.SEATS), arrival)
        return Binary("+", self._without_arrival, arrival)

    @property
    def measure_unless_equal(self) -> Expr:
        """The number by which seats are compared; if all have the same value, only this value."""
        differs = Comparison("!=", Name(self.name), Call("my", (Name(self.name),)))
        others = Comparison(">", Call("others_with", (differs,)), Number(0))
        return Conditional(self.measure, others, self._without_arrival)

    @property
    def _without_arrival(self) -> Expr:
        return Binary("*", Name(self.name), Number(ARRIVALS))

    def arrival(self, value: Expr) -> Expr:
        """Return the arrival of a seat whose counter is set to `value`. It stays the same if the value does."""
        value = Call("max", (value, whole(self.low)))
        value = value if self.high is None else Call("min", (value, whole(self.high)))
        here = Comparison("==", Name(self.name), Call("my", (value,)))
        later = Conditional(Binary("+", Name(self.counter), Number(1)), here, Number(0))
        stays = Comparison("==", value, Name(self.name))
        begins = Comparison("==", value, whole(self.start))
        moved = Conditional(Number(0), begins, Call("others_most", (later,)))
        return Conditional(Name(self.counter), stays, moved)

    @property
    def rank(self) -> Expr:
        """The arrival after all are numbered anew: the number of seats that came to the same value before."""
        here = Comparison("==", Name(self.name), Call("my", (Name(self.name),)))
        before = Comparison("<", Name(self.counter), Call("my", (Name(self.counter),)))
        return Call("others_with", (LogicalOp("and", here, before),))


CARD_NUMBER = ":number"
"""A hidden attribute of every card: its number in the card set, from 1. Authors cannot write it.

Cards that are copies of the same card of the file have the same number.
"""


def copies_of_card(zones: Sequence[str]) -> Expr:
    """Return a formula that counts, in `zones` of a seat, the copies of the card that it is about."""
    same = Comparison("==", Name(f"{LYING}{CARD_NUMBER}"), Name(f"its.{CARD_NUMBER}"))
    copies: Iterable[Expr] = (Call("cards", (Name(zone), same)) for zone in zones)
    return reduce(partial(Binary, "+"), copies)


LAID_OUT = "list:laid_out"
"""A hidden shared zone, seen by everyone, for the cards of another seat while some of them are taken."""
SHOWN = "list:shown"
"""A hidden shared zone, seen by everyone, for cards on their way to another seat."""
HANDED_OVER = "list:handed_over"
"""A hidden shared zone like `SHOWN`, but seen by nobody."""

NAMED = "name:"
"""The prefix of the hidden counters for the meanings of names."""


class Board(Struct, frozen=True):
    """The markers, zones and names of a game, as far as steps and formulas can refer to them."""

    markers: tuple[str, ...] = ()
    """The names of the markers. The key `who` of a step can name one to mean its holder."""
    shared: tuple[str, ...] = ()
    """The shared zones that have no copies."""
    zones_of_seats: tuple[str, ...] = ("hand", "tableau")
    """The zones that each seat has, including copies."""
    open_zones: frozenset[str] = frozenset(("tableau", "discard"))
    """The zones, including copies, whose cards everybody sees."""
    places: tuple[tuple[str, Places], ...] = ()
    """The zones with copies."""
    limited: tuple[tuple[str, Places], ...] = ()
    """The zones without copies that state which cards, or how many, they take."""
    counters: tuple[tuple[str, str], ...] = ()
    """The counters that every copy of a zone has, as (counter, zone)."""
    namings: tuple[Naming, ...] = ()
    clashes: tuple[tuple[str, str], ...] = ()
    """The names given by steps that a zone or counter also has, as (name, ``zone`` or ``counter``)."""
    players: int = 0
    """The largest number of players."""
    tracks: tuple[Track, ...] = ()
    sides: tuple[tuple[str, str], ...] = ()
    """The zones, or their copies, in which a certain side of cards is always up, as (zone, side)."""
    on_cards: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Counters that cards have, as (counter, cards with it). There is only one copy of each such card."""
    apart: tuple[tuple[str, str], ...] = ()
    """The cards that are single copies of a card of the file, as (copy, card of the file)."""

    def on_card(self, counter: str, card: str) -> str:
        """Return the name of a card's counter; empty if the card has no such counter."""
        return f"{counter}_{card}" if card in dict(self.on_cards).get(counter, ()) else ""

    @property
    def all_shared(self) -> frozenset[str]:
        """All shared zones, including copies, and hidden ones."""
        copies = {name for _, places in self.places for name, _ in places.copies}
        return frozenset({LAID_OUT, SHOWN, HANDED_OVER, *self.shared, *copies.difference(self.zones_of_seats)})

    @property
    def words_for_one_seat(self) -> tuple[str, ...]:
        """The words with which a step list can name a single other seat, or its zone."""
        return ("left", "right", *self.markers, *(naming.name for naming in self.namings if naming.of in PLAYERS))

    def naming(self, name: str) -> Naming | None:
        """Return what a name from a step can mean; ``None`` if no step gives this name."""
        return next((naming for naming in self.namings if naming.name == name), None)

    def candidates(self, of: str) -> tuple[Candidate, ...]:
        """Return all candidates: the copies of the zone `of`, or the players."""
        if of not in PLAYERS:
            copies = enumerate(self.copies(of), start=1)
            return tuple(Candidate(Number(copy), zone, self.there(of, copy), place=copy) for copy, zone in copies)
        distances = range(of == OTHERS, self.players)
        return tuple(
            Candidate(
                Number(number),
                f"left_{distance}",
                Comparison(">", Name("players"), Number(distance)),
                distance=distance,
            )
            for number, distance in enumerate(distances, start=1)
        )

    def naming_of_place(self, name: str) -> Naming | None:
        """Return what a name from a step can mean if that is a copy of a zone, otherwise ``None``."""
        return naming if (naming := self.naming(name)) is not None and self.copies(naming.of) else None

    def by_arrival(self, expr: Expr) -> Expr:
        """Return the formula that also compares the order of arrival if `expr` is the value of a track."""
        track = next((track for track in self.tracks if expr == Name(track.name)), None)
        return expr if track is None else track.measure

    def copies(self, zone: str) -> tuple[str, ...]:
        """Return the names of the copies of a zone; empty if it has no copies."""
        return tuple(name for name, _ in self.places_of(zone).copies)

    def places_of(self, zone: str) -> Places:
        return next((places for name, places in (*self.places, *self.limited) if name == zone), Places(()))

    def copy_of(self, name: str) -> tuple[str, int]:
        """Return the zone that has a copy called `name`, and the copy's number from 1; otherwise `name` and 0."""
        copies = ((zone, copy, its) for zone, _ in self.places for copy, its in enumerate(self.copies(zone), start=1))
        return next(((zone, copy) for zone, copy, its in copies if its == name), (name, 0))

    def at(self, zone: str, copy: int) -> dict[str, str]:
        """Return the names of one copy and of its counters, by the names of the zone and its counters.

        Formulas about the copy use its names instead of the zone's. Copies are numbered from 1.
        """
        places = self.places_of(zone)
        name, _ = places.copies[copy - 1]
        return {zone: name, **{counter: f"{counter}_{copy}" for counter in places.counters}}

    def there(self, zone: str, copy: int) -> Expr | None:
        """Return the condition that there are enough players for a copy; ``None`` if it is always used."""
        _, fewest = self.places_of(zone).copies[copy - 1]
        return Comparison(">=", Name("players"), Number(fewest)) if fewest > 1 else None


class MacroScope(Struct, frozen=True):
    """The meanings of shorthand in the formulas of one card set."""

    defined: Mapping[str, Definition] = field(default_factory=dict)
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The members of each family: cards, and families within it."""
    has: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """The attributes of each card, with their values."""
    card: str = ""
    """The card that the formula is about; empty if it is about none."""
    counting: tuple[str, ...] = ()
    """The zones where cards add to counters. Each card's name is a counter of its copies there."""
    board: Board = Board()
    payments: Mapping[str, Payment] = field(default_factory=dict)
    away: int = 0
    """The distance to the left of the player for whom the formula is evaluated."""
    here: Mapping[str, str] = field(default_factory=dict)
    """In formulas about one copy of a zone: the names that replace those of the zone and its counters."""
    made: dict[str, MacroScope] = field(default_factory=dict)
    """A cache of the scopes made from this one, by card, distance of a player, or copy of a zone."""

    def about(self, card: str) -> MacroScope:
        """Return this scope for formulas about one card."""
        if card not in self.made:
            self.made[card] = replace(self, card=card)
        return self.made[card]

    def seen_from(self, distance: int) -> MacroScope:
        """Return this scope for formulas that are evaluated for the player this many seats to the left."""
        key = f"{distance}"
        if key not in self.made:
            self.made[key] = replace(self, away=distance, made={})
        return self.made[key]

    def at(self, zone: str, copy: int) -> MacroScope:
        """Return this scope for formulas about one copy of a zone. Copies are numbered from 1."""
        key = f"{zone} {copy}"
        if key not in self.made:
            self.made[key] = replace(self, here={**self.here, **self.board.at(zone, copy)}, made={})
        return self.made[key]


def is_condition(expr: Expr) -> bool:
    """True if a formula without mistakes gives a truth value."""
    match expr:
        case BooleanLiteral() | Comparison() | LogicalOp() | Unary(op="not") | Call(function="holds"):
            return True
        case Conditional():
            return is_condition(expr.then) and is_condition(expr.otherwise)
        case Call() if isinstance(BUILTINS.get(expr.function), OtherSeatFunction) and expr.arguments:
            return is_condition(expr.arguments[0 if expr.function == "my" else -1])
        case _:
            return False


def as_number(expr: Expr) -> Expr:
    """Return the formula as a number: a condition becomes 1 if it holds, otherwise 0."""
    if is_condition(expr):
        return Conditional(Number(1, expr.start, expr.start), expr, Number(0, expr.end, expr.end), expr.start, expr.end)
    return expr


def as_tests_of_card(expr: Expr, short: MacroScope) -> Expr:
    """Return a condition in which ``soup``, the name of a card or family, is the test ``its(soup)``."""
    match expr:
        case Name(name) if name not in short.defined and (name in short.has or name in short.members):
            return Call("its", (expr,), expr.start, expr.end)
        case LogicalOp() | Unary("not"):
            return with_parts(expr, [as_tests_of_card(part, short) for part in parts(expr)])
    return expr


def as_condition(expr: Expr, short: MacroScope) -> Expr:
    """Return a test of the card, such as ``its(soup)`` for a card or family, as a condition.

    Return any other formula unchanged.
    """
    match expr:
        case Name():
            _, dot, name = expr.id.partition("its.")
            if dot and (name in short.has or name in short.members):
                return Comparison(">", expr, Number(0, expr.end, expr.end), expr.start, expr.end)
    return expr


def expand(expr: Expr, short: MacroScope, values: Iterable[str] = (), of: str | None = None) -> Expr:
    """Return the formula with its shorthand expanded. The names in `values` stay unchanged.

    If the formula belongs to a definition, `of` is the name of this definition. Raises `FormulaError` for shorthand
    that cannot be expanded.
    """
    if not (short.card or values or of):
        return _remembered(IdentityKey(expr), IdentityKey(short))
    writer = _Writer(short)
    writer.inside += [of] if of else []
    return writer.write(expr, {name: Name(name, expr.start, expr.end) for name in values})


@lru_cache(_REMEMBERED)
def _remembered(expr: IdentityKey[Expr], short: IdentityKey[MacroScope]) -> Expr:
    """Expand a formula. Results are cached by identity, because variants share most formulas and scopes."""
    return _Writer(short.own).write(expr.own, {})


def known_again(short: MacroScope) -> MacroScope:
    """Return an equal scope from the cache, so that its expansions are reused, or else make one."""
    has = tuple((card, tuple(numbers.items())) for card, numbers in short.has.items())
    payments = tuple(short.payments.items())
    return _words(
        tuple(short.defined.items()), tuple(short.members.items()), has, short.counting, short.board, payments
    )


@lru_cache(8)
def _words(
    defined: tuple[tuple[str, Definition], ...],
    members: tuple[tuple[str, tuple[str, ...]], ...],
    has: tuple[tuple[str, tuple[tuple[str, int], ...]], ...],
    counting: tuple[str, ...],
    board: Board,
    payments: tuple[tuple[str, Payment], ...],
) -> MacroScope:
    numbers_of = {card: dict(numbers) for card, numbers in has}
    return MacroScope(dict(defined), dict(members), numbers_of, counting=counting, board=board, payments=dict(payments))


class _Writer:
    def __init__(self, short: MacroScope) -> None:
        self.short = short
        self.card = short.card
        """The card that the part being expanded is about. It can differ from the card of the whole formula."""
        self.nodes = 0
        self.here = dict(short.here)
        self.elsewhere = 0
        """The number of functions around the current part that read other seats."""
        self.away = short.away
        self.defining = 0
        """The number of definitions around the current part, including functions defined by a formula."""
        self.inside: list[str] = []
        """The definitions that are being expanded, outermost first."""
        self.counters_lying: set[str] = set()
        """During an expansion for each card of a zone: the counters of cards that are read."""
        self.compared = ""
        """The last function in the current argument that compares a seat with other seats; empty if none."""
        self.comparing: dict[int, tuple[Expr, str]] = {}
        """Arguments of definitions with such a function, and its name, by the argument's identity."""

    def write(self, expr: Expr, local: Mapping[str, Expr]) -> Expr:  # noqa: PLR0911 (one for each kind of shorthand)
        """Expand one node. `local` has the values of parameters and, in sums over a family, of ``card``."""
        self.count(1, expr)
        builtin = BUILTINS.get(expr.function) if isinstance(expr, Call) else None
        match expr:
            case Name():
                return self.named(expr, local)
            case Call() if expr.function in self.short.defined and not self.short.defined[expr.function].bare:
                return self.called(
                    expr, expr.function, tuple(self.argument(argument, local) for argument in expr.arguments)
                )
            case Call(arguments=(argument,)) if isinstance(builtin, MacroFunction) and builtin.means:
                return self.meant(expr, builtin.means, argument, local)
            case Call("its", (Name() as what,)) if self.card in self.short.has or self.card in UNKNOWN:
                return self.its(expr, what, local)
            case Call("its", (Name(name),)) if name not in local:
                return expr  # an attribute, even if a definition has its name
            case Call("my", (inner,)) if self.away or self.card != self.short.card:
                return self.asker(expr, inner, local)
            case Call(arguments=(Name() as name, *_)) if naming := self.naming(expr, name, local):
                return self.by_name(expr, naming, local)
            case Call(arguments=(zone, what, *rest)) if isinstance(builtin, ZoneAggregate):
                return self.among(expr, zone, what, rest, local)
            case Call("over" | "top", (*count, Name() as many, inner)) if self.stands_for_many(expr, many, inner):
                terms = self.over(many.id, inner, local)
                most = self.write(count[0], local) if count else Number(len(terms))
                return replace(as_top(most, terms), start=expr.start, end=expr.end)
        return self.in_parts(expr, local)

    def asker(self, expr: Call, inner: Expr, local: Mapping[str, Expr]) -> Expr:
        """Expand ``my(x)``: x for the seat and the card of the whole formula.

        If the formula is evaluated for a player to the left, ``my`` within a definition means that player.
        """
        if not self.away:
            asked = self.about(self.short.card, inner, local)
            return asked if _is_of_a_card(asked) else replace(expr, arguments=(asked,))
        if self.defining:
            return replace(expr, arguments=(at_left(self.away, self.write(inner, local)),))
        away, self.away = self.away, 0
        asked = self.write(inner, local)
        self.away = away
        return replace(expr, arguments=(asked,))

    def count(self, more: int, expr: Expr) -> None:
        """Add to the number of nodes. Raises `FormulaError` if the formula becomes too large."""
        self.nodes += more
        if self.nodes > limits.NODES:
            raise FormulaError("too-large", expr.start, expr.end, {"most": limits.NODES})

    def given(self, expr: Expr, value: Expr) -> Expr:
        """Return `value`, the argument of a definition. Count its nodes again, as each use copies them."""
        waiting = [value]
        while waiting:
            inner = parts(waiting.pop())
            self.count(len(inner), expr)
            waiting += inner
        return value

    def named(self, expr: Name, local: Mapping[str, Expr]) -> Expr:
        if expr.id in local:
            _, self.compared = self.comparing.get(id(local[expr.id]), (None, self.compared))
            if self.elsewhere and id(local[expr.id]) in self.comparing:
                raise FormulaError("elsewhere", expr.start, expr.end, {"name": self.compared})
            return self.given(expr, local[expr.id])
        if expr.id in self.here:
            return replace(expr, id=self.here[expr.id])
        zone, dot, name = expr.id.partition(".")
        if dot and isinstance(there := local.get(zone), Name):  # the zone is a parameter of the definition
            expr = Name(f"{there.id}.{name}", expr.start, expr.end)
        if name == "card" and isinstance(card := local.get("card"), Name):
            # ``zone.card`` is the counter of the copies of a card in a zone where cards add to counters.
            place, known = expr.id.removesuffix(".card"), self.short.counting
            alone = local.get(zone) == Name(zone)  # true if a definition itself is checked, whose zone is not known
            if not alone and (place not in known or len(known) == 1):
                meant = closest(place, known) if place not in known else None
                hint = said("hint.did-you-mean", meant=f"{meant}.card") if meant else ""
                raise FormulaError("part", expr.start, expr.end, {"name": expr.id}, hint)
            return Name(f"{place}.{card.id}", expr.start, expr.end)
        if expr.id in self.short.defined and self.short.defined[expr.id].bare:
            return self.called(expr, expr.id, ())
        is_counter = self.card in self.short.has or self.card in self.short.members
        if expr.id == "card" and (is_counter or self.card == ANY_CARD):
            here = dict(self.short.board.apart).get(self.card, self.card)
            return _placed(Name(here) if is_counter else copies_of_card(self.short.counting), expr.start, expr.end)
        if expr.id in dict(self.short.board.on_cards):
            raise FormulaError("on-card", expr.start, expr.end, {"name": expr.id})
        if expr.id.startswith("its.") and "its" not in self.short.counting:
            values = {"name": expr.id, "attribute": expr.id.removeprefix("its.")}
            raise FormulaError("its", expr.start, expr.end, values)
        return expr

    def about(self, card: str, expr: Expr, local: Mapping[str, Expr]) -> Expr:
        """Expand a part of the formula for a certain card."""
        around, self.card = self.card, card
        written = self.write(expr, local)
        self.card = around
        return written

    def its(self, expr: Expr, what: Name, local: Mapping[str, Expr]) -> Expr:
        """Expand ``its(…)``: an attribute of the current card, or its membership of a family."""
        member = local.get("card") if what.id == "card" else None
        name = member.id if isinstance(member, Name) else what.id
        if name in dict(self.short.board.on_cards):
            return self.counter_of_card(replace(what, id=name))
        value = self.number(replace(what, id=name), self.card)
        if self.card in UNKNOWN and any(name in has for has in self.short.has.values()):
            return Name(f"{UNKNOWN[self.card]}{name}", expr.start, expr.end)
        return _placed(value, expr.start, expr.end)

    def counter_of_card(self, what: Name) -> Expr:
        """Expand a counter that cards have: the counter of the current card, or 0 if the card has none."""
        if self.card == EACH_LYING:
            self.counters_lying.add(what.id)
        elif self.card in UNKNOWN:
            raise FormulaError("on-card", what.start, what.end, {"name": what.id})
        name = self.short.board.on_card(what.id, self.card)
        return replace(what, id=name) if name else Number(0, what.start, what.end)

    def number(self, what: Name, card: str) -> Expr:
        """Return a card's attribute as a node. Raises `FormulaError` if no card has the attribute."""
        known = {name for has in self.short.has.values() for name in has}
        goods = (part.goods for payment in self.short.payments.values() for part in payment.parts)
        if what.id not in known.union(*goods):
            hint = did_you_mean(what.id, sorted(known))
            raise FormulaError("attribute", what.start, what.end, {"name": what.id}, hint)
        value = self.short.has.get(card, {}).get(what.id, 0)
        return whole(value)

    def among(self, expr: Call, zone: Expr, what: Expr, rest: Sequence[Expr], local: Mapping[str, Expr]) -> Expr:
        """Expand a function of the cards in a zone, such as ``cards(market, soup)``.

        `what` is the name of an attribute, or a formula or definition about each card. In a zone where cards add to
        counters, a card's name becomes the counter of its copies.
        """
        if isinstance(what, Name) and what.id in dict(self.short.board.on_cards):
            what = Call("its", (what,), what.start, what.end)
        if isinstance(what, Name) and (what.id in local or what.id not in self.short.defined):
            what = self.write(what, local)
        else:
            self.counters_lying.clear()
            written = self.about(EACH_LYING if self.short.has else self.card, what, local)
            if self.counters_lying:
                return self.card_by_card(expr, self.write(zone, local), what, local)
            what = self.asked_for(what, written) if expr.function == "cards" else as_number(written)
        zone = self.write(zone, local)
        rest = [as_number(self.write(argument, local)) for argument in rest]
        named = {*self.short.has, *self.short.members}
        as_it_is = not isinstance(what, Name) or what.id.startswith(("its.", LYING)) or not self.short.has
        if as_it_is or not isinstance(zone, Name) or zone.id in named:
            return replace(expr, arguments=(zone, what, *rest))
        assert isinstance(what, Name)
        numbers = expr.function != "cards"
        meant = {name for has in self.short.has.values() for name in has} - named if numbers else named
        if what.id not in meant:
            values = {"name": what.id, "signature": BUILTINS["cards"].signature}
            hint = did_you_mean(what.id, sorted(meant))
            raise FormulaError("attribute" if numbers else "card", what.start, what.end, values, hint)
        if expr.function == "on_top":
            return replace(expr, arguments=(zone, Name(f"{LYING}{what.id}", what.start, what.end), *rest))
        if not numbers and zone.id in self.short.counting:
            counter = f"{zone.id}.{what.id}" if len(self.short.counting) > 1 else what.id
            return Name(counter, expr.start, expr.end)
        return replace(expr, arguments=(zone, Name(f"{HAS}{what.id}", what.start, what.end), *rest))

    def card_by_card(self, expr: Call, zone: Expr, what: Expr, local: Mapping[str, Expr]) -> Expr:
        """Expand ``sum(zone, x)`` or ``cards(zone, x)`` into a sum over the cards whose counters x reads."""
        counting, on_cards = self.short.counting, dict(self.short.board.on_cards)
        cards = dict.fromkeys(card for counter in sorted(self.counters_lying) for card in on_cards[counter])
        if expr.function not in {"sum", "cards"} or not isinstance(zone, Name) or zone.id not in counting:
            raise FormulaError("on-card.zone", expr.start, expr.end, {"list": ", ".join(counting)})
        terms: list[Expr] = []
        for card in cards:
            value = self.about(card, what, local)
            value = as_number(self.asked_for(what, value) if expr.function == "cards" else value)
            terms.append(Binary("*", Name(f"{zone.id}.{card}" if len(counting) > 1 else card), value))
        self.count(len(terms), expr)
        total = as_top(Number(len(terms)), tuple(terms))
        return _placed(total, expr.start, expr.end, expr.function)

    def naming(self, expr: Call, name: Name, local: Mapping[str, Expr]) -> Naming | None:
        """Return the meaning of a call's first argument, if it is a name from a step, otherwise ``None``.

        A wrong number of arguments is reported later, when the call is checked.
        """
        meant = local.get(name.id, name)
        naming = self.short.board.naming(meant.id) if isinstance(meant, Name) else None
        wanted = {"chosen": 1, "of": 2}.get(expr.function, len(expr.arguments))
        if naming is None or len(expr.arguments) != wanted:
            return None
        if expr.function == "chosen":
            return naming
        in_zone = isinstance(BUILTINS.get(expr.function), ZoneAggregate) and naming.of not in PLAYERS
        return naming if not naming.is_card and (expr.function == "of" or in_zone) else None

    def by_name(self, expr: Call, naming: Naming, local: Mapping[str, Expr]) -> Expr:
        """Expand a call about a name from a step: an ``if`` for each possible meaning, and 0 without one."""
        if expr.function == "chosen":
            return Comparison(">", Name(naming.counter), Number(0), expr.start, expr.end)
        board, around, values = self.short.board, self.here, list[Expr]()
        candidates = board.candidates(naming.of)
        for candidate in candidates:
            if candidate.place:
                self.here = {**around, **board.at(naming.of, candidate.place)}
                there = replace(expr, arguments=(Name(candidate.id), *expr.arguments[1:]))
                values.append(self.write(expr.arguments[1] if expr.function == "of" else there, local))
                continue
            self.elsewhere += 1
            value, distance = self.write(expr.arguments[1], local), candidate.distance
            self.elsewhere -= 1
            values.append(at_left(distance, value) if distance or not _asks(value) else at_itself(value))
        self.here = around
        result: Expr = BooleanLiteral(value=False) if all(map(is_condition, values)) else Number(0)
        for candidate, value in zip(reversed(candidates), reversed(values), strict=True):
            result = Conditional(value, naming.is_it(candidate.number), result)
        return _placed(result, expr.start, expr.end)

    def stands_for_many(self, expr: Call, many: Name, inner: Expr) -> bool:
        """True if the call is expanded for each copy of the zone, or each member of the family, named `many`."""
        if self.short.board.copies(many.id):
            return True
        return many.id in self.short.members and (expr.function == "over" or _mentions_card(inner))

    def over(self, family: str, expr: Expr, local: Mapping[str, Expr]) -> tuple[Expr, ...]:
        """Return the expansions of a formula: one for each member of a family, or each copy of a zone."""
        if self.short.board.copies(family):
            return self.over_places(family, expr, local)
        if not self.reads_member(expr) and any(isinstance(node, Name) for node in nodes_in(expr)):
            raise FormulaError("over-same", expr.start, expr.end, {"family": family})
        members = self.short.members[family]
        return tuple(
            as_number(self.about(name, expr, {**local, "card": Name(name, expr.start, expr.end)})) for name in members
        )

    def reads_member(self, expr: Expr) -> bool:
        """True if a formula, or a definition in it, reads `card` or an attribute of the member of a family."""
        for node in nodes_in(expr):
            name = node.id if isinstance(node, Name) else node.function if isinstance(node, Call) else ""
            if name in {"card", "its"} or name.startswith("its.") or name.endswith(".card"):
                return True
            if name in self.short.defined and self.reads_member(self.short.defined[name].expr):
                return True
        return False

    def over_places(self, zone: str, expr: Expr, local: Mapping[str, Expr]) -> tuple[Expr, ...]:
        """Return the expansions of a formula: one for each copy of a zone, which gives 0 if it is not used."""
        board, around, terms = self.short.board, self.here, list[Expr]()
        for copy in range(1, len(board.copies(zone)) + 1):
            self.here = {**around, **board.at(zone, copy)}
            there, value = board.there(zone, copy), as_number(self.write(expr, local))
            terms.append(value if there is None else Conditional(value, there, Number(0)))
        self.here = around
        return tuple(terms)

    def argument(self, expr: Expr, local: Mapping[str, Expr]) -> Expr:
        """Expand an argument of a definition, and record whether it must not be evaluated for other seats."""
        around, self.compared = self.compared, ""
        written = self.write(expr, local)
        if self.compared:
            self.comparing[id(written)] = written, self.compared
        self.compared = self.compared or around
        return written

    def called(self, expr: Expr, name: str, arguments: tuple[Expr, ...]) -> Expr:
        """Expand a call of a definition."""
        definition = self.short.defined[name]
        if len(arguments) != len(definition.parameters):
            call, wanted = f"{name}({', '.join(definition.parameters)})", len(definition.parameters)
            values: dict[str, Value] = {"name": name, "wanted": wanted, "count": len(arguments), "call": call}
            raise FormulaError("arguments", expr.start, expr.end, values)
        if name in self.inside:
            raise FormulaError("circle", expr.start, expr.end, {"name": name})
        self.inside.append(name)
        self.defining += 1
        written = self.write(definition.expr, dict(zip(definition.parameters, arguments, strict=True)))
        self.defining -= 1
        self.inside.pop()
        # The outermost call gives its place to all nodes, so inner calls need not do so.
        return written if self.inside else _placed(written, expr.start, expr.end)

    def meant(self, expr: Call, means: str, argument: Expr, local: Mapping[str, Expr]) -> Expr:
        """Expand a function that a formula defines. The formula may evaluate the argument for other seats."""
        if "my(" in means:
            self.compared = expr.function
            if self.elsewhere:
                raise FormulaError("elsewhere", expr.start, expr.end, {"name": expr.function})
        self.elsewhere += 1
        value = self.asked_for(argument, self.write(argument, local))
        value = self.short.board.by_arrival(value) if expr.function == "place" else value
        self.elsewhere -= 1
        counted = value.id if isinstance(value, Name) else ""
        cards = {*self.short.has, *self.short.members}
        if expr.function == "played" and self.short.has and counted.rpartition(".")[2] not in {*cards, *local}:
            raise FormulaError("played", argument.start, argument.end, {}, did_you_mean(counted, sorted(cards)))
        around, self.short = self.short, replace(self.short, defined={})  # an author may have another `my`
        self.defining += 1
        written = self.write(_placed(parse(means), expr.start, expr.end, expr.function), {"x": value})
        self.defining -= 1
        self.short = around
        return written

    def in_parts(self, expr: Expr, local: Mapping[str, Expr]) -> Expr:  # noqa: PLR0911 - one for each kind of node
        """Return the node with its parts expanded, and with conditions turned into numbers if necessary.

        If expanding makes the condition of an ``if`` constant, return only the branch that applies. If nothing changes,
        return the node itself, because caches compare nodes by identity.
        """
        match expr:
            case Unary():
                operand = self.write(expr.operand, local)
                return _with(
                    expr, operand=as_number(operand) if expr.op == "-" else self.asked_for(expr.operand, operand)
                )
            case Binary() | Comparison():
                left, right = as_number(self.write(expr.left, local)), as_number(self.write(expr.right, local))
                return _with(expr, left=left, right=right)
            case LogicalOp():
                return self.joined(expr, local)
            case Conditional():
                then, otherwise = self.write(expr.then, local), self.write(expr.otherwise, local)
                if is_condition(then) != is_condition(otherwise):
                    then, otherwise = as_number(then), as_number(otherwise)
                asked = self.asked_for(expr.condition, self.write(expr.condition, local))
                if isinstance(asked, BooleanLiteral) and asked is not expr.condition:
                    return then if asked.value else otherwise
                return _with(expr, then=then, condition=asked, otherwise=otherwise)
            case Call():
                builtin = BUILTINS.get(expr.function)
                of_numbers = (
                    builtin.takes == "int" if isinstance(builtin, Aggregate) else isinstance(builtin, NumericFunction)
                )
                at_others = isinstance(builtin, Aggregate | OtherSeatFunction)
                self.elsewhere += at_others
                arguments = [self.write(argument, local) for argument in expr.arguments]
                self.elsewhere -= at_others
                arguments = [*map(as_number, arguments)] if of_numbers else arguments
                same = all(new is old for new, old in zip(arguments, expr.arguments, strict=True))
                return expr if same else replace(expr, arguments=tuple(arguments))
            case _:
                return expr

    def joined(self, expr: LogicalOp, local: Mapping[str, Expr]) -> Expr:
        """Expand an ``and`` or ``or``. If expanding makes an operand constant, the result is simplified."""
        left, right = (self.asked_for(side, self.write(side, local)) for side in (expr.left, expr.right))
        for new, old, other in ((left, expr.left, right), (right, expr.right, left)):
            inner = new.operand if isinstance(new, Unary) else new
            if isinstance(inner, BooleanLiteral) and new is not old:
                holds = inner.value == (inner is new)
                return other if holds == (expr.op == "and") else BooleanLiteral(holds)
        return _with(expr, left=left, right=right)

    def asked_for(self, expr: Expr, written: Expr) -> Expr:
        """Return `written`, the expansion of the condition `expr`, in the form of a condition."""
        if isinstance(expr, Call) and expr.function == "its" and isinstance(written, Number):
            return BooleanLiteral(written.value > 0, written.start, written.end)
        return as_condition(written, self.short)


def at_itself(expr: Expr) -> Expr:
    """Return a formula that is evaluated for the seat itself, and whose ``my`` also means that seat."""
    return Call("right", (at_left(1, expr),), expr.start, expr.end)


def _asks(expr: Expr) -> bool:
    """True if the formula contains a call of ``my``."""
    return (isinstance(expr, Call) and expr.function == "my") or any(map(_asks, parts(expr)))


def at_left(distance: int, expr: Expr) -> Expr:
    """Return a formula that is evaluated for the player this many seats to the left."""
    for _ in range(distance):
        expr = Call("left", (expr,), expr.start, expr.end)
    return expr


def _with(expr: Expr, **changed: Expr) -> Expr:
    """Return the node with these fields changed, or the node itself if they are the same already."""
    return expr if all(getattr(expr, name) is part for name, part in changed.items()) else replace(expr, **changed)


def as_top(count: Expr, values: tuple[Expr, ...]) -> Expr:
    """Return a node for the sum of the `count` largest values; 0 if there are no values.

    If all values are added and each is 1 for a positive counter, the node is a call of `kinds`.
    """
    if not values:
        return Number(0)
    kinds = []
    for value in values if isinstance(count, Number) and count.value >= len(values) else ():
        match value:
            case Conditional(Number(1), Comparison(">", Name() as some, Number(0)), Number(0)):
                kinds.append(some)
    if len(kinds) == len(values):
        return Call("kinds", tuple(kinds))
    return Call("top", (as_number(count), *values))


def _is_of_a_card(expr: Expr) -> bool:
    """True if a formula reads only attributes of its card, so that its value is the same for all seats."""
    match expr:
        case Name():
            return expr.id.startswith(("its.", LYING))
        case Call("its"):  # there is no current card; `check` reports that
            return True
        case Call() if not isinstance(BUILTINS.get(expr.function), NumericFunction):
            return False
    return all(map(_is_of_a_card, parts(expr)))


def _mentions_card(expr: Expr) -> bool:
    return expr == Name("card") or any(map(_mentions_card, parts(expr)))


def _placed(expr: Expr, start: int, end: int, written: str = "") -> Expr:
    """Return the formula with ``[start, end)`` as the position of all its nodes in the text.

    `written` is the function that the author called there. Calls in the formula keep it for messages.
    """
    changed: dict[str, object] = {}
    for name in expr.__struct_fields__:
        value = getattr(expr, name)
        if isinstance(value, Expr):
            changed[name] = _placed(value, start, end, written)
        elif isinstance(value, tuple):
            changed[name] = tuple(_placed(each, start, end, written) for each in value)
        elif written and name == "written":
            changed[name] = written
    return replace(expr, **changed, start=start, end=end)
