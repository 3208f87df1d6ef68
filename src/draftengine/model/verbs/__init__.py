"""The table of all verbs, which are the kinds of steps that a game can contain.

Each verb is a class in a module here.

To add a verb, write one class, one row of `_ALL`, and one case file under ``tests/verbs``.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import DealStep, DrawStep
from draftengine.model.verbs.effects import AddStep, ChipStep, DiscardStep, PointsStep, SetStep, TakeStep
from draftengine.model.verbs.give import GiveStep
from draftengine.model.verbs.naming import FindStep
from draftengine.model.verbs.piles import ClearStep, FlipStep, GatherStep, MoveStep, PassStep, RollStep, ShuffleStep
from draftengine.model.verbs.turns import DoStep, EndStep, InTurnStep, RepeatStep, ScoreStep

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.model.verbs.verb import Step

__all__ = ["EFFECTS", "VERBS"]

_ALL: tuple[type[Step], ...] = (
    *(ShuffleStep, DealStep, DrawStep, ChooseStep, PassStep, MoveStep, GiveStep, ScoreStep, ClearStep, GatherStep),
    *(FlipStep, RepeatStep, InTurnStep, DoStep, EndStep),
    *(PointsStep, TakeStep, RollStep, AddStep, SetStep, FindStep, ChipStep, DiscardStep),
)

VERBS: Mapping[str, type[Step]] = MappingProxyType({step.verb: step for step in _ALL})
"""All verbs by name, in the order in which the documentation describes them."""

EFFECTS: Mapping[str, type[Step]] = MappingProxyType({step.verb: step for step in _ALL if step.is_effect})
"""The verbs that are effects (see `Step.is_effect`), by name."""
