"""The verbs, one class each, and the tables in which the program looks them up.

A new verb costs one class, one row of `_FLOW` or `_EFFECTS`, and one case file under ``tests/verbs``.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import DealStep, DrawStep
from draftengine.model.verbs.effects import AddStep, ChipStep, DiscardStep, PointsStep, RollStep, SetStep, TakeStep
from draftengine.model.verbs.give import GiveStep
from draftengine.model.verbs.piles import ClearStep, GatherStep, MoveStep, PassStep, ShuffleStep
from draftengine.model.verbs.turns import EndStep, InTurnStep, RepeatStep, ScoreStep

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.model.verbs.verb import Step

__all__ = ["EFFECTS", "FLOW_VERBS", "LIST_VERBS", "VERBS"]

_FLOW: tuple[type[Step], ...] = (
    *(ShuffleStep, DealStep, DrawStep, ChooseStep, PassStep, MoveStep, GiveStep, ScoreStep, ClearStep, GatherStep),
    *(RepeatStep, InTurnStep, EndStep),
)
_EFFECTS: tuple[type[Step], ...] = (PointsStep, TakeStep, RollStep, AddStep, SetStep, ChipStep, DiscardStep)
_IN_LISTS: tuple[type[Step], ...] = (DrawStep, ChooseStep, MoveStep, ShuffleStep, GiveStep)

FLOW_VERBS: Mapping[str, type[Step]] = MappingProxyType({step.verb: step for step in _FLOW})
"""Verbs of the table's steps, in setup, rounds and finish; in the order of the reference."""

EFFECTS: Mapping[str, type[Step]] = MappingProxyType({step.verb: step for step in _EFFECTS})
"""Effects of a played card or a trigger on a seat; in the order of the reference."""

LIST_VERBS: Mapping[str, type[Step]] = MappingProxyType({**EFFECTS, **{step.verb: step for step in _IN_LISTS}})
"""Verbs of a step list: effects on its seat, and what that seat does at the table."""

VERBS: Mapping[str, type[Step]] = MappingProxyType({**FLOW_VERBS, **EFFECTS})
