"""Estimated duration of games that are not compiled, which decides on the number of processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.bots.catalogue import wanted
from draftengine.bots.search.bot import SearchBot
from draftengine.bots.seats import IN_SIMULATIONS
from draftengine.model.flow import flow_bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.program import Program

_CHOOSING = {"random": 3e-6, "greedy": 2e-5, "table": 2e-5}
"""Seconds for one choice of one seat by the kernel, on a usual machine."""
_OBSERVING = 5e-4
"""Seconds for one choice of a bot that gets an observation."""
_LOOKING_AHEAD = 1e-4
"""Seconds for one choice of one seat in a playout."""


def seconds_of(program: Program, bots: Sequence[str]) -> float:
    """Estimate the seconds of a game of these bots. A playout is half a game, on average."""
    choices = choices_of(program)
    playout = _LOOKING_AHEAD * len(bots) * choices / 2
    return sum(choices * (_CHOOSING.get(name, _OBSERVING) + playouts_of(name) * playout) for name in bots)


def seconds_of_advice(program: Program, adviser: str) -> float:
    """Estimate the seconds of one judged choice, for which the adviser decides twice."""
    return playouts_of(adviser) * program.players * choices_of(program) * _LOOKING_AHEAD


def playouts_of(name: str) -> int:
    """Return the number of playouts that a bot makes for each choice in a simulation."""
    asked = wanted(name)
    return (asked.budget or IN_SIMULATIONS).iterations if isinstance(asked.bot, SearchBot) else 0


def choices_of(program: Program) -> int:
    """Return the maximum number of choices of a seat in a game."""
    return flow_bounds(program.model, program.players).turns + 1
