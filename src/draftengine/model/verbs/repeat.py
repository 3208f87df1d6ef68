"""Repeat: passes through `do`, called turns, a number of times, or until something holds.

- repeat: {until_empty: hand, do: [...]}
- repeat: {until: most(points) >= 20, at_most: 12, do: [...]}

It must be proved before play that the repeat ends: by a number of turns, or because a zone only shrinks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.model.language.evaluate import references
from draftengine.model.records.record import Condition, FlowNumber, ZoneName, field, formulas_in
from draftengine.model.records.schema_fragments import ref
from draftengine.model.verbs.positions import fewest, most
from draftengine.model.verbs.termination import most_turns
from draftengine.model.verbs.verb import Problem, Step, Verb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.flow import DryRun, Position
    from draftengine.model.flow.tally import TurnStart
    from draftengine.model.verbs.verb import Words, Zones


class RepeatStep(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "repeat"

    until_empty: Annotated[ZoneName | None, field("Until empty", "Until nobody has cards in this zone.", "hand")] = None
    times: Annotated[FlowNumber | None, field("Times", "So many times.", 7)] = None
    until: Annotated[Condition | None, field("Until", "Until this holds after a turn.", "turn == 5")] = None
    at_most: Annotated[FlowNumber | None, field("At most", "No more turns than that, in any case.", 12)] = None
    do: Annotated[
        tuple[Step, ...],
        field("Do", "The steps of one turn.", schema=ref("steps"), read=lambda reader, name: reader.steps(name)),
    ]

    @property
    def within(self) -> tuple[Step, ...]:
        return self.do


def problems(step: RepeatStep, zones: Zones) -> Iterator[Problem]:
    if step.until_empty in {"tableau", "discard"} and step.until_empty in zones:
        yield Problem(step.until_empty, "never-empty")


def count_cards(step: RepeatStep, run: DryRun, positions: list[Position]) -> list[Position]:
    outer, run.turn = run.turn, 0
    limited = step.times is not None or step.at_most is not None
    enough = None if limited else most_turns(step, run, positions)
    stop = None if limited or enough is not None else run.stop_at(step)
    bound = enough if stop is None else stop.turns
    limited |= bound is not None
    counted = _counted(*_all_in(step))
    if not limited:
        run.begin_unlimited(step, by_turn=_counted(step))
    done: list[Position] = []
    before: list[Position] = []
    seen: set[object] = set()
    last: TurnStart | None = None
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
                run.skip(step, left, last.tally, going, now.laid_since(last))
                positions = going
                continue
            seen.add(frozenset(now.laid))
            last = now
            run.count_turn(step, going)
            positions = run.run_all(step.do, going)
            positions = run.between_turns(run.moment("turn", positions) if outer == 0 else positions)
    run.turn = outer
    run.end_unlimited(step)
    return done


def _parted(
    step: RepeatStep, run: DryRun, positions: list[Position], enough: int | None
) -> tuple[list[Position], list[Position]]:
    """Return the positions in which the repeat ends, and those in which it continues."""
    done, going = [], []
    for position in run.apart.split(step, positions):
        ended, goes_on = (position, None) if run.turn == enough else _ends(step, run, position)
        done += [ended] if ended else []
        going += [goes_on] if goes_on else []
    return done, going


def _turns_left(step: RepeatStep, run: DryRun, positions: list[Position], bound: int | None) -> int:
    """Return the number of turns to come if it is certain and equal in all positions; else 0."""
    if bound is not None:
        return bound - run.turn
    numbers = [number for number in (step.times, step.at_most) if number is not None]
    counts = {run.numbers.count(number, position, 0, 0) for number in numbers for position in positions}
    turns = counts.pop() if len(counts) == 1 else 0
    return turns - run.turn if isinstance(turns, int) else 0


def _ends(step: RepeatStep, run: DryRun, position: Position) -> tuple[Position | None, Position | None]:
    """Return the position if the repeat ends here, and if it continues; both if play decides."""
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
    """True if a formula of the steps reads the number of the turn."""
    exprs = (formula.expr for step in steps for formula, *_ in formulas_in(step, ""))
    return any(("name", "turn") in references(expr) for expr in exprs)


def _all_in(step: Step) -> Iterator[Step]:
    """Yield a step and all steps within it, at any depth."""
    yield step
    for inner in step.within:
        yield from _all_in(inner)


def sentence(step: RepeatStep, words: Words) -> str:
    phrase = _sentence(step, words)
    if step.at_most is None:
        return phrase
    limit = words.cards(step.at_most)
    return phrase + words.phrase("space") + words.phrase("repeat.at_most", times=limit.numbers, count=limit.count)


def _sentence(step: RepeatStep, words: Words) -> str:
    if step.times is not None:
        times = words.cards(step.times)
        text = f"{times.numbers} ×" if times.single is None else words.phrase("repeat.count", count=times.single)
        return words.phrase("repeat.times", times=text)
    if step.until is not None:
        return words.phrase("repeat.until", condition=words.condition(step.until.expr))
    if step.until_empty == "hand":
        return words.phrase("repeat.hands")
    return words.phrase("repeat.empty", zone=words.zone(str(step.until_empty)), count=1)


VERB = Verb(
    spec=RepeatStep,
    said=field("Repeat", "Turns: each pass through `do` is one.", {"until_empty": "hand", "do": []}),
    one_of=("until_empty", "times", "until"),
    problems=problems,
    count_cards=count_cards,
    sentence=sentence,
)
