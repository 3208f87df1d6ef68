"""Opponents for people, from ``easy`` to ``expert``."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from draftengine.bots.protocol import Budget, Decision
from draftengine.bots.search.bot import SearchBot
from draftengine.bots.simple import GreedyBot, TableBot
from draftengine.engine.choose import Choice

if TYPE_CHECKING:
    from draftengine.bots.worth.tables import Told
    from draftengine.engine.chance import Stream
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program

_SLIP = 5
"""An easy opponent overlooks the best move in one of this number of choices."""


class Easy(GreedyBot):
    """A beginner: looks at the points at once, and sometimes overlooks the best card."""

    def __init__(self) -> None:
        super().__init__(aim="win")

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return the best move, or now and then the second best."""
        decision = super().decide(seen, stream, budget)
        if stream.below(_SLIP) or len(decision.considered) == 1:
            return decision
        return Decision(decision.considered[1].move, decision.considered, decision.unit)


PLAYOUTS = 100
"""Playouts of a good player before a choice."""


class Hard(SearchBot):
    """A good player: looks ahead, but not for long."""

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:  # noqa: ARG002 (it has a fixed budget)
        """Return the move that `PLAYOUTS` playouts find best."""
        return super().decide(seen, stream, Budget(iterations=PLAYOUTS))


class Medium(TableBot):
    """A player with some experience: knows what cards are worth later, too."""

    def __init__(self) -> None:
        self._ahead = Hard()

    def prepare(self, program: Program, progress: Told) -> None:
        """Prepare the search if a choice has actions, and learn the cards for all other choices."""
        by_table = {_by_table(program, choice) for choice in _choices(program)}
        if False in by_table:
            self._ahead.prepare(program, progress)
        if True in by_table or not by_table:
            super().prepare(program, progress)

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return the move of largest value; search where no table knows what a move brings."""
        if _by_table(seen.program, cast("Choice", seen.program.code[seen.decision])):
            return super().decide(seen, stream, budget)
        return self._ahead.decide(seen, stream, budget)


def _choices(program: Program) -> list[Choice]:
    return [step for step in program.code if isinstance(step, Choice)]


def _by_table(program: Program, choice: Choice) -> bool:
    """True if a worth table can value the moves: they are neither actions nor cards put aside for them."""
    if choice.actions:
        return False
    choices = _choices(program)
    return all(choice.plays for choice in choices if not choice.actions) or not any(
        choice.actions for choice in choices
    )


class Expert(SearchBot):
    """As strong as it gets in the time it has."""
