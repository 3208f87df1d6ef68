"""The flow played with card counts only: how long a game lasts, and whether there are cards enough.

Nobody chooses here. A position is how many cards lie in each zone and who holds which marker; where that depends on
play, every possible position is followed. Where they would be too many, some are merged into one that knows how many
cards there are at least and at most; what a step asks for is told apart again, and the zones on which deals depend stay
apart as long as possible. What is wrong in every position is refused. What stays in doubt is a warning: the flow is
followed once more with a `Stop` at that step, where games end in which the doubt comes true. What comes out is a
`FlowBounds`: proved bounds, and what is wrong with the flow.

Abilities are not played. They never lengthen a round: whoever takes further cards puts at most one back for them (which
is checked here), so at every moment at most as many cards are left to be chosen from as without them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.flow.bounds import FlowBounds, RoundBounds, Stop
from draftengine.model.flow.dry_run import DryRun, TooLongError, UnprovedError
from draftengine.model.flow.key import FlowKey
from draftengine.model.flow.merging import MAX_FOLLOWED
from draftengine.model.verbs.positions import Position
from draftengine.support.identity import IdentityKey

if TYPE_CHECKING:
    from draftengine.model.cardset.records import CardSet

_REMEMBERED = 64

__all__ = ["MAX_FOLLOWED", "DryRun", "FlowBounds", "FlowKey", "Position", "RoundBounds", "Stop", "flow_bounds"]


def flow_bounds(model: CardSet, players: int) -> FlowBounds:
    """Play the flow of `model` with card counts for a number of players."""
    return _plan_of(IdentityKey(model), players)


@lru_cache(_REMEMBERED)
def _plan_of(model: IdentityKey[CardSet], players: int) -> FlowBounds:
    """The plan of a game: who asks for it again need not find out on what the flow depends."""
    return _plan(FlowKey(model.own, players))


@lru_cache(_REMEMBERED)
def _plan(followed: FlowKey) -> FlowBounds:
    stops: dict[int, Stop] = {}
    while True:
        try:
            return DryRun(followed, stops).run()
        except UnprovedError as doubt:
            stops[doubt.step] = doubt.stop
        except TooLongError:
            stops = {step: replace(stop, turns=stop.turns // 2) for step, stop in stops.items()}
