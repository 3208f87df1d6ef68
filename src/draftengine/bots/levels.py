"""Opponents for people, from ``easy`` to ``expert``.

`medium` and `hard` play by the learnt network of the game, if it says how. `hard` has no noise, and the noise of
`medium` was found by playing (`draftengine.studies.distilling`). In other games they play by the worth table and by a
short search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from draftengine.bots.net.bot import NetworkBot
from draftengine.bots.net.kept import opinion_of
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
"""Playouts of a good player before a choice, in games without a network."""


def noise_of(level: str, program: Program) -> float | None:
    """Return the noise with which a level plays by the network of a game; ``None`` if it does not."""
    opinion = opinion_of(program)
    return None if opinion is None else opinion.noise(program.players).get(level)


class Hard:
    """A good player: knows the game well, but does not look far ahead."""

    def __init__(self) -> None:
        self._ahead = SearchBot(prior="table")

    def prepare(self, program: Program, progress: Told) -> None:
        """Prepare the search if the network does not play."""
        if noise_of("hard", program) is None:
            self._ahead.prepare(program, progress)

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:  # noqa: ARG002 (it has a fixed budget)
        """Return the network's move, or the one that `PLAYOUTS` playouts find best."""
        noise = noise_of("hard", seen.program)
        if noise is not None:
            return NetworkBot(noise).decide(seen, stream, Budget())
        return self._ahead.decide(seen, stream, Budget(iterations=PLAYOUTS))


class Medium(TableBot):
    """A player with some experience: knows what cards are worth later, too."""

    def __init__(self) -> None:
        self._ahead = Hard()

    def prepare(self, program: Program, progress: Told) -> None:
        """Prepare the search if a choice has actions, and learn the cards for all other choices."""
        if noise_of("medium", program) is not None:
            return
        by_table = {_by_table(program, choice) for choice in _choices(program)}
        if False in by_table:
            self._ahead.prepare(program, progress)
        if True in by_table or not by_table:
            super().prepare(program, progress)

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return the network's move with noise, or that of largest value; search where no table knows it."""
        noise = noise_of("medium", seen.program)
        if noise is not None:
            return NetworkBot(noise).decide(seen, stream, budget)
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
