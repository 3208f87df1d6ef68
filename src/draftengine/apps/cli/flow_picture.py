"""Picture of the flow of a game, drawn with lines: what happens before, in and after each round."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from draftengine.api.phrasing.sentences import winner_said
from draftengine.support.locale.catalogue import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.phrasing.phraser import CardSetPhraser
    from draftengine.apps.play.labels import Names
    from draftengine.model.verbs.verb import Step


def picture(names: Names, columns: int) -> list[str]:
    """Return the picture at most `columns` wide, each step with its citations."""
    model = names.game.model
    rounds = "The round" if model.rounds == 1 else f"Each of {model.rounds} rounds"
    rounds = "Each round" if model.until else rounds
    parts = (("Before the first round", model.setup), (rounds, model.round), ("At the end", model.finish))
    lines: list[str] = []
    for title, steps in parts:
        if steps:
            lines += [title, *_steps(steps, "  ", names.labels.speech, columns)]
    return [*lines, *wrap(plain(winner_said(names.labels.speech)), columns)]


def _steps(steps: Sequence[Step], margin: str, speech: CardSetPhraser, columns: int) -> Iterator[str]:
    for step in steps:
        cited = f"  [{', '.join(step.source)}]" if step.source else ""
        line = f"{plain(speech.step(step))}{cited}"
        if step.within:
            yield from wrap(line, columns, initial_indent=f"{margin}┌ ", subsequent_indent=f"{margin}│ ")
            yield from _steps(step.within, f"{margin}│ ", speech, columns)
            yield f"{margin}└"
        else:
            yield from wrap(line, columns, initial_indent=margin, subsequent_indent=f"{margin}  ")
