"""Follows repeats, seats that act in turn, scoring and ends in a dry run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.flow.positions import fewest, most
from draftengine.model.flow.termination import most_turns
from draftengine.model.language.evaluate import references
from draftengine.model.records.record import formulas_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.flow.dry_run import DryRun
    from draftengine.model.flow.positions import Position
    from draftengine.model.flow.tally import TurnStart
    from draftengine.model.verbs.group import DoStep
    from draftengine.model.verbs.turns import EndStep, InTurnStep, RepeatStep, ScoreStep
    from draftengine.model.verbs.verb import Step


def count_repeat(step: RepeatStep, run: DryRun, positions: list[Position]) -> list[Position]:
    outer, run.turn = run.turn, 0
    limited = step.times is not None or step.at_most is not None
    enough = None if limited else most_turns(step, run, positions)
    stop = None if step.times is not None or enough is not None else run.stop_at(step)
    if step.times is None and step.at_most is not None and (step.until or step.until_empty):
        run.limited[run.places[id(step)]] = most(run.numbers.count(step.at_most, positions[0], 0, 0))
    bound = enough if stop is None else stop.turns
    limited |= bound is not None
    counted = _counted(*_all_in(step))
    if not limited:
        run.begin_unlimited(step, by_turn=_counted(step))
    done: list[Position] = []
    before: list[Position] = []
    seen: set[object] = set()
    last: TurnStart | None = None
    moved, active = run.counts.moved, 0
    while positions:
        ended, going = _parted(step, run, positions, enough)
        done = run.apart.limit(done + ended)
        if stop is not None and run.turn == bound:
            run.stop(going)
            break
        positions = []
        if going:
            if limited and not counted and run.apart.exhausted:
                going = run.apart.widen(going, before)
                before = [position.copy() for position in going]
            now = run.counts.begun(going)
            if not limited and not counted and frozenset(now.laid) in seen:
                run.doubt_turns(step, circle=True, endless=not done)
            left = _turns_left(step, run, going, bound) if limited and not counted and last is not None else 0
            if left and last is not None and now.laid.keys() == last.laid.keys():
                active += left * (active == run.turn)
                run.skip(step, left, last.tally, going, now.laid_since(last))
                positions = going
                continue
            seen.add(frozenset(now.laid))
            last = now
            run.count_turn(step, going)
            positions = run.run_all(step.do, going)
            positions = run.between_turns(run.moment("turn", positions) if outer == 0 else positions)
            if run.counts.moved != moved:
                moved, active = run.counts.moved, run.turn
    run.counts.repeated(step, active, run.turn)
    run.turn = outer
    run.end_unlimited(step)
    return done


def _parted(
    step: RepeatStep, run: DryRun, positions: list[Position], enough: int | None
) -> tuple[list[Position], list[Position]]:
    """Return the positions where the repeat ends, and the positions where it goes on."""
    done, going = [], []
    for position in run.apart.split(step, positions):
        ended, goes_on = (position, None) if run.turn == enough else _ends(step, run, position)
        done += [ended] if ended else []
        going += [goes_on] if goes_on else []
    return done, going


def _turns_left(step: RepeatStep, run: DryRun, positions: list[Position], bound: int | None) -> int:
    """Return the number of turns that remain, if it is certain and equal in all positions; else 0."""
    numbers = [number for number in (step.times, step.at_most) if number is not None]
    counts = {run.numbers.count(number, position, 0, 0) for number in numbers for position in positions}
    turns = [*counts, *([] if bound is None else [bound])]
    if len(counts) > 1 or not turns or not all(isinstance(count, int) for count in turns):
        return 0
    return min(map(most, turns)) - run.turn


def _ends(step: RepeatStep, run: DryRun, position: Position) -> tuple[Position | None, Position | None]:
    """Return the position as (it ends the repeat, it continues the repeat).

    One of them is None, unless play decides.
    """
    for number in (step.times, step.at_most):
        turns = None if number is None else run.numbers.count(number, position, 0, 0)
        if turns is not None and run.turn >= most(turns):
            return position, None
        if turns is not None and run.turn >= fewest(turns):
            return position.copy(), position
    if step.until_empty is not None:
        return position.emptied(run.zone_index[step.until_empty])
    ends = run.numbers.truth(step.until, position) if step.until is not None else False
    if ends is None:
        return position.copy(), position
    return (position, None) if ends else (None, position)


def _counted(*steps: Step) -> bool:
    """True if some formula of the steps reads ``turn``."""
    exprs = (formula.expr for step in steps for formula, *_ in formulas_in(step, ""))
    return any(("name", "turn") in references(expr) for expr in exprs)


def _all_in(step: Step) -> Iterator[Step]:
    """Yield a step and all steps within it, at any depth."""
    yield step
    for inner in step.within:
        yield from _all_in(inner)


def count_in_turn(step: InTurnStep, run: DryRun, positions: list[Position]) -> list[Position]:
    ordered = step.by is not None or step.from_ is not None or step.back
    for _ in range(1 + step.back):
        run.counts.choices += 1
        positions = run.lists.run_in_turn(step.do, positions, perhaps=step.who is not None, ordered=ordered)
    return positions


def count_do(step: DoStep, run: DryRun, positions: list[Position]) -> list[Position]:
    if step.who is None:
        return run.run_all(step.do, positions)
    run.counts.choices += 1
    if run.lists.seat is not None:
        return run.lists.run_by_others(step.who, step.do, positions)
    return run.lists.run_in_turn(step.do, positions, perhaps=not step.who.is_everyone, ordered=not step.who.is_everyone)


def count_score(step: ScoreStep, run: DryRun, positions: list[Position]) -> list[Position]:
    run.counts.score(step.label)
    return run.triggered(step.label, positions)


def count_end(step: EndStep, run: DryRun, positions: list[Position]) -> list[Position]:
    run.end(step, step.what, positions)
    return []
