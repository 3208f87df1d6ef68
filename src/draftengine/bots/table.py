"""``table``: like ``greedy``, and also counts what cards are worth beyond their points at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from draftengine.bots.greedy import decided
from draftengine.bots.worth.ready import learn_cards
from draftengine.bots.worth.tables import at_hand
from draftengine.engine.kernel.worth_tables import SCALE
from draftengine.engine.plan.shortlist import best_of
from draftengine.engine.public_state import PublicState
from draftengine.engine.worth_tables import values_of

if TYPE_CHECKING:
    from draftengine.bots.protocol import Budget, Decision
    from draftengine.bots.worth.ready import Told
    from draftengine.engine.chance import Stream
    from draftengine.engine.choose import Choice
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program


class TableBot:
    """The move that gains most at once and later, as learnt in self-play."""

    def prepare(self, program: Program, progress: Told) -> None:
        """Learn the cards, unless they are known."""
        learn_cards(program, progress)

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:  # noqa: ARG002 (the protocol)
        """Return the move of largest value, with the moves that were compared."""
        choice = cast("Choice", seen.program.code[seen.decision])
        public, worth = PublicState.of_observation(seen), at_hand(seen.program).worth
        best = best_of(seen.moves, lambda some: values_of(public, choice, seen.seat, some, worth), stream)
        return decided(best, SCALE)
