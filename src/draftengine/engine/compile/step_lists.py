"""Compilation of step lists: steps that one seat carries out because of a card, action or trigger.

A seat that starts a list *owes* it; a hidden counter of the seat says how many times. After a choice that can start
lists come the steps of each list, for the seats that owe the list. These steps are repeated until no seat owes a list.
Each time, the first list that any seat owes is carried out. So for events, saves, search and machine code, a choice in
a list is like any other choice.

`Code` is the growing list of instructions.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, cast

from msgspec import Struct
from msgspec.structs import replace

from draftengine.engine.choose import Choice, PlayAll
from draftengine.engine.compile.formulas import count_of, made, value_of
from draftengine.engine.instructions import AssignTurnOrder, Jump, Score, SkipUnless
from draftengine.engine.program import CompiledTrigger
from draftengine.model.cardset.effects import (
    IN_TURN_COUNTER,
    condition_counter,
    others_counter,
    turn_counter,
    without_groups,
)
from draftengine.model.cardset.records import Trigger
from draftengine.model.language.tree import (
    Binary,
    BooleanLiteral,
    Call,
    Comparison,
    Conditional,
    LogicalOp,
    Name,
    Number,
    nodes_in,
)
from draftengine.model.verbs import EFFECTS
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import DrawStep
from draftengine.model.verbs.give import GiveStep
from draftengine.model.verbs.piles import MoveStep, ShuffleStep
from draftengine.model.verbs.turns import DoStep
from draftengine.model.verbs.who import Who

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.engine.compile.formulas import FormulaNames
    from draftengine.engine.compile.rules import Effects
    from draftengine.engine.instructions import Value
    from draftengine.engine.program import Instruction
    from draftengine.model.cardset.effects import DeferredSteps
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import Formula
    from draftengine.model.verbs.turns import InTurnStep
    from draftengine.model.verbs.verb import Step
    from draftengine.support.source import Span


def names_of(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return a name for every step of a list.

    The name is the step's `id`, or else its verb, numbered from the second such step on (``choose-2``).
    """
    names: list[str] = []
    verbs: Counter[str] = Counter()
    for step in steps:
        verbs[step.verb] += 1
        number = verbs[step.verb]
        names.append(step.id or (step.verb if number == 1 else f"{step.verb}-{number}"))
    return tuple(names)


class Code:
    """A growing list of instructions. Places are reserved for instructions with targets still unknown."""

    def __init__(self) -> None:
        self.instructions: list[Instruction | None] = []
        self.path: list[str] = []
        """Names of the steps around the step that is being compiled, outermost first, and its own name."""

    def __len__(self) -> int:
        """Return the number of instructions, which is the index of the next one."""
        return len(self.instructions)

    def append(self, make: Callable[[int], Instruction]) -> None:
        """Append the instruction that `make` returns. `make` gets the index of the next instruction."""
        self.instructions.append(make(len(self) + 1))

    def reserve(self) -> int:
        """Reserve an index for an instruction that is filled in later, and return the index."""
        self.instructions.append(None)
        return len(self) - 1

    def either(self, when: Value, compile_it: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """Append the instructions for when a condition holds, then those for when it does not."""
        slot = self.reserve()
        compile_it()
        end = self.reserve()
        self.instructions[slot] = SkipUnless(when, slot + 1, len(self))
        otherwise()
        self.instructions[end] = Jump(len(self))

    def only_if(self, when: Value, compile_it: Callable[[], None]) -> None:
        """Append the instructions that `compile_it` writes. They are skipped unless a condition holds."""
        slot = self.reserve()
        compile_it()
        self.instructions[slot] = SkipUnless(when, slot + 1, len(self))


NONE = Number(0)


def owes(step_list: DeferredSteps) -> Expr:
    """Return the condition “the seat owes this list”."""
    return Comparison(">", Name(step_list.counter), NONE)


def whose_turn(counter: str) -> Expr:
    """Return the condition “the seat has the highest number in `counter`”, so that it is next."""
    turn = Name(counter)
    return LogicalOp("and", Comparison(">", turn, NONE), Comparison("==", turn, Call("most", (turn,))))


def anybody(condition: Expr) -> Expr:
    """Return the condition that `condition` holds for at least one seat."""
    return Comparison(">", Call("seats_with", (condition,)), NONE)


def both(condition: Expr | None, other: Expr | None) -> Expr | None:
    """Return the condition that both conditions hold. ``None`` represents a condition that always holds."""
    if condition is None or other is None:
        return condition or other
    return LogicalOp("and", condition, other)


ONE_LESS = Number(-1)
"""The amount that lowers a counter by 1."""


def to_zero(counter: str) -> Expr:
    """Return the amount that lowers a counter to 0."""
    return Binary("-", NONE, Name(counter))


def back_in_line(counter: str, players: int) -> Expr:
    """Return the change of a seat's number after it acted, for turns that go forward and then back.

    In the first pass, numbers are above `players`; the change makes them numbers up to `players`, in reverse order.
    In the second pass, it lowers them to 0.
    """
    reversed_ = Binary("-", Number(2 * players + 1), Binary("*", Number(2), Name(counter)))
    return Conditional(reversed_, Comparison(">", Name(counter), Number(players)), to_zero(counter))


class ListSource(Struct, frozen=True):
    """The origin of a step list: a card, action or trigger, or a step of the flow."""

    id: str
    source: tuple[str, ...]
    span: Span


class Lists:
    """A compiler for step lists. It determines which lists seats can owe at each place in the flow."""

    def __init__(
        self,
        model: CardSet,
        names: FormulaNames,
        effects: Effects,
        later: tuple[DeferredSteps, ...],
        code: Code,
        carry_out: Callable[[Step], None],
    ) -> None:
        self.model = model
        self.names = names
        self.effects = effects
        self.later = later
        """All step lists of the game, in the order in which they are carried out."""
        self.code = code
        self.carry_out = carry_out
        """The function that compiles a step for all seats that carry out the current list."""
        self.by_name = {zone.id: zone for zone in model.zones}
        self.markers = {marker.id: index for index, marker in enumerate(model.markers)}
        self.moments = {trigger.after for trigger in model.triggers}
        self.acts: list[CompiledTrigger] = []
        """The effects in step lists, compiled as triggers. Each has a moment (a point of the flow) of its own."""
        self.group: Expr | None = None
        """The condition that selects the seats for the steps being compiled; ``None`` outside lists."""
        self.turn: Expr | None = None
        """The condition that it is a seat's turn, if each group of seats is that seat or nobody."""
        self.depth = 0
        """The number of nested ``do`` groups with a condition around the step that is being compiled."""
        self.level = 0
        """The number of nested step lists around the step that is being compiled."""
        self.cause = ListSource("", (), model.winner.span)
        """The origin of the list that is being compiled."""

    @property
    def in_list(self) -> bool:
        """True while a step list of a card, action or trigger is being compiled."""
        return self.level > 0

    def _listed(self, step: Step) -> None:
        """Compile a step of a list for those seats of the current group that meet the step's condition."""
        if isinstance(step, DoStep):
            # A group of steps is for seats that meet its condition when the group begins.
            if step.when is None:
                self._for_whom(step, step.do)
                return
            outer, self.depth = self.group, self.depth + 1
            counter = condition_counter(self.depth, in_list=self.in_list)
            many = Number(1) if step.passes is None else step.passes.expr
            holds = Conditional(many, self._asked(step.when), NONE if step.otherwise is None else Number(2))
            self._act((self.effects.shift(counter, made(holds, step.span)),), step.span)
            if step.passes is not None:
                self._each_listed(step.do, counter)
            else:
                for number, steps in ((1, step.do), (2, step.otherwise.do if step.otherwise else ())):
                    self.group = both(Comparison("==", Name(counter), Number(number)), self.turn)
                    self._for_whom(step, steps)
            self.group = both(Comparison(">", Name(counter), NONE), self.turn)
            self._act((self.effects.shift(counter, made(to_zero(counter), step.span)),), step.span)
            self.group, self.depth = outer, self.depth - 1
            return
        group = self.group
        self.group = both(group, self._asked(step.when) if step.when else None)
        # A step that moves no cards of a seat is carried out once for the whole group, in which there may be no seat.
        perhaps = step.when is not None or self.depth > 0
        moved = step.to if isinstance(step, DrawStep) else step.from_ if isinstance(step, MoveStep) else ""
        shared = bool(moved) and self.by_name[moved].per == "table"
        if isinstance(step, ShuffleStep | GiveStep) or (perhaps and shared):
            assert self.group is not None
            self.code.only_if(self.anybody(self.group, step.span), partial(self.carry_out, step))
        elif step.verb in EFFECTS:
            self._act(self.effects.collect((step,)), step.span)
        else:
            self.carry_out(step)
        self.group = group

    def _for_whom(self, step: DoStep, steps: tuple[Step, ...]) -> None:
        """Compile the steps of a group, for the players that `who` selects when these steps begin."""
        if step.who is None:
            self._each_listed(steps)
            return
        assert self.group is not None
        outer, counter, turn = self.group, others_counter(self.level), self.turn
        self._assign(step.who.among(outer, step.span), counter, None, -1)
        self.group, self.turn = Comparison(">", Name(counter), NONE), None

        def by_them() -> None:
            self._each_listed(steps)
            self._act((self.effects.shift(counter, made(to_zero(counter), step.span)),), step.span)

        self.code.only_if(self.anybody(self.group, step.span), by_them)
        self.group, self.turn = outer, turn

    def _each_listed(self, steps: tuple[Step, ...], passes: str = "") -> None:
        """Compile these steps.

        With the name of a counter in `passes`, each is only for the seats whose counter is at least its number.
        """
        for number, (step, name) in enumerate(zip(steps, names_of(steps), strict=True), 1):
            if passes:
                self.group = both(Comparison(">=", Name(passes), Number(number)), self.turn)
            self.code.path.append(name)
            self._listed(step)
            self.code.path.pop()

    def _act(self, effects: tuple[int, ...], span: Span) -> None:
        """Compile effects on the seats of the current group, as a trigger with a point of the flow of its own."""
        assert self.group is not None
        moment = f"list:{len(self.acts)}"
        who = made(self.group, span)
        trigger = Trigger(id=self.cause.id, after=moment, who=who, do=(), source=self.cause.source, span=span)
        self.acts.append(CompiledTrigger(trigger, value_of(who, self.names), None, effects, None, in_steps=True))
        self.moment(moment)

    def behind(self, slot: int, started: Sequence[DeferredSteps], *, reveals: bool) -> None:
        """Compile the lists that the choice at index `slot` starts, then the triggers of the reveal.

        If there is nothing to choose, all of them are skipped. The choice itself no longer runs the triggers.
        """
        self.carry_out_lists(started)
        choice = cast("Choice | PlayAll", self.code.instructions[slot])
        if reveals and "reveal" in self.moments:
            self.moment("reveal")
        self.code.instructions[slot] = replace(choice, otherwise=len(self.code))
        if isinstance(choice, Choice):
            self.code.instructions[slot] = replace(choice, otherwise=len(self.code), reveals=False)

    def carry_out_lists(self, started: Sequence[DeferredSteps]) -> None:
        """Compile lists as a loop: until no list is owed, the first list that any seat owes is carried out."""
        first = len(self.code)
        for step_list in started:
            self.code.only_if(self.anybody(owes(step_list), step_list.span), partial(self._list, step_list, first))

    def started_by(self, begun: Sequence[DeferredSteps], *, plays: bool) -> list[DeferredSteps]:
        """Return the step lists that seats can owe after they start `begun` or, with `plays`, play cards.

        Lists of cards that are played in other lists are included. Lists of actions that are taken in a list are not:
        they are carried out before the next step of that list.
        """
        lists = list(begun) + ([step_list for step_list in self.later if step_list.cause == "card"] if plays else [])
        for step_list in lists:
            steps = without_groups(step_list.steps)
            choices = [step for step in steps if isinstance(step, ChooseStep)]
            lists += [more for step in choices for more in self.of_ways(step) if more not in lists]
            if any(map(self.plays, choices)) or any(isinstance(step, MoveStep) and step.played for step in steps):
                lists += [more for more in self.later if more.cause == "card" and more not in lists]
        return [
            step_list
            for step_list in self.later
            if step_list in lists and (step_list.cause != "way" or step_list in begun)
        ]

    def of_ways(self, step: ChooseStep) -> list[DeferredSteps]:
        """Return the lists that actions of a choice start."""
        return [step_list for step_list in self.later if any(step_list.is_of(way) for way in step.as_)]

    def plays(self, step: ChooseStep) -> bool:
        """True if a choice can play cards. Cards that a seat gets by asking others count, too."""
        return step.plays(self.by_name) or any(way.ask for way in step.as_)

    def _list(self, step_list: DeferredSteps, first: int) -> None:
        """Compile one list for all seats that owe it, together or in turn, then a jump to `first`."""
        outer = self.group, self.turn, self.cause, self.depth
        self.turn, self.depth = None, self.depth if self.level else 0
        self.level += 1
        self.cause = ListSource(step_list.id, step_list.source, step_list.span)
        self.code.path.append(step_list.id)
        if step_list.in_turn:
            by = count_of(step_list.by, self.names) if step_list.by else None
            marker = self.markers[self.model.turn_order.marker] if self.model.turn_order else -1
            turn = turn_counter(self.level)
            self._assign(made(owes(step_list), step_list.span), turn, by, marker)
            done = (step_list.counter, ONE_LESS), (turn, to_zero(turn))
            self._turns(step_list.steps, turn, done)
        else:
            self._group(step_list.steps, owes(step_list), ((step_list.counter, ONE_LESS),))
        self.code.path.pop()
        self.group, self.turn, self.cause, self.depth = outer
        self.level -= 1
        self.code.append(lambda _: Jump(first))

    def in_turn(self, step: InTurnStep) -> None:
        """Compile steps for players in turn. Each gets a number, and the highest number is next."""
        outer = self.cause
        self.cause = ListSource(step.id or step.verb, step.source, step.span)
        by = count_of(step.by, self.names) if step.by else None
        marker = -1 if step.from_ is None else self.markers[step.from_]
        above = self.names.players if step.back else 0
        self._assign((step.who or Who()).condition(step.span), IN_TURN_COUNTER, by, marker, above)
        done = back_in_line(IN_TURN_COUNTER, self.names.players) if step.back else to_zero(IN_TURN_COUNTER)
        self._turns(step.do, IN_TURN_COUNTER, ((IN_TURN_COUNTER, done),))
        self.cause = outer

    def _turns(self, steps: tuple[Step, ...], counter: str, settled: Sequence[tuple[str, Expr]]) -> None:
        """Compile steps for the seats that have a number in `counter`, highest first (see `_group`)."""
        again, turn = len(self.code), whose_turn(counter)

        def once() -> None:
            self.turn = turn
            self._group(steps, turn, settled)
            self.turn = None
            self.code.append(lambda _: Jump(again))

        self.code.only_if(self.anybody(turn, self.cause.span), once)

    def together(self, step: DoStep) -> None:
        """Compile steps that players carry out together."""
        assert step.who is not None
        outer, self.cause = self.cause, ListSource(step.id or step.verb, step.source, step.span)
        effect = len(step.do) == 1 and step.do[0].is_effect
        if effect and not self.model.extra_seats:  # no effect in between can change which players they are
            self._group(step.do, self._asked(step.who.condition(step.span)), ())
        else:
            self._assign(step.who.condition(step.span), IN_TURN_COUNTER, None, -1)
            their = Comparison(">", Name(IN_TURN_COUNTER), NONE)
            done = ((IN_TURN_COUNTER, to_zero(IN_TURN_COUNTER)),)
            self.code.only_if(self.anybody(their, step.span), lambda: self._group(step.do, their, done))
        self.cause = outer

    def _asked(self, formula: Formula) -> Expr:
        """Return a condition of the author, ready to become part of a larger one.

        If conditions are reported, it is wrapped in ``if``, because only such parts of a larger condition are
        reported.
        """
        if self.names.heard is None:
            return formula.expr
        self.names.written.update((id(node), formula) for node in nodes_in(formula.expr))
        return Conditional(BooleanLiteral(value=True), formula.expr, BooleanLiteral(value=False))

    def _assign(self, who: Formula, counter: str, by: Value | None, marker: int, above: int = 0) -> None:
        """Compile the assignment of numbers in `counter` to the players who meet `who`; all others get 0."""
        asked, field = value_of(who, self.names), self.names.fields.field(counter)
        self.code.append(lambda following: AssignTurnOrder(asked, by, marker, field, above, following))

    def _group(self, steps: tuple[Step, ...], who: Expr, settled: Sequence[tuple[str, Expr]]) -> None:
        """Compile the steps of a list for the seats that meet `who`.

        After these steps, each counter in `settled` changes by the amount paired with it.
        """
        self.group = who
        self._each_listed(steps)
        span = self.cause.span
        if settled:
            self._act(tuple(self.effects.shift(name, made(amount, span)) for name, amount in settled), span)
        self.group = None

    def anybody(self, condition: Expr, span: Span) -> Value:
        """Compile the condition that at least one seat meets `condition`."""
        return value_of(made(anybody(condition), span), self.names)

    def moment(self, name: str) -> None:
        """Compile a moment: a point of the flow at which triggers run, followed by the lists that they start.

        The moment is a `Score` instruction without rules.
        """
        self.code.append(lambda following: Score(name, (), following))
        self.of_triggers(name)

    def of_triggers(self, moment: str) -> None:
        """Compile the lists that the triggers of a moment (a point of the flow) start."""
        begun = self.waits_for(moment)
        if begun:
            self.carry_out_lists(self.started_by(begun, plays=False))

    def waits_for(self, moment: str) -> list[DeferredSteps]:
        """Return the lists that the triggers of a moment (a point of the flow) start."""
        waiting = {trigger.id for trigger in self.model.triggers if trigger.after == moment}
        return [step_list for step_list in self.later if step_list.cause == "trigger" and step_list.id in waiting]
