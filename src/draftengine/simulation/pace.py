"""How long games take with the reference engine, from playing a few: is compiling, are processes worth while."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.bots.catalogue import wanted
from draftengine.bots.search import SearchBot
from draftengine.bots.seats import IN_SIMULATIONS
from draftengine.engine.chance import Stream
from draftengine.engine.playout import play_by
from draftengine.engine.policies import POLICIES
from draftengine.engine.state import fresh
from draftengine.engine.worth import by_table, no_worth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import Program
    from draftengine.engine.state import State

_LONG_ENOUGH = 0.1
"""So many seconds of playing tell how long games take."""


class Pace(Struct, frozen=True):
    """How quick the reference engine is on this machine."""

    game: float
    """Seconds for a game in which bots that look ahead choose by the table."""
    search: float
    """Seconds more for all that they look ahead in it."""


def pace(program: Program, bots: Sequence[str]) -> Pace:
    """Play a few games, and reckon how long those of these bots take."""
    table, choices = by_table(no_worth(program)), [0] * program.players

    def counted(policy: Policy, seat: int) -> Policy:
        def choose(state: State, choice: Choice, own: int, stream: Stream) -> Move:
            choices[seat] += 1
            return policy(state, choice, own, stream)

        return choose

    policies = [counted(POLICIES.get(name, table), seat) for seat, name in enumerate(bots)]
    games, began = 0, time.perf_counter()
    while time.perf_counter() - began < _LONG_ENOUGH:
        play_by(fresh(program, 0, games, memory=False), policies, Stream(games))
        games += 1
    seconds = (time.perf_counter() - began) / games
    playouts = sum(count * playouts_of(name) for count, name in zip(choices, bots, strict=True)) / games
    return Pace(seconds, playouts * seconds / 2)


def playouts_of(name: str) -> int:
    """How many playouts, of half a game on average, a bot makes for each choice in a simulation."""
    asked = wanted(name)
    return (asked.budget or IN_SIMULATIONS).iterations if isinstance(asked.bot, SearchBot) else 0
