"""The evaluation of the flow's formulas in a dry run, which knows only the numbers of cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.flow.positions import between, fewest, most
from draftengine.model.language.bounds import UNKNOWN, bounds
from draftengine.model.language.evaluate import compile_formula, references
from draftengine.model.verbs.actions import CHANGING_NAMES, depends_on_seat
from draftengine.model.yaml.scalars import RANGE
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.model.flow.dry_run import DryRun
    from draftengine.model.flow.positions import Count, Position
    from draftengine.model.language.environment import Range
    from draftengine.model.records.reader import ByPlayerCount, Formula
    from draftengine.model.verbs.verb import Step

_OF_POSITIONS = frozenset({"cards", "holds"})
"""The functions whose values differ between positions of the dry run."""


class FlowFormulas:
    """Evaluates the formulas of one dry run."""

    def __init__(self, run: DryRun) -> None:
        self.run = run
        self.facts = _Facts(run)
        self.formulas: dict[int, Callable[[Position, int], int] | None] = {}
        self.fixed: dict[int, Range | None] = {}
        """Cache: the range of each formula that is the same in all positions; ``None`` for any other formula."""
        self.counts: dict[tuple[int, int], Count] = {}
        """Cache: the constant numbers of cards, by identity of the number and least allowed value."""
        self.apart: dict[int, bool] = {}
        """A cache of `depends_on_seat`."""

    def truth(self, formula: Formula, position: Position) -> bool | None:
        """Return the value of a condition in a position; ``None`` if the dry run cannot decide it."""
        low, high = self.bounds_of(formula, position)
        return bool(low) if low == high else None

    def count(
        self, cases: ByPlayerCount | None, position: Position, default: int, least: int, *, or_none: bool = False
    ) -> Count:
        """Return the number of cards (or turns) of a step.

        Refuse the file if the number is below `least`, or depends on which cards are played. With `or_none`, a number
        that changes during play is raised to `least` instead.
        """
        if cases is None:
            return default
        if (id(cases), least) in self.counts:
            return self.counts[id(cases), least]
        run = self.run
        formula = self._case(cases)
        if not or_none and self._compiled(formula) is None:
            run.refuse("bad-count", formula, "played")
        low, high = self.bounds_of(formula, position)
        if or_none and self.fixed[id(formula)] is None:
            return between(max(low, least), max(high, least))
        if low < least:
            run.apart.tighten([position])
            low, high = self.bounds_of(formula, position)
        if low < least:
            say = "comes" if position.exact else "may-come"
            hint = said("hint.one-number") if RANGE.fullmatch(formula.text) else None
            run.refuse("bad-count", formula, say, hint=hint, number=low, least=least)
        count = between(low, high)
        if self.fixed[id(formula)]:
            self.counts[id(cases), least] = count
        return count

    def _case(self, cases: ByPlayerCount) -> Formula:
        """Return the formula for this run's number of players; refuse the file if it gives none."""
        by_count = dict(cases.cases)
        formula = by_count.get(self.run.players, by_count.get(None))
        if formula is None:
            self.run.refuse("missing-player-count", cases, "number", players=self.run.players)
        return formula

    def depends_on_seat(self, step: Step, cases: ByPlayerCount | None) -> bool:
        """True if the number of cards of a step can differ between seats."""
        if cases is None:
            return False
        if id(cases) not in self.apart:
            formula = self._case(cases)
            self.apart[id(cases)] = depends_on_seat(step, formula, self.run.zone_named, self.facts.constant)
        return self.apart[id(cases)]

    def count_for(
        self, step: Step, cases: ByPlayerCount | None, position: Position, seat: int, least: int = 0
    ) -> Count:
        """Return the number of cards of a step for a seat.

        A number that can differ between seats is clamped to the range from 0 to the number of all cards. For any
        other, see `count`, which refuses the file if it is below `least`.
        """
        if cases is None or not self.depends_on_seat(step, cases):
            return self.count(cases, position, 1, least)
        formula = self._case(cases)
        low, high = bounds(formula.expr, _Ranges(self, position), seat)
        every = self.run.apart.all_cards
        return between(min(max(low, 0), every), min(max(high, 0), every))

    def bounds_of(self, formula: Formula, position: Position) -> Range:
        """Return the lowest and highest value of a formula in a position; in a list, for its seat."""
        known = id(formula)
        if known not in self.fixed:
            asks = any(
                function in _OF_POSITIONS or name in CHANGING_NAMES for function, name in references(formula.expr)
            )
            self.fixed[known] = None if asks else self._range_in(formula, position, exact=True)
        return self.fixed[known] or self._range_in(formula, position, exact=position.exact)

    def _range_in(self, formula: Formula, position: Position, *, exact: bool) -> Range:
        compiled, seat = self._compiled(formula), self.run.lists.seat or 0
        if compiled is None or not exact:
            return bounds(formula.expr, _Ranges(self, position), seat)
        value = int(compiled(position, seat))
        return value, value

    def _compiled(self, formula: Formula) -> Callable[[Position, int], int] | None:
        """Return the formula as a function; ``None`` if it reads something that the dry run does not know."""
        if id(formula) not in self.formulas:
            try:
                self.formulas[id(formula)] = compile_formula(formula.expr, self.facts)
            except _UndecidedError:
                self.formulas[id(formula)] = None
        return self.formulas[id(formula)]


class _UndecidedError(Exception):
    """An error: a formula reads something that the dry run does not know."""


class _Facts:
    """The environment for compiling formulas of the flow. Its functions read names from positions."""

    def __init__(self, run: DryRun) -> None:
        self.run = run
        self.seat_count = run.game.ranked
        self.player_count = run.players

    def constant(self, name: str) -> int | None:
        return self.run.game.constants.get(name)

    def value(self, name: str) -> Callable[[Position, int], int]:
        if name == "round":
            return lambda _position, _seat: self.run.round
        if name == "turn":
            return lambda _position, _seat: self.run.turn
        raise _UndecidedError

    def gained(self, _counter: str) -> Callable[[Position, int], int]:
        raise _UndecidedError

    best_of = gained

    def among(self, _zone: str, _what: object) -> Callable[[Position, int], list[int]]:
        raise _UndecidedError

    each = among

    def holds(self, marker: str) -> Callable[[Position, int], int]:
        index = self.run.markers[marker]
        return lambda position, seat: position.markers[index] == seat

    def cards(self, zone: str) -> Callable[[Position, int], int]:
        """Return a function that reads the size of a zone. It is right only in exact positions."""
        if zone in self.run.game.uncertain_zones:
            raise _UndecidedError
        index = self.run.zone_index[zone]
        shared = self.run.zones[index].per == "table"
        return lambda position, seat: most(position.zones[index][0 if shared else seat])


class _Ranges(Struct, frozen=True):
    """The ranges of names in one position, which need not be exact."""

    numbers: FlowFormulas
    position: Position

    @property
    def seat_count(self) -> int:
        return self.numbers.facts.seat_count

    @property
    def player_count(self) -> int:
        return self.numbers.facts.player_count

    def range_of(self, function: str, name: str, seat: int) -> Range:
        run, position = self.numbers.run, self.position
        if function == "cards" and name in run.game.uncertain_zones:
            return 0, run.apart.all_cards
        if function == "cards":
            size = position.zones[run.zone_index[name]][0 if run.zone_named[name].per == "table" else seat]
            return fewest(size), most(size)
        if function == "holds":
            holders = position.holders(run.markers[name])
            return int(holders == {seat}), int(seat in holders)
        if function != "name":
            return UNKNOWN
        value = {"round": run.round, "turn": run.turn}.get(name, self.numbers.facts.constant(name))
        return run.game.name_ranges.get(name, UNKNOWN) if value is None else (value, value)
