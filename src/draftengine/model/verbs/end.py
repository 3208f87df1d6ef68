"""End: the round or the game ends at once, without the remaining steps of the round.

- {end: game, when: "most(points) >= 20"}

The end of a game is followed by its `finish`, and then the winners are found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from draftengine.model.records.record import field
from draftengine.model.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from draftengine.model.flow import DryRun, Position
    from draftengine.model.verbs.verb import Words


class EndStep(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "end"
    bare: ClassVar[bool] = True

    what: Annotated[Literal["round", "game"], field("End", "What ends at once: the round, or the game.", "game")]


def count_cards(step: EndStep, run: DryRun, positions: list[Position]) -> list[Position]:
    run.end(step, step.what, positions)
    return []


def sentence(step: EndStep, words: Words) -> str:
    return words.phrase(f"end.{step.what}")


VERB = Verb(spec=EndStep, count_cards=count_cards, sentence=sentence)
