"""The bot protocol: an observation and a stream of chance in, a move out. A bot never receives a state."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.bots.greedy import greedy
from draftengine.bots.random_bot import random_move

if TYPE_CHECKING:
    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation

Bot = Callable[["Observation", "Stream"], "Move"]
"""Chooses one of ``observation.moves``; everything random comes from the stream."""

BOTS: MappingProxyType[str, Bot] = MappingProxyType({"random": random_move, "greedy": greedy})
"""The bots that come with the package, by name. Others are found through the entry points ``draftengine.bots``."""


def bot_named(name: str) -> Bot:
    """The bot with a name. Raises `KeyError` if there is none."""
    if name in BOTS:
        return BOTS[name]
    for entry in entry_points(group="draftengine.bots"):
        if entry.name == name:
            bot: Bot = entry.load()
            return bot
    raise KeyError(name)


def known_bots() -> dict[str, str]:
    """All bots by name, with the first sentence of their descriptions."""
    found = {**BOTS, **{entry.name: entry.load() for entry in entry_points(group="draftengine.bots")}}
    return {name: (bot.__doc__ or "").strip().partition("\n")[0] for name, bot in found.items()}
