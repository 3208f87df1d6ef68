"""Playing a card: what it adds, and what is remembered of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine import telling as tell
from draftengine.engine.text.zones import push, rise_of

if TYPE_CHECKING:
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.record import Game


def lay(g: Game, plan: AnyPlan, seat: int, play: int) -> None:
    """Lay a play before a seat: it adds to the counters of the seat, by as much as open modifiers make it."""
    if plan.plain:
        if plan.program.plays[play].modifiers:
            tell.modified(plan.state(g), seat, play)
    g.words[seat] += rise_of(plan, g.words[seat], play)
    push(g, plan, plan.tableau, seat, play)


def log(g: Game, plan: AnyPlan, seat: int, play: int) -> None:
    """Remember a play: for what it does when all cards are laid down, or where plays are counted."""
    if plan.plain:
        if play in plan.with_effects:
            plan.state(g).placed.append((seat, play))
    elif plan.logged:
        g.log[g.logged] = seat << 32 | g.turn << 16 | play
        g.logged += 1
