"""Functions that play ranges of whole games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.chance import GOLDEN
from draftengine.engine.kernel.chance import mix
from draftengine.engine.kernel.flow import deal_game
from draftengine.engine.kernel.learning import close_round, learn
from draftengine.engine.kernel.tally import Sums, account, write_row
from draftengine.jit.primitives import dynamic_range, wrap

if TYPE_CHECKING:
    from draftengine.engine.kernel.options import MoveScratch
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord


def play_games(
    state: StateRecord,
    view: StateRecord,
    sums: Sums,
    options: MoveScratch,
    plan: Plan,
    root: int,
    first: int,
    last: int,
    rows: int,
    copies: int,
) -> int:
    """Play the games `first` to `last - 1` of a root and tally them; with `rows`, write a row for each."""
    for number in dynamic_range(last - first):
        state.game = first + number
        state.base = mix(wrap(root + (first + number) * GOLDEN))
        deal_game(state, view, options, plan)
        account(state, sums, plan)
        if rows:
            write_row(state, sums, plan, number, copies)
    return 0


def learn_from_games(
    state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, root: int, first: int, last: int
) -> int:
    """Play the games `first` to `last - 1` of a root and learn from them."""
    for number in dynamic_range(last - first):
        state.game = first + number
        state.base = mix(wrap(root + (first + number) * GOLDEN))
        deal_game(state, view, options, plan)
        close_round(state, options, plan, True)
        learn(state, options, plan)
    return 0
