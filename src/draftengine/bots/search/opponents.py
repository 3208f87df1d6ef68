"""Opponent modelling: what somebody takes and leaves shows how it plays.

A seat that knows a hand sees what its owner could have taken instead. Every such choice is more or less likely for
somebody who plays by the table, greedily, at random, or who looks ahead; what is likely after all of them follows by
Bayes' rule (type-based reasoning: Albrecht & Stone, "Autonomous Agents Modelling Other Agents", 2018). Of who looks
ahead nothing is known but that it often finds the same as the table: so it is with searches, and with people.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from draftengine.bots.search.objectives import OpponentMix
from draftengine.engine.moves import legal_moves
from draftengine.engine.public_state import PublicState, rises
from draftengine.engine.state import initial_state
from draftengine.engine.worth_tables import values_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.beliefs import DecisionContext, Pick
    from draftengine.engine.choose import Choice
    from draftengine.engine.observe import Observation
    from draftengine.engine.state import GameState
    from draftengine.engine.worth_tables import Worth

_PARTS = 1024
"""Chances are counted in such parts."""
_SLIP = 0.05
"""Who plays by the table or greedily makes any move so often."""
_REMEMBERED = 1 << 14
"""So many choices are looked at only once."""


class PolicyWeights(NamedTuple):
    """A number for every way to play, such as its chance."""

    ahead: float
    table: float
    greedy: float
    random: float

    def given(self, likely: PolicyWeights) -> PolicyWeights:
        """The chances after a choice that was so likely for each (Bayes' rule)."""
        weights = [chance * likelihood for chance, likelihood in zip(self, likely, strict=True)]
        return PolicyWeights(*[weight / sum(weights) for weight in weights])


BEFORE = PolicyWeights(ahead=0.61, table=0.35, greedy=0.02, random=0.02)
"""What is thought of somebody of whom nothing was seen."""


class OpponentModel:
    """Reads opponents in games of one kind, by a table of worths."""

    def __init__(self, worth: Worth) -> None:
        self.worth = worth
        self._likely = lru_cache(_REMEMBERED)(self._judge)

    def models(self, seen: Observation) -> tuple[OpponentMix, ...]:
        """How every seat is likely to play, from what somebody saw."""
        return tuple(_model(style) for style in self.styles(seen))

    def styles(self, seen: Observation) -> list[PolicyWeights]:
        """For every seat, how likely it is to play in each of the ways that are told apart."""
        styles = [BEFORE] * seen.program.players
        for moment, picks in seen.watched:
            for pick in picks:
                likely = self._likely(moment, pick)
                if likely is not None:
                    styles[pick.seat] = styles[pick.seat].given(likely)
        return styles

    def _judge(self, moment: DecisionContext, pick: Pick) -> PolicyWeights | None:
        """How likely a choice is for each way to play; ``None`` if there was none, or among too many moves."""
        state, choice = self._position(moment, pick)
        moves = legal_moves(state, pick.seat)
        if not moves.few or moves.total == 1 or pick.move not in moves:
            return None
        made, public = moves.index(pick.move), PublicState.of_state(state)
        values = values_of(public, choice, pick.seat, moves, self.worth)
        greedy = _of_best(rises(public, choice, pick.seat, moves), made)
        return PolicyWeights(_by_rank(values, made), _of_best(values, made), greedy, 1 / moves.total)

    def _position(self, moment: DecisionContext, pick: Pick) -> tuple[GameState, Choice]:
        """As much of the position as a choice is judged by."""
        state = initial_state(self.worth.program, 0, 0, memory=False)
        state.words = state.words_before_choice = list(moment.words)
        state.scores, state.markers = list(moment.scores), list(moment.markers)
        state.round, state.turns = moment.round, list(moment.turns)
        state.pc, state.pending = moment.decision, (pick.seat,)
        choice = cast("Choice", state.program.code[moment.decision])
        state.zones[choice.source][pick.seat] = list(pick.hand)
        return state, choice


def _of_best(values: Sequence[int], made: int) -> float:
    """How likely a move is for who makes one of the best, but for slips."""
    best = max(values)
    return _SLIP / len(values) + (1 - _SLIP) * (values[made] == best) / values.count(best)


def _by_rank(values: Sequence[int], made: int) -> float:
    """How likely a move is for who makes the best in half of all cases, the next in half of the rest, and so on.

    Of equal ones any may be the better one.
    """
    better, equal = sum(value > values[made] for value in values), values.count(values[made])
    return (0.5**better - 0.5 ** (better + equal)) / (1 - 0.5 ** len(values)) / equal


def _model(chances: PolicyWeights) -> OpponentMix:
    """With several opponents, one who looks ahead does so in half of the first playouts, then in three quarters.

    Otherwise it plays by the table: few playouts say little about so many trees, and a table is a better guess at what
    somebody does than a tree of few visits.
    """
    greedy = _PARTS - round(_PARTS * chances.random)
    table = greedy - round(_PARTS * chances.greedy)
    ahead = min(table, round(_PARTS * chances.ahead))
    return OpponentMix(ahead // 2, 3 * ahead // 4, table, greedy, _PARTS)
