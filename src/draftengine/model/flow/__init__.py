"""The dry run plays the flow of a game with the numbers of cards only, to prove bounds of the game.

Nobody chooses in a dry run. A *position* has the number of cards in each zone and the holder of each marker. If these
depend on what players choose, every possible position is followed. If there are too many positions, they are merged: a
merged position has a range for the number of cards in a zone. Before a step, positions are split again, so that the
numbers and holders that the step reads are exact. Zones on which deals depend stay exact as long as possible.

A step that is impossible in every position is an error. If it is impossible in some positions, there is a warning. The
flow is then followed again with a `Stop` at that step: in these positions, the game ends there. The result is a
`FlowBounds`: the largest numbers of turns and of cards in each zone, and the problems found.

Abilities are not played. They never lengthen a round: a seat that takes further cards puts back at most one card, which
is checked here. So there are never more cards to choose from than without abilities.
"""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.flow.dry_run import FEWEST_TURNS, DryRun, TooLongError, UnprovedError
from draftengine.model.flow.key import FlowKey
from draftengine.model.flow.merging import MAX_FOLLOWED
from draftengine.model.flow.moving import (
    count_choose,
    count_clear,
    count_deal,
    count_draw,
    count_gather,
    count_give,
    count_move,
    count_pass,
)
from draftengine.model.flow.positions import Position
from draftengine.model.flow.tally import FlowBounds, RoundBounds, Stop
from draftengine.model.flow.turns import count_do, count_end, count_in_turn, count_repeat, count_score
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import DealStep, DrawStep
from draftengine.model.verbs.give import GiveStep
from draftengine.model.verbs.piles import ClearStep, GatherStep, MoveStep, PassStep
from draftengine.model.verbs.turns import DoStep, EndStep, InTurnStep, RepeatStep, ScoreStep
from draftengine.support.identity import by_identity

if TYPE_CHECKING:
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.flow.dry_run import Counting

_MODELS, _DRY_RUNS = 64, 256
"""The sizes of the caches of games and dry runs. The largest card sets have some fifty flows."""

COUNTING: Counting = MappingProxyType(
    {
        ChooseStep: count_choose,
        DealStep: count_deal,
        DrawStep: count_draw,
        MoveStep: count_move,
        ClearStep: count_clear,
        GatherStep: count_gather,
        PassStep: count_pass,
        GiveStep: count_give,
        RepeatStep: count_repeat,
        InTurnStep: count_in_turn,
        DoStep: count_do,
        ScoreStep: count_score,
        EndStep: count_end,
    }
)

__all__ = [
    "MAX_FOLLOWED",
    "DryRun",
    "FlowBounds",
    "FlowKey",
    "Position",
    "RoundBounds",
    "Stop",
    "flow_bounds",
    "flow_key",
    "remember_bounds",
]


flow_key = by_identity(_MODELS)(FlowKey)


def flow_bounds(model: CardSet, players: int) -> FlowBounds:
    """Return the bounds of the flow of a game: the most turns, cards in each zone and so on.

    Games with equal `FlowKey` share a dry run, even if other parts of their files differ. The findings then get the
    positions that their causes have in the file of `model`.
    """
    known = _known_bounds(model, players)
    if not known:
        followed = flow_key(model, players)
        first, bounds = _plan(followed)
        if first.places != followed.places:
            bounds = bounds.moved(dict(zip(first.places, followed.places, strict=True)))
        known.append(bounds)
    return known[0]


def remember_bounds(model: CardSet, players: int, bounds: FlowBounds) -> None:
    """Let `flow_bounds` return these bounds for a game, which another process has found."""
    _known_bounds(model, players)[:] = [bounds]


@by_identity(_MODELS)
def _known_bounds(_model: CardSet, _players: int) -> list[FlowBounds]:
    """Return a list with the bounds of a game, which is empty as long as they are not known."""
    return []


@lru_cache(_DRY_RUNS)
def _plan(followed: FlowKey) -> tuple[FlowKey, FlowBounds]:
    """Return the first flow that was equal to this one, and its bounds.

    The findings in the bounds have positions in the file of that first flow.
    """
    stops: dict[int, Stop] = {}
    while True:
        try:
            return followed, DryRun(followed, COUNTING, stops).run()
        except UnprovedError as doubt:
            stops[doubt.step] = doubt.stop
        except TooLongError:
            fewer = {step: max(stop.turns // 2, min(stop.turns, FEWEST_TURNS)) for step, stop in stops.items()}
            stops = {step: replace(stop, turns=fewer[step]) for step, stop in stops.items()}
