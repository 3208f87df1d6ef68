"""Repeat, in_turn, score and end: steps about the course of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import Binary, Number, Unary
from draftengine.model.records.record import (
    Condition,
    FlowNumber,
    HolderOf,
    LabelName,
    SeatCondition,
    SeatNumber,
    ZoneName,
    field,
    formulas_in,
)
from draftengine.model.records.schema_fragments import list_of, ref
from draftengine.model.verbs.positions import fewest, most
from draftengine.model.verbs.termination import most_turns
from draftengine.model.verbs.verb import Problem, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.flow import DryRun, Position
    from draftengine.model.flow.tally import TurnStart
    from draftengine.model.language.tree import Expr
    from draftengine.model.rules.kind import Phraser
    from draftengine.model.verbs.verb import Words, Zones


class RepeatStep(Step, frozen=True, kw_only=True):
    """Repeat: passes through `do`, called turns, a number of times, or until something holds.

    - repeat: {until_empty: hand, do: [...]}
    - repeat: {until: most(points) >= 20, at_most: 12, do: [...]}

    It must be proved before play that the repeat ends: by a number of turns, or because a zone only shrinks.
    """

    verb = "repeat"
    said = field("Repeat", "Turns: each pass through `do` is one.", {"until_empty": "hand", "do": []})
    one_of = ("until_empty", "times", "until")

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

    def problems(self, zones: Zones) -> Iterator[Problem]:
        if self.until_empty in {"tableau", "discard"} and self.until_empty in zones:
            yield Problem(self.until_empty, "never-empty")

    def count_cards(self, run: DryRun, positions: list[Position]) -> list[Position]:
        outer, run.turn = run.turn, 0
        limited = self.times is not None or self.at_most is not None
        enough = None if limited else most_turns(self, run, positions)
        stop = None if self.times is not None or enough is not None else run.stop_at(self)
        if self.times is None and self.at_most is not None and (self.until or self.until_empty):
            run.limited[self] = most(run.numbers.count(self.at_most, positions[0], 0, 0))
        bound = enough if stop is None else stop.turns
        limited |= bound is not None
        counted = _counted(*_all_in(self))
        if not limited:
            run.begin_unlimited(self, by_turn=_counted(self))
        done: list[Position] = []
        before: list[Position] = []
        seen: set[object] = set()
        last: TurnStart | None = None
        while positions:
            ended, going = _parted(self, run, positions, enough)
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
                    run.doubt_turns(self, circle=True, endless=not done)
                left = _turns_left(self, run, going, bound) if limited and not counted and last is not None else 0
                if left and last is not None and now.laid.keys() == last.laid.keys():
                    run.skip(self, left, last.tally, going, now.laid_since(last))
                    positions = going
                    continue
                seen.add(frozenset(now.laid))
                last = now
                run.count_turn(self, going)
                positions = run.run_all(self.do, going)
                positions = run.between_turns(run.moment("turn", positions) if outer == 0 else positions)
        run.turn = outer
        run.end_unlimited(self)
        return done

    def sentence(self, words: Words) -> str:
        phrase = _sentence(self, words)
        if self.at_most is None:
            return phrase
        limit = words.cards(self.at_most)
        return phrase + words.phrase("space") + words.phrase("repeat.at_most", times=limit.numbers, count=limit.count)


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
    numbers = [number for number in (step.times, step.at_most) if number is not None]
    counts = {run.numbers.count(number, position, 0, 0) for number in numbers for position in positions}
    turns = [*counts, *([] if bound is None else [bound])]
    if len(counts) > 1 or not turns or not all(isinstance(count, int) for count in turns):
        return 0
    return min(map(most, turns)) - run.turn


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


class InTurnStep(Step, frozen=True, kw_only=True):
    """In turn: one player after the other carries out steps, and each sees what was done before.

        - in_turn:
            by: bid
            do:
              - draw: {from: market, to: won, cards: 1}
              - move: {from: won, to: tableau, played: true}

    Players and order are fixed when the step begins. Those for whom `who` holds take part. The smallest `by` comes
    first; equal ones follow from the holder of `from` to the left.
    """

    verb = "in_turn"
    said = field("In turn", "One player after the other does some things.", {"do": [{"choose": {"from": "hand"}}]})
    leads = True

    from_: Annotated[HolderOf | None, field("From", "The marker whose holder begins; else seat 0.", "starter")] = None
    by: Annotated[SeatNumber | None, field("By", "The smallest comes first; equal ones by seat.", "bid")] = None
    who: Annotated[SeatCondition | None, field("Who", "Only players for which this holds.", "bid > 0")] = None
    do: Annotated[
        tuple[Step, ...],
        field(
            "Do",
            "What each of them does.",
            schema=list_of(ref("list_step"), 40),
            read=lambda reader, name: reader.steps(name, for_one=True),
        ),
    ]

    @property
    def within(self) -> tuple[Step, ...]:
        return self.do

    def count_cards(self, run: DryRun, positions: list[Position]) -> list[Position]:
        run.counts.choices += 1
        ordered = self.by is not None or self.from_ is not None
        return run.lists.run_in_turn(self.do, positions, perhaps=self.who is not None, ordered=ordered)

    def sentence(self, words: Words) -> str:
        marker = None if self.from_ is None else words.marker(self.from_)
        by = [] if self.by is None else [order_said(self.by.expr, words)]
        phrases = [words.phrase("in_turn"), *by]
        if marker and by:
            phrases.append(words.phrase("in_turn.equal", marker=marker))
        elif marker:
            phrases = [words.phrase("in_turn.from", marker=marker)]
        if self.who is not None:
            phrases.append(words.phrase("in_turn.who", condition=words.condition(self.who.expr)))
        return words.phrase("space").join(phrases)


def order_said(expr: Expr, words: Phraser) -> str:
    """Phrase which seat comes first: that with the smallest value, or the largest if it is negated."""
    match expr:
        case Binary("-", Number(0), upside_down) | Unary("-", upside_down):
            return words.phrase("in_turn.by_highest", of=words.noun_of(upside_down))
        case Binary("-", Binary("-", Number(0), one), other):
            return words.phrase("in_turn.by_highest", of=words.noun_of(Binary("+", one, other)))
    return words.phrase("in_turn.by", of=words.noun_of(expr))


class ScoreStep(Step, frozen=True, kw_only=True):
    """Score: all rules whose `at` is the label are scored; then its triggers run.

    - score: round
    """

    verb = "score"
    bare = True

    label: Annotated[LabelName, field("Score", "Score every rule whose `at` is this.", "round")]

    def count_cards(self, run: DryRun, positions: list[Position]) -> list[Position]:
        run.counts.score(self.label)
        return run.triggered(self.label, positions)

    def sentence(self, words: Words) -> str:
        if self.label not in {"round", "game"}:
            return words.phrase("score", label=self.label.replace("_", " "))
        return words.phrase(
            "score.round.tokens" if words.has_tokens and self.label == "round" else f"score.{self.label}"
        )


class EndStep(Step, frozen=True, kw_only=True):
    """End: the round or the game ends at once, without the remaining steps of the round.

    - {end: game, when: "most(points) >= 20"}

    The end of a game is followed by its `finish`, and then the winners are found.
    """

    verb = "end"
    bare = True

    what: Annotated[Literal["round", "game"], field("End", "What ends at once: the round, or the game.", "game")]

    def count_cards(self, run: DryRun, positions: list[Position]) -> list[Position]:
        run.end(self, self.what, positions)
        return []

    def sentence(self, words: Words) -> str:
        return words.phrase(f"end.{self.what}")
