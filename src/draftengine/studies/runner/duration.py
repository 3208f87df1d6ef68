"""About how long games take that are not compiled, by what bots do in them: are more processes worth while."""

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
"""Seconds for one choice of one seat on a usual machine, by the kernel."""
_OBSERVING = 5e-4
"""Seconds for one choice of a bot that is shown what its seat may know."""
_LOOKING_AHEAD = 1e-4
"""Seconds for one choice of one seat in a playout."""


def seconds_of(program: Program, bots: Sequence[str]) -> float:
    """Seconds for a game of these bots; who looks ahead plays half a game in each playout, on average."""
    choices = choices_of(program)
    playout = _LOOKING_AHEAD * len(bots) * choices / 2
    return sum(choices * (_CHOOSING.get(name, _OBSERVING) + playouts_of(name) * playout) for name in bots)


def seconds_of_advice(program: Program, adviser: str) -> float:
    """Seconds in which a bot looks at both of two moves."""
    return playouts_of(adviser) * program.players * choices_of(program) * _LOOKING_AHEAD


def playouts_of(name: str) -> int:
    """How many playouts a bot makes for each choice in a simulation."""
    asked = wanted(name)
    return (asked.budget or IN_SIMULATIONS).iterations if isinstance(asked.bot, SearchBot) else 0


def choices_of(program: Program) -> int:
    """How often a seat can choose in a game."""
    return flow_bounds(program.model, program.players).turns + 1
