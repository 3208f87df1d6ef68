"""The effort of searching a game, counted without a clock, so every machine learns the same.

A playout goes on from choice to choice. Each choice is followed by steps of the rules, which look at all seats. So the
effort of a playout is estimated by the number of choices, times the number of seats, times the number of steps. A unit
takes 1 to 8 nanoseconds of machine code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.bots.search.objectives import Objective
from draftengine.engine.chance import Stream, root_of
from draftengine.engine.policies import play_by, random_move
from draftengine.engine.state import initial_state

if TYPE_CHECKING:
    from draftengine.engine.program import Program

_GAMES = 4
"""The number of games that are played at random to count choices."""


class Effort:
    """The effort of decisions that a search makes in a game."""

    def __init__(self, program: Program) -> None:
        choices: list[int] = []
        rounds = 0
        for number in range(_GAMES):
            state = initial_state(program, root_of("effort"), number, memory=False)
            policies = (random_move,) * program.players
            play_by(state, policies, Stream(number), note=lambda _, moves: choices.append(len(moves)))
            rounds += max(1, state.round)
        self.choices = sum(choices) // _GAMES
        """The number of choices in a game, of all players."""
        self._game = self.choices * program.players * len(program.code)
        self._round = self._game * _GAMES // rounds
        self._near = Objective.of(program, lead=1.0).near

    def of(self, iterations: int) -> int:
        """Return the effort of a decision: early playouts end with the round, later ones with the game."""
        early = min(iterations, self._near)
        return early * self._round + (iterations - early) * self._game

    def iterations_for(self, effort: int) -> int:
        """Return the largest number of iterations that takes no more than an effort."""
        late = (effort - self._near * self._round) // self._game
        return self._near + late if late >= 0 else effort // self._round
