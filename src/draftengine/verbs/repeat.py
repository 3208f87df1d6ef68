"""Repeat: turns, each one pass through `do`; until a zone is empty, so many times, or until something holds.

- repeat: {until_empty: hand, do: [...]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.records.pieces import ref
from draftengine.records.record import Condition, FlowNumber, ZoneName, key
from draftengine.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.cardset.flow import DryRun, Position
    from draftengine.verbs.verb import Problem, Words, Zones


class Spec(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "repeat"

    until_empty: Annotated[ZoneName | None, key("Until empty", "Until nobody has cards in this zone.", "hand")] = None
    times: Annotated[FlowNumber | None, key("Times", "So many times.", 7)] = None
    until: Annotated[Condition | None, key("Until", "Until this holds after a turn.", "turn == 5")] = None
    do: Annotated[
        tuple[Step, ...],
        key("Do", "The steps of one turn.", schema=ref("steps"), read=lambda reader, name: reader.steps(name)),
    ]

    @property
    def within(self) -> tuple[Step, ...]:
        return self.do


def problems(step: Spec, zones: Zones) -> Iterator[Problem]:
    if step.until_empty in {"tableau", "discard"} and step.until_empty in zones:
        message = f"Turns do not end by {step.until_empty} being empty."
        yield step.until_empty, message, "Name the zone that cards are chosen from."


def count_cards(step: Spec, run: DryRun, positions: list[Position]) -> list[Position]:
    outer, run.turn = run.turn, 0
    done: list[Position] = []
    while positions:
        going = []
        for position in positions:
            ends = _ends(step, run, position)
            if ends is not False:
                done.append(position if ends else position.copy())
            if not ends:
                going.append(position)
        if going:
            run.count_turn(step, going)
            after = run.run_all(step.do, going)
            if outer == 0:
                after = run.moment(step, "turn", after)
            going = run.distinct(after)
        positions = going
    run.turn = outer
    return run.limited(step, done)


def _ends(step: Spec, run: DryRun, position: Position) -> bool | None:
    """Does the repeat end here; ``None`` if that depends on play."""
    if step.until_empty is not None:
        return not any(position.zones[run.zones[step.until_empty]])
    if step.times is not None:
        return run.turn >= run.number(step.times, position, 0, 0)
    return run.decide(step.until, position) if step.until else True


def sentence(step: Spec, words: Words) -> str:
    if step.times is not None:
        times = words.cards(step.times)
        text = f"{times.numbers} ×" if times.single is None else words.say("repeat.count", count=times.single)
        return words.say("repeat.times", times=text)
    if step.until is not None:
        return words.say("repeat.until", condition=words.condition(step.until.expr))
    if step.until_empty == "hand":
        return words.say("repeat.hands")
    return words.say("repeat.empty", zone=words.zone(str(step.until_empty)), count=1)


VERB = Verb(
    spec=Spec,
    said=key("Repeat", "Turns: each pass through `do` is one.", {"until_empty": "hand", "do": []}),
    one_of=("until_empty", "times", "until"),
    problems=problems,
    count_cards=count_cards,
    sentence=sentence,
)
