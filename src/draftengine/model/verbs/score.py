"""Score: every rule whose `at` is this word is scored, then the triggers that wait for it.

- score: round
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.model.records.record import LabelName, key
from draftengine.model.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from draftengine.model.flow import DryRun, Position
    from draftengine.model.verbs.verb import Words


class Spec(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "score"
    bare: ClassVar[bool] = True

    label: Annotated[LabelName, key("Score", "Score every rule whose `at` is this.", "round")]


def count_cards(step: Spec, run: DryRun, positions: list[Position]) -> list[Position]:
    run.counts.score(step.label)
    return run.triggered(step.label, positions)


def sentence(step: Spec, words: Words) -> str:
    known = step.label in {"round", "game"}
    return words.say(f"score.{step.label}") if known else words.say("score", label=step.label.replace("_", " "))


VERB = Verb(spec=Spec, count_cards=count_cards, sentence=sentence)
