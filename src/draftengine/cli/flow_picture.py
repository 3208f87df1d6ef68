"""The flow of a game as a picture of lines: what happens before, in and after each round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.api.sentences import winner_said
from draftengine.wording.catalogue import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.speech import Speech
    from draftengine.play.names import Names
    from draftengine.verbs.verb import Step


def picture(names: Names) -> list[str]:
    """The lines of the picture, each with the citations of its step."""
    model = names.game.model
    rounds = "The round" if model.rounds == 1 else f"Each of {model.rounds} rounds"
    parts = (("Before the first round", model.setup), (rounds, model.round), ("At the end", model.finish))
    lines: list[str] = []
    for title, steps in parts:
        if steps:
            lines += [title, *_steps(steps, "  ", names.labels.speech)]
    return [*lines, _winner(names)]


def _steps(steps: Sequence[Step], margin: str, speech: Speech) -> Iterator[str]:
    for step in steps:
        cited = f"  [{', '.join(step.source)}]" if step.source else ""
        line = f"{plain(speech.step(step))}{cited}"
        if step.within:
            yield f"{margin}┌ {line}"
            yield from _steps(step.within, f"{margin}│ ", speech)
            yield f"{margin}└"
        else:
            yield f"{margin}{line}"


def _winner(names: Names) -> str:
    return plain(winner_said(names.labels.speech))
