"""Score: all rules whose `at` is the label are scored; then its triggers run.

- score: round
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.model.records.record import LabelName, field
from draftengine.model.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from draftengine.model.flow import DryRun, Position
    from draftengine.model.verbs.verb import Words


class ScoreStep(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "score"
    bare: ClassVar[bool] = True

    label: Annotated[LabelName, field("Score", "Score every rule whose `at` is this.", "round")]


def count_cards(step: ScoreStep, run: DryRun, positions: list[Position]) -> list[Position]:
    run.counts.score(step.label)
    return run.triggered(step.label, positions)


def sentence(step: ScoreStep, words: Words) -> str:
    known = step.label in {"round", "game"}
    return words.phrase(f"score.{step.label}") if known else words.phrase("score", label=step.label.replace("_", " "))


VERB = Verb(spec=ScoreStep, count_cards=count_cards, sentence=sentence)
