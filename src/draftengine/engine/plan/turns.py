"""Steps that players carry out in turn: in specialised games, the player in turn becomes static.

A hidden counter of each player orders the turns, and the highest number is next (see
`draftengine.engine.compile.step_lists`). The condition of each step of a turn compares this counter between all
players. While it is known whose turn it is, a *narrowed* step takes its place, in whose condition only the rest is
left, for this player alone.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from draftengine.engine import choose
from draftengine.engine.instructions import (
    AssignTurnOrder,
    Deal,
    End,
    Flip,
    Give,
    Jump,
    MoveAll,
    Score,
    Shuffle,
    SkipUnless,
)
from draftengine.engine.plan.base import cached_by_arguments
from draftengine.engine.plan.zones import ZonePlan
from draftengine.model.cardset.effects import IN_TURN_COUNTER, later_lists, turn_counter
from draftengine.model.language.tree import Call, Comparison, LogicalOp, Name, Number, print_formula
from draftengine.support.identity import IdentityKey

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from draftengine.engine.compile.formulas import FormulaNames
    from draftengine.engine.instructions import CounterField, Value
    from draftengine.engine.program import CompiledTrigger, Program
    from draftengine.model.language.tree import Expr

    Turn: TypeAlias = tuple[str, int] | None
    """The counter that orders turns, and the player with the highest number; ``None`` if that is unknown."""

_ORDERED = {
    counter: (
        print_formula(Comparison(">", Name(counter), Number(0))),
        print_formula(Comparison("==", Name(counter), Call("most", (Name(counter),)))),
    )
    for counter in (IN_TURN_COUNTER, turn_counter(1))
}
"""For each counter that orders turns, the two conditions that select the player in turn."""


class TurnPlan(ZonePlan):
    """The part of a plan about turns."""

    def __init__(self, program: Program, *, observed: bool, logged: bool, in_words: bool) -> None:
        super().__init__(program, observed=observed, logged=logged, in_words=in_words)
        self._narrowed: dict[Value, tuple[FormulaNames, Expr]] = {}
        """The formulas of narrowed steps."""
        self._alone: dict[IdentityKey[object], tuple[int, ...]] = {}
        """The player of each narrowed step, and of each of its triggers."""

    def step(self, index: int) -> Any:
        """Return the instruction at an index of the program."""
        return self.program.code[index]

    def formula(self, value: Value | None) -> tuple[FormulaNames, Expr]:
        narrowed = self._narrowed.get(value) if value is not None else None
        return narrowed or super().formula(value)

    def players_in(self, step: object) -> Sequence[int]:
        return self._alone.get(IdentityKey(step), self.players)

    def ranked_in(self, watch: CompiledTrigger) -> Sequence[int]:
        return self._alone.get(IdentityKey(watch), self.ranked)

    # ── which steps belong to turns ──

    @cached_by_arguments
    def turn_counter(self, index: int) -> str:
        """Return the counter whose highest number selects the player of a step; empty if none does."""
        step = self.step(index)
        match step:
            case Score(rules=()):
                counters = {self._rest(watch.who)[0] for watch in self.watches(step.label)}
                return counters.pop() if len(counters) == 1 else ""
            case SkipUnless():
                return self._rest(step.when)[0]
            case choose.PlayAll():
                return self._rest(step.choice.who)[0]
            case choose.Choice() | Deal() | MoveAll() | Flip():
                return self._rest(step.who)[0]
        return ""

    def turn_field(self, index: int) -> CounterField:
        """Return the field of the counter that orders the turns to which a step belongs."""
        return self._fields[self.turn_counter(index)]

    def is_of_another_turn(self, index: int, turn: Turn) -> bool:
        """True if a step belongs to turns, and it is not known whose turn of these it is."""
        return bool(self.turn_counter(index)) and (turn is None or turn[0] != self.turn_counter(index))

    def begins_turn(self, index: int) -> bool:
        """True if a step is skipped when it is nobody's turn any more, and so begins each turn."""
        step = self.step(index)
        return isinstance(step, SkipUnless) and not self._rest(step.when)[1]

    def turn_after(self, index: int, following: int, turn: Turn) -> Turn:
        """Return what is still known of a turn at the step `following` that comes after a step."""
        if turn is not None and self._ends_turn(index, turn[0]):
            turn = (self._turn_around(index), turn[1]) if self._turn_around(index) else None
        if turn is None:
            return None
        step, after = self.step(index), self.step(following)
        if self.turn_counter(following):
            return turn if turn[0] in {self.turn_counter(following), self._turn_around(following)} else None
        if self._is_owed(index) or self._is_owed(following):
            return turn
        # Steps for other players than this one begin with a condition about all players.
        enters = isinstance(step, SkipUnless) and not self.turn_counter(index) and following == step.following
        return turn if isinstance(after, SkipUnless | Jump | Shuffle | Give) and not enters else None

    @cached_by_arguments
    def _ends_turn(self, index: int, counter: str) -> bool:
        match step := self.step(index):
            case AssignTurnOrder():
                return step.field.name == counter
            case Score():
                effects = [
                    self.program.effects[effect] for watch in self.watches(step.label) for effect in watch.effects
                ]
                return any(amount.field.name == counter for effect in effects for amount in effect.amounts)
        return False

    # ── lists that only the player in turn owes ──

    @cached_by_arguments
    def _turn_around(self, index: int) -> str:
        """Return the counter of the turn in which a choice started the lists to which a step belongs.

        Return an empty string if anybody else could choose, play cards or end the turns in these lists.
        """
        inner = [at for at in self._starts if index in self._lists_of(at) and self.turn_counter(at)]
        return self.turn_counter(inner[-1]) if inner and all(map(self._is_closed, inner)) else ""

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        """The steps in which players can start lists."""
        kinds = choose.Choice | choose.PlayAll
        return tuple(index for index, step in enumerate(self.program.code) if isinstance(step, kinds))

    def _lists_of(self, start: int) -> range:
        """Return the steps of the lists that a choice starts."""
        return range(start + 1, self.step(start).otherwise)

    @cached_by_arguments
    def _is_closed(self, start: int) -> bool:
        """True if only the player in turn chooses, plays cards and owes lists, in a choice and after it."""
        steps = [self.step(index) for index in self._lists_of(start)]
        starts = [start, *(index for index in self._starts if index in self._lists_of(start))]
        asked = {self._counter_owed(step.when) for step in steps if isinstance(step, SkipUnless)} - {""}
        return (
            all(map(self.turn_counter, starts))
            and all(map(self._is_owed_in_turn, asked))  # lists of triggers are among these steps, too
            and not any(
                isinstance(step, End) or (isinstance(step, choose.Choice) and step.also)
                for step in (self.step(start), *steps)
            )
        )

    @cached_by_arguments
    def _is_owed(self, index: int) -> bool:
        """True if a step asks who owes a list, and only the player in turn can owe it."""
        step = self.step(index)
        if not self._turn_around(index) or not isinstance(step, SkipUnless | AssignTurnOrder):
            return False
        counter = self._counter_owed(step.when if isinstance(step, SkipUnless) else step.who)
        return bool(counter) and self._is_owed_in_turn(counter)

    def _counter_owed(self, value: Value) -> str:
        """Return the counter of a step list if a condition is that anybody owes the list."""
        match self._rest(value)[1]:
            case [Comparison(op=">", left=Name(id=counter), right=Number(value=0))] if counter in self._list_counters:
                return counter
        return ""

    @cached_property
    def _list_counters(self) -> frozenset[str]:
        """The counters of step lists."""
        return frozenset(step_list.counter for step_list in later_lists(self.program.model))

    @cached_by_arguments
    def _is_owed_in_turn(self, counter: str) -> bool:
        """True if nobody but the player in turn ever owes a list while it is known whose turn it is.

        That is so if each choice that starts the list is followed by the list, and nothing else starts it.
        """
        effects = {
            number
            for number, effect in enumerate(self.program.effects)
            if any(amount.field.name == counter for amount in effect.amounts)
        }
        by_cards = any(not effects.isdisjoint(play.effects) for play in self.program.plays)
        for start in self._starts:
            step: Any = self.step(start)
            actions = step.actions if isinstance(step, choose.Choice) else ()
            if any(not effects.isdisjoint((*way.paying, *(effect for _, effect in way.handed))) for way in actions):
                return False
            by_actions = any(not effects.isdisjoint(way.effects) for way in actions)
            followed = any(
                isinstance(asked := self.step(index), SkipUnless) and self._counter_owed(asked.when) == counter
                for index in self._lists_of(start)
            )
            if (by_actions or by_cards) and not followed:
                return False
        return all(effects.isdisjoint(watch.effects) or self._rest(watch.who)[0] for watch in self.program.watches)

    # ── narrowed steps ──

    @cached_by_arguments
    def step_in_turn(self, index: int, turn: Turn) -> Any:
        """Return the step at an index, narrowed to the player whose turn it is if it belongs to turns."""
        step = self.step(index)
        if turn is None or isinstance(step, choose.Choice):
            return step
        if self.turn_counter(index) != turn[0] and not self._is_owed(index):
            return step
        made: Any
        match step:
            case Score():
                made = replace(step, label=f"{step.label}@{turn[1]}")
                narrowed = [replace(watch, who=self._narrow(watch.who, turn)) for watch in self.watches(step.label)]
                self._watches[made.label] = tuple(narrowed)
                self._alone.update((IdentityKey(watch), (turn[1],)) for watch in narrowed)
            case SkipUnless():
                made = replace(step, when=self._narrow(step.when, turn))
            case AssignTurnOrder():
                made = replace(step, who=self._narrow(step.who, turn), by=None, marker=-1)
            case choose.PlayAll():
                made = replace(step, choice=replace(step.choice, who=self._narrow(step.choice.who, turn)))
            case _:
                made = replace(step, who=self._narrow(step.who, turn))
        self._alone[IdentityKey(made)] = (turn[1],)
        return made

    @cached_by_arguments
    def who_in_turn(self, index: int, turn: Turn) -> Value:
        """Return the condition of a choice, narrowed to the player whose turn it is."""
        return self._narrow(self.step(index).who, turn)

    def _narrow(self, value: Value | None, turn: Turn) -> Value:
        assert turn is not None
        names, _ = self.formula(value)
        _, rest, around = self._rest(value)
        condition: Expr = Comparison("==", Name("seat"), Number(turn[1]))
        for part in rest:
            condition = LogicalOp("and", condition, part)

        def narrowed(_state: object, _seat: int) -> int:
            raise AssertionError("a narrowed condition is not evaluated in interpreted games")

        self._narrowed[narrowed] = names, around(condition)
        return narrowed

    @cached_by_arguments
    def _rest(self, value: Value | None) -> tuple[str, tuple[Expr, ...], Callable[[Expr], Expr]]:
        """Return a condition's counter of turns, its other parts, and a function that wraps these again."""
        if value is None:
            return "", (), _itself
        expr = self.formula(value)[1]
        around: Callable[[Expr], Expr] = _itself
        match expr:
            case Comparison(op=">", left=Call(function="seats_with", arguments=(inner,)), right=Number(value=0)):
                expr, around = inner, _by_anybody
        parts = _conjuncts(expr)
        printed = [print_formula(part) for part in parts]
        for counter, ordered in _ORDERED.items():
            if all(part in printed for part in ordered):
                rest = tuple(part for part, text in zip(parts, printed, strict=True) if text not in ordered)
                return counter, rest, around
        return "", tuple(parts), around


def _itself(expr: Expr) -> Expr:
    return expr


def _by_anybody(condition: Expr) -> Expr:
    return Comparison(">", Call("seats_with", (condition,)), Number(0))


def _conjuncts(expr: Expr) -> list[Expr]:
    """Return the conditions that hold together if a condition holds."""
    if isinstance(expr, LogicalOp) and expr.op == "and":
        return [*_conjuncts(expr.left), *_conjuncts(expr.right)]
    return [expr]
