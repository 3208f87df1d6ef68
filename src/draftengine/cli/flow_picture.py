"""The flow of a game as a picture of lines: what happens before, in and after each round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.labels import own_label
from draftengine.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.play.names import Names
    from draftengine.records.values import ByPlayers, Formula
    from draftengine.verbs.verb import Step, Words


def picture(names: Names) -> list[str]:
    """The lines of the picture, each with the citations of its step."""
    model = names.game.model
    rounds = "The round" if model.rounds == 1 else f"Each of {model.rounds} rounds"
    parts = (("Before the first round", model.setup), (rounds, model.round), ("At the end", model.finish))
    lines: list[str] = []
    for title, steps in parts:
        if steps:
            lines += [title, *_steps(steps, "  ", _Words(names))]
    return [*lines, _winner(names)]


def _steps(steps: Sequence[Step], margin: str, words: Words) -> Iterator[str]:
    for step in steps:
        cited = f"  [{', '.join(step.source)}]" if step.source else ""
        condition = f"if {step.when.text}: " if step.when else ""
        line = f"{condition}{VERBS[step.verb].sentence(step, words)}{cited}"
        if step.within:
            yield f"{margin}┌ {line}"
            yield from _steps(step.within, f"{margin}│ ", words)
            yield f"{margin}└"
        else:
            yield f"{margin}{line}"


class _Words(Struct):
    """What things are called on this screen."""

    names: Names

    def thing(self, name: str) -> str:
        return self.names.label(name)

    def card(self, name: str) -> str:
        return self.names.word(name)

    def called(self, formula: Formula) -> str:
        return self.names.called(formula)

    def zone(self, name: str) -> str:
        return own_label(self.names.label(name), name)

    def number(self, cases: ByPlayers | None) -> str:
        return self.names.labels.number(cases)


def _winner(names: Names) -> str:
    winner = names.game.model.winner
    breakers = "".join(
        f", then the holder of {names.label(own.holder)}"
        if own.holder
        else f", then {own.order} {names.called(own.measure)}"
        for own in winner.tie_breakers
    )
    return f"Who has {winner.order} points wins{breakers}"
