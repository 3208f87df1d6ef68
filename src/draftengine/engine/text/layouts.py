"""Layouts: cards at places that may cover each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.compiled.plan import Plan
    from draftengine.engine.record import Game


def open_places(plan: Plan, zone: int, lying: int) -> int:
    """The places whose card can be taken, as bits."""
    half, low, high = plan.tables.covered(zone)
    return lying & ~(low[lying & (1 << half) - 1] | high[lying >> half])


def turn_up(g: Game, plan: Plan, zone: int) -> None:
    """Face-down cards that nothing covers any more turn up."""
    if plan.tables.face_down(zone):
        layout = plan.layout(zone)
        g.down[layout] &= g.lying[layout] & ~open_places(plan, zone, g.lying[layout])
