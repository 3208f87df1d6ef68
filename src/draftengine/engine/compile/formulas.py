"""Compilation of formulas into functions of a state and a seat.

The first formula that reads a counter assigns a field of the packed word to the counter (`Fields`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from draftengine.engine.instructions import CounterField
from draftengine.model.cardset.facts import card_has, card_numbers, ranked_seats, seats
from draftengine.model.flow.counters import counters_of
from draftengine.model.language.builtins import LYING
from draftengine.model.language.evaluate import compares_seats, compile_formula, references
from draftengine.model.language.macros import Track, as_number
from draftengine.model.language.tree import Name, Number
from draftengine.model.records.reader import Formula

if TYPE_CHECKING:
    from draftengine.engine.instructions import Value, ValuesOfCards
    from draftengine.model.cardset.facts import CounterInfo
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.language.evaluate import Told
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import ByPlayerCount
    from draftengine.support.source import Span

_REMEMBERED = 1 << 16
"""The number of values that are cached for one formula. A full cache is emptied."""


Heard = Callable[["Formula", "Expr", int], None]
"""A function that gets a formula, one of its conditions or comparisons, and the value of that part."""


class FormulaNames(Struct, frozen=True):
    """The meanings that names have in the formulas of a game (the `Environment` of the formula language)."""

    model: CardSet
    players: int
    fields: Fields
    local: dict[str, int] = field(default_factory=dict)
    """Names that have a fixed value in this formula, such as ``amount`` in a modifier."""
    alias: dict[str, str] = field(default_factory=dict)
    """Names that mean a counter in this formula, such as ``card`` in the condition of a wild card."""
    scoring: list[tuple[Value, Value]] = field(default_factory=list)
    """For each card with a scoring rule, two functions: points for one copy, and number of copies."""
    meanings: dict[Value, Meaning] = field(default_factory=dict)
    """The formula behind each compiled function, for engines that cannot call Python functions."""
    heard: Heard | None = None
    """A function that is called with the value of every evaluated condition, or ``None``."""
    written: dict[int, Formula] = field(default_factory=dict)
    """Formulas of the author that the compiler built into larger ones, by `id` of each of their nodes."""

    @property
    def seat_count(self) -> int:
        """The number of seats that scoring compares with each other."""
        return ranked_seats(self.model, self.players)

    @property
    def player_count(self) -> int:
        """The number of players; extra seats are not counted."""
        return self.players

    def constant(self, name: str) -> int | None:
        """Return the value of a name that is constant during a game, or ``None``."""
        known = {
            "players": self.players,
            "seats": self.seat_count,
            "rounds": self.model.rounds,
            **{parameter.id: parameter.default for parameter in self.model.parameters},
            **self.local,
        }
        return known.get(name)

    def value(self, name: str) -> Value:
        """Return the function that reads a counter, a value of the current card, or a value of the table."""
        facts: dict[str, Value] = {
            "round": lambda state, _: state.round,
            "turn": lambda state, _: state.turn,
            "points": lambda state, seat: state.scores[seat],
            "seat": lambda _, seat: seat,
        }
        if name in facts:
            return facts[name]
        if name.startswith(("its.", LYING)):
            numbers = card_numbers(self.model.cards)[name.partition(".")[2]]
            return lambda state, _: numbers[state.formula_zone_card if name.startswith(LYING) else state.formula_card]
        field = self.fields.field(self.alias.get(name, name))
        shift, mask, bias = field.shift, field.mask, field.offset
        return lambda state, seat: (state.words[seat] >> shift & mask) - bias

    def gained(self, counter: str) -> Value:
        """Return the function for ``gained``: the rise of a counter since the last choice of cards."""
        read = self.fields.field(counter).read
        return lambda state, seat: read(state.words[seat]) - read(state.words_before_choice[seat])

    def holds(self, marker: str) -> Value:
        """Return the function that is true if a seat holds a marker."""
        index = [candidate.id for candidate in self.model.markers].index(marker)
        return lambda state, seat: state.markers[index] == seat

    def cards(self, zone: str) -> Value:
        """Return the function for the number of cards in the seat's own zone, or in a shared zone."""
        index = [candidate.id for candidate in self.model.zones].index(zone)
        if self.model.zones[index].layout:
            return lambda state, _: sum(card >= 0 for card in state.zones[index][0])
        if self.model.zones[index].per == "table":
            return lambda state, _: len(state.zones[index][0])
        return lambda state, seat: len(state.zones[index][seat])

    def among(self, zone: str, what: str) -> ValuesOfCards:
        """Return the function that lists a number printed on cards, for the cards in a zone that have it."""
        lying, has = self._lying(zone), card_has(self.model, what)
        return lambda state, seat: [number for card in lying(state, seat) if (number := has[card]) is not None]

    def each(self, zone: str, value: Value) -> ValuesOfCards:
        """Return the function that evaluates a formula for each card in a zone, in the order of the cards."""
        lying = self._lying(zone)

        def each(state: Any, seat: int) -> list[int]:
            values, before = [], state.formula_zone_card
            for card in lying(state, seat):
                state.formula_zone_card = card
                values.append(value(state, seat))
            state.formula_zone_card = before
            return values

        return each

    def _lying(self, zone: str) -> ValuesOfCards:
        """Return the function that lists the cards in a zone.

        In zones whose cards add to counters, a wild card in a form counts as the card of that form.
        """
        index = [candidate.id for candidate in self.model.zones].index(zone)
        shared, counts = self.model.zones[index].per == "table", self.model.zones[index].counts

        def lying(state: Any, seat: int) -> list[int]:
            cards = state.zones[index][0 if shared else seat]
            return [state.program.counts_as[card] if counts else card for card in cards if card >= 0]

        return lying

    def best_of(self, _what: str) -> Value:
        """Return the function for the most points that any one card of a seat would give now; 0 without cards."""
        scoring = self.scoring
        return lambda state, seat: max(
            (score(state, seat) for score, copies in scoring if copies(state, seat)), default=0
        )

    def keep(self, expr: Expr, value: Value) -> Value:
        """Return `value`, wrapped in a cache if the formula reads only counters of its seat."""
        if compares_seats(expr):
            return value
        bits = 0
        for kind, name in references(expr):
            counter = self.alias.get(name, name)
            if kind != "name" or (counter not in self.fields.infos and self.constant(name) is None):
                return value
            if counter in self.fields.given:  # a counter without a field occurs only in a branch that is never true
                bits |= self.fields.given[counter].field_mask
        known: dict[int, int] = {}

        def remembered(state: Any, seat: int) -> int:
            counters = state.words[seat] & bits
            result = known.get(counters)
            if result is None:
                if len(known) == _REMEMBERED:
                    known.clear()
                result = known[counters] = value(state, seat)
            return result

        return remembered


class Meaning(Struct, frozen=True):
    """A formula and the meanings of its names."""

    expr: Expr
    names: FormulaNames


def value_of(formula: Formula, names: FormulaNames) -> Value:
    """Compile a formula into a function of a state and a seat."""
    return _meaning(formula.expr, names, _told(formula, names))


def _told(formula: Formula, names: FormulaNames) -> Told | None:
    heard = names.heard
    if heard is None or formula.text:
        return partial(heard, formula) if heard else None
    written = {**names.written}  # another formula of the author may share nodes with one of these
    return lambda expr, value: heard(written.get(id(expr), formula), expr, value)


def _meaning(expr: Expr, names: FormulaNames, tell: Told | None = None) -> Value:
    value = compile_formula(expr, names, names.keep, tell)
    names.meanings[value] = Meaning(expr, names)
    return value


def count_of(formula: Formula, names: FormulaNames) -> Value:
    """Compile a formula into a function that returns a number. For conditions, 1 means true."""
    return _meaning(as_number(formula.expr), names, _told(formula, names))


def track_of(formula: Formula, model: CardSet) -> Track | None:
    """Return the track (a counter with an order of arrival) that a formula is; ``None`` if it is none."""
    for counter in model.counters:
        if counter.track is not None and formula.expr == Name(counter.id):
            return Track(counter.id, counter.track)
    return None


def compared(formula: Formula, names: FormulaNames) -> Value:
    """Compile a formula into a function that returns the number by which seats are compared.

    If the formula is a track, seats with equal values differ by the order in which they arrived.
    """
    track = track_of(formula, names.model)
    return count_of(formula if track is None else replace(formula, expr=track.measure), names)


def number_of(formula: Formula, names: FormulaNames) -> int:
    """Return the value of a formula that the checker has proved to be constant."""
    return int(compile_formula(formula.expr, names, tell=_told(formula, names))(_NO_STATE, 0))


_NO_STATE: Any = None  # constant formulas never look at the state


def made(expr: Expr, span: Span) -> Formula:
    """Return a formula that the compiler itself made. Error messages about it refer to `span`."""
    return Formula("", expr, span)


def for_players(cases: ByPlayerCount | None, names: FormulaNames, default: int) -> Value:
    """Compile the formula for this number of players. If there is none, the value is `default`.

    The formula may depend on the round.
    """
    formula = case_of(cases, names)
    return _meaning(Number(default), names) if formula is None else count_of(formula, names)


def case_of(cases: ByPlayerCount | None, names: FormulaNames) -> Formula | None:
    """Return the formula for this number of players; ``None`` if there is none."""
    by_count = dict(cases.cases) if cases is not None else {}
    return by_count.get(names.players, by_count.get(None))


class Fields(Struct):
    """The fields of the packed word that counters have so far, as wide as the counters' proved bounds."""

    infos: dict[str, CounterInfo]
    given: dict[str, CounterField] = field(default_factory=dict)
    used_bits: int = 0
    shared: dict[str, int] = field(default_factory=dict)
    """The number of seats that share each counter of the table."""

    @classmethod
    def of(cls, model: CardSet, players: int) -> Fields:
        infos = {info.id: info for info in counters_of(model, players, any_table=True)}
        count = seats(model, players)
        return cls(infos, shared={counter.id: count for counter in model.counters if counter.per == "table"})

    def field(self, name: str) -> CounterField:
        """Return the field of a counter. The first call assigns it. Raises `KeyError` for an unknown counter."""
        if name not in self.given:
            info = self.infos[name]
            bias = -min(info.low, 0)
            width = max((info.high + bias).bit_length(), 1)
            self.given[name] = CounterField(
                name, self.used_bits, (1 << width) - 1, bias, info.start, self.shared.get(name, 0)
            )
            self.used_bits += width
        return self.given[name]

    def pack(self, amounts: dict[str, int]) -> int:
        """Return the change of a packed word for amounts by counter. Counters without a field are ignored."""
        return sum(amount << self.given[name].shift for name, amount in amounts.items() if name in self.given)

    def pack_mixed(self, amounts: dict[str, int]) -> int:
        """Return the change of a packed word for amounts of counters of kind ``mixed`` (see `kept`)."""
        mixed = {field.name for field in self.kept("mixed")}
        return self.pack({name: amount for name, amount in amounts.items() if name in mixed})

    @property
    def start_word(self) -> int:
        return sum((field.start + field.offset) << field.shift for field in self.given.values())

    def kept(self, how: str) -> list[CounterField]:
        """Return the fields of the counters that behave in a certain way when tableaus are cleared.

        `how` is ``all`` if they keep their values, ``none`` if they are reset, and ``mixed`` if they keep only the
        amounts of kept cards.
        """
        return [field for name, field in self.given.items() if self.infos[name].keep == how]
