"""Turns, and the way that cards take next, as far as one seat can know.

The functions say which seat gets the cards that a seat leaves, and how likely a card is to come back. They never read
the cards of other players. `target_piles` finds the open pile to which an action leads, such as the prize of a bid. For
that, it considers only counters that the action sets to constants.
"""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import TYPE_CHECKING, cast

from draftengine.engine import choose
from draftengine.engine.choose import Choice
from draftengine.engine.instructions import (
    Clear,
    Deal,
    End,
    EndGame,
    EndRound,
    Flip,
    Gather,
    MoveAll,
    NextTurn,
    Pass,
    Score,
    SkipUnless,
    StartRound,
    StartTurns,
)
from draftengine.engine.public_state import PublicState
from draftengine.model.cardset.effects import without_groups
from draftengine.model.cardset.facts import all_steps, constant_facts
from draftengine.model.cardset.pieces import card_in
from draftengine.model.language.evaluate import constant_value, functions_in
from draftengine.model.language.tree import LogicalOp
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.effects import SetStep

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from draftengine.engine.observe import Cards, Observation
    from draftengine.engine.program import Instruction, Program
    from draftengine.engine.state import GameState
    from draftengine.model.cardset.facts import Constants
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.language.tree import Expr
    from draftengine.model.verbs.verb import Step


def stock(seen: Observation) -> Cards:
    """Return the viewer's own cards to choose from, without forms; empty if some come from a shared zone."""
    program, sources = seen.program, _choice(seen).sources
    zones = {program.zones[source].id for source in sources}
    lying: Counter[str] = Counter()
    if any(view.zone in zones and view.owner < 0 for view in seen.zones):
        return ()
    if program.tableau in sources and seen.seat >= 0:
        lying.update(card_in(name) for name in seen.tableaus[seen.seat])
    for view in seen.zones:
        if view.zone in zones and view.owner == seen.seat:
            for name, copies in view.cards:
                lying[card_in(name)] += copies
    return tuple((name, lying[name]) for name in sorted(lying, key=program.face_named.__getitem__))


def receiver(seen: Observation) -> int | None:
    """Return the seat that gets the cards left after the next choice; ``None`` if the cards stay."""
    choice = _choice(seen)
    public = cast("GameState", PublicState.of_observation(seen))
    for step in _steps_after(seen):
        if isinstance(step, Pass) and step.zone in choice.sources:
            way = step.direction(seen.round)
            return (seen.seat + way) % seen.program.players
        gone = isinstance(step, MoveAll) and step.source in choice.sources
        skipped = isinstance(step, SkipUnless) and not step.when(public, 0)
        if gone or skipped or isinstance(step, (NextTurn, EndRound, EndGame, Clear, Gather)):
            return None
    return None


def chance_of_return(seen: Observation, name: str) -> float | None:
    """Return the chance that card `name` is still in the hand when it comes back to the seat.

    Before that, every other player takes cards. Every card is assumed to be equally likely to be taken; one remaining
    copy is enough. Returns 0 if all cards will be taken. Returns ``None`` if turns have other choices or passes, or if
    other steps move the cards.
    """
    choice = _choice(seen)
    copies = dict(stock(seen)).get(name, 0)
    by_all = choice.marker < 0 and choice.who is None and not (choice.also or choice.layout or choice.offer)
    if not copies or not by_all or choice.sources[1:]:
        return None
    # Each turn may consist only of this choice by all players alike, and one pass to a neighbour.
    steps = tuple(_steps_after(seen))
    passes = sum(isinstance(step, Pass) and step.zone == choice.source for step in steps)
    disturbed = any(
        isinstance(step, (SkipUnless, Gather))
        or (isinstance(step, (Deal, MoveAll)) and choice.source in {step.source, step.target})
        or (isinstance(step, Choice) and not step.offer and choice.source in step.sources)
        or (isinstance(step, Flip) and step.zone == choice.source)
        for step in steps
    )
    if passes != 1 or disturbed or not any(isinstance(step, NextTurn) for step in steps):
        return None
    each = choice.cards(cast("GameState", PublicState.of_observation(seen)), 0)
    left = sum(count for _, count in stock(seen)) - each
    taken = each * (seen.program.players - 1)
    if left <= taken:
        return 0.0
    copies = min(copies, left)
    return 1 - comb(left - copies, taken - copies) / comb(left, taken) if taken >= copies else 1.0


def joins_later(seen: Observation) -> bool:
    """True if cards chosen now go to a zone from which seats choose again, instead of being played."""
    return choose.joins_later(seen.program, _choice(seen))


def choosers(program: Program) -> frozenset[str]:
    """Return the markers that let their holder choose alone."""
    return frozenset(
        program.markers[step.marker].id for step in program.code if isinstance(step, Choice) and step.marker >= 0
    )


def turn_of(program: Program, public: PublicState, turns: Sequence[int], decision: int) -> int:
    """Return the turn of the round, from 1; 0 if turns cannot be counted or the game is over.

    A turn is one pass through an outermost repeat. A choice outside of repeats is a separate turn.
    """
    if turns:
        return turns[0]
    code, seen = program.code, cast("GameState", public)
    if decision >= len(code):
        return 0
    index = max((start for start in range(decision) if isinstance(code[start], StartRound)), default=0)
    turn = 0
    while index < decision:
        step = code[index]
        if isinstance(step, NextTurn):
            if step.times is None:
                return 0
            turn += step.times(seen, 0)
            index = step.otherwise
        else:
            turn += isinstance(step, Choice) and not step.offer
            index += 1
    here = code[decision]
    return turn + (isinstance(here, Choice) and not here.offer) if turn else 0


def turns_of(seen: Observation) -> int:
    """Return the number of turns in the round, as `turn_of` counts them; 0 if it is not certain."""
    program, public = seen.program, PublicState.of_observation(seen)
    code, index = program.code, seen.decision
    turn = turn_of(program, public, seen.turns, index)
    if not turn or any(isinstance(step, End) for step in program.code):
        return 0
    if not seen.turns:
        return _with_choices_after(code, index + 1, turn)
    loop = max(
        start
        for start in range(index)
        if isinstance(code[start], NextTurn) and cast("NextTurn", code[start]).depth == 0
    )
    step = cast("NextTurn", code[loop])
    if step.until is not None or step.at_most is not None:
        return 0
    if step.times is None:
        # The repeat ends when its zone is empty. This is certain if all players take equally many cards in each turn.
        state, kind = cast("GameState", public), program.zones[step.zone]
        sizes = {zone.size for zone in seen.zones if zone.zone == kind.id and 0 <= zone.owner < program.players}
        taken = _taken_from(program, state, step.zone, range(seen.decision, step.otherwise))
        if step.zone < 0 or len(sizes) != 1 or taken is None:
            return 0
        left, turn = sizes.pop() - taken, seen.turns[0]
        while left > 0:
            turn += 1
            public.turn = turn
            taken = _taken_from(program, state, step.zone, range(loop + 1, step.otherwise))
            if not taken:
                turn = 0
                break
            left -= taken
        return turn
    return _with_choices_after(code, step.otherwise, step.times(cast("GameState", public), 0))


def is_last_turn(seen: Observation) -> bool:
    """True if it is certain that the round has no turn after this one."""
    turn = turn_of(seen.program, PublicState.of_observation(seen), seen.turns, seen.decision)
    return 0 < turn == turns_of(seen)


def _with_choices_after(code: Sequence[Instruction], index: int, turn: int) -> int:
    """Return `turn` plus the number of choices from `index` up to the next repeat or the end of the round.

    Returns 0 if a step in between has a condition.
    """
    while index < len(code) and not isinstance(code[index], (StartTurns, EndRound)):
        step = code[index]
        if isinstance(step, SkipUnless):
            return 0
        turn += isinstance(step, Choice) and not step.offer
        index += 1
    return turn


def _taken_from(program: Program, state: GameState, zone: int, places: Iterable[int]) -> int | None:
    """Return the number of cards that each player takes from its own zone; ``None`` if players differ.

    `places` are the indices of the instructions to consider.
    """
    taken, skipped = 0, 0
    for place in places:
        step = program.code[place]
        skipped = max(skipped, step.otherwise) if isinstance(step, SkipUnless) else skipped
        if isinstance(step, Choice) and zone in step.sources:
            everybody = step.marker < 0 and step.who is None and not (step.also or step.actions or step.layout)
            if not everybody or not step.keeps_even or place < skipped:
                return None
            taken += 0 if step.offer else step.cards(state, 0)
        elif isinstance(step, Gather) or zone in {getattr(step, "source", -1), getattr(step, "target", -1)}:
            return None
    return taken


def scored_already(program: Program, decision: int) -> frozenset[int]:
    """Return the indices of rules that were scored in this round and will not be scored again in it."""
    code = program.code
    loops = [range(index, step.otherwise) for index, step in enumerate(code) if isinstance(step, NextTurn)]
    to_come, done = set[int](), set[int]()
    for index, step in enumerate(code):
        if isinstance(step, Score):
            again = index >= decision or any(decision in loop and index in loop for loop in loops)
            (to_come if again else done).update(step.rules)
    return frozenset(done - to_come)


def _choice(seen: Observation) -> Choice:
    return cast("Choice", seen.program.code[seen.decision])


def _steps_after(seen: Observation) -> Iterator[Instruction]:
    """Yield the instructions after the current decision, in order, until one would be repeated.

    Step lists that cards may start are left out.
    """
    code, index = seen.program.code, seen.decision
    done: set[int] = set()
    while index not in done and index < len(code):
        done.add(index)
        if index != seen.decision:
            yield code[index]
        step = code[index]
        index = step.otherwise if isinstance(step, Choice) else getattr(step, "following", len(code))


def target_piles(model: CardSet, players: int) -> dict[str, str]:
    """Return, for each action that leads to just one open pile, that pile by the action's id.

    An action leads to a pile by taking cards from it, or by fulfilling the condition of a later step that does.
    """
    facts = constant_facts(model, players)
    piles = {zone.id for zone in model.zones if zone.per == "table" and zone.seen_by == "everyone" and not zone.layout}
    taken = [(pile, when) for part in (model.setup, model.round, model.finish) for pile, when in _taken(part, piles)]
    targets = {}
    for step in all_steps(model):
        for way in step.as_ if isinstance(step, ChooseStep) else ():
            amounts = [
                amount for effect in without_groups(way.do) if isinstance(effect, SetStep) for amount in effect.amounts
            ]
            values = {amount.counter: constant_value(amount.formula.expr, facts) for amount in amounts}
            sets = {counter: int(value) for counter, value in values.items() if value is not None}
            then = constant_facts(model, players, **sets)
            at_once = {pile for pile, _ in _taken(way.do, piles)}
            candidates = at_once or {pile for pile, when in taken if sets and _because(when, facts, then)}
            if len(candidates) == 1:
                targets[way.id] = candidates.pop()
    return targets


def bids(model: CardSet, aimed: Container[str]) -> frozenset[str]:
    """Return the counters that are set by the actions whose ids are in `aimed`."""
    steps = (step for step in all_steps(model) if isinstance(step, ChooseStep))
    ways = (way for step in steps for way in step.as_ if way.id in aimed)
    effects = (effect for way in ways for effect in without_groups(way.do) if isinstance(effect, SetStep))
    return frozenset(amount.counter for effect in effects for amount in effect.amounts)


def _taken(
    steps: Iterable[Step], piles: set[str], when: tuple[Expr, ...] = ()
) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    """Yield (pile, conditions) for each step that takes cards from a pile.

    The conditions are those of the step and of the steps around it.
    """
    for step in steps:
        who = None if step.who is None else step.who.formula
        conditions = [formula.expr for formula in (step.when, who) if formula is not None]
        asked = (*when, *(part for condition in conditions for part in _parts(condition)))
        if (source := getattr(step, "from_", None)) in piles:
            yield source, asked
        yield from _taken(step.within, piles, asked)
        for _, branch in step.branches:
            yield from _taken(branch, piles, asked)


def _parts(expr: Expr) -> Iterator[Expr]:
    """Yield the conditions that ``and`` joins in a formula, or the formula itself."""
    if isinstance(expr, LogicalOp) and expr.op == "and":
        yield from _parts(expr.left)
        yield from _parts(expr.right)
    else:
        yield expr


def _because(when: Iterable[Expr], before: Constants, then: Constants) -> bool:
    """True if an action makes one of the conditions true, and none is known to be false afterwards.

    `before` and `then` are the values known before and after the action.
    """
    # The values of other seats are not known here.
    own_seat = [condition for condition in when if not functions_in(condition)]
    known = [(constant_value(condition, before), constant_value(condition, then)) for condition in own_seat]
    return all(after != 0 for _, after in known) and any(was is None and after for was, after in known)
