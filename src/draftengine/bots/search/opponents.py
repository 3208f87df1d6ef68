"""Opponent modelling: what a seat takes and leaves shows how it plays.

A seat that knows a hand sees what its owner could have taken instead. Each such choice has a likelihood for a player
who follows the table, is greedy, plays at random or looks ahead. Bayes' rule gives the probability of each policy after
all choices (type-based reasoning: Albrecht & Stone, "Autonomous Agents Modelling Other Agents", 2018). Players who look
ahead are assumed to agree with the table often, as searches and people do.
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
"""Units of a probability in an `OpponentMix`."""
_SLIP = 0.05
"""Probability that a player who follows the table or is greedy makes a random move."""
_REMEMBERED = 1 << 14
"""Limit of choices whose likelihoods are cached."""


class PolicyWeights(NamedTuple):
    """A number for every policy, such as its probability."""

    ahead: float
    table: float
    greedy: float
    random: float

    def given(self, likely: PolicyWeights) -> PolicyWeights:
        """Return the probabilities after a choice with these likelihoods, by Bayes' rule."""
        weights = [chance * likelihood for chance, likelihood in zip(self, likely, strict=True)]
        return PolicyWeights(*[weight / sum(weights) for weight in weights])


BEFORE = PolicyWeights(ahead=0.61, table=0.35, greedy=0.02, random=0.02)
"""Probabilities for an opponent of whom nothing was seen."""


class OpponentModel:
    """Model of opponents for games of one program, by a worth table."""

    def __init__(self, worth: Worth) -> None:
        self.worth = worth
        self._likely = lru_cache(_REMEMBERED)(self._judge)

    def models(self, seen: Observation) -> tuple[OpponentMix, ...]:
        """Return the mix by which every seat is likely to play, from an observation."""
        return tuple(_model(style) for style in self.styles(seen))

    def styles(self, seen: Observation) -> list[PolicyWeights]:
        """Return the probabilities of the policies of every seat, from an observation."""
        styles = [BEFORE] * seen.program.players
        for moment, picks in seen.watched:
            for pick in picks:
                likely = self._likely(moment, pick)
                if likely is not None:
                    styles[pick.seat] = styles[pick.seat].given(likely)
        return styles

    def _judge(self, moment: DecisionContext, pick: Pick) -> PolicyWeights | None:
        """Return the likelihood of a choice by policy; ``None`` without alternatives or with too many moves."""
        state, choice = self._position(moment, pick)
        moves = legal_moves(state, pick.seat)
        if not moves.few or moves.total == 1 or pick.move not in moves:
            return None
        made, public = moves.index(pick.move), PublicState.of_state(state)
        values = values_of(public, choice, pick.seat, moves, self.worth)
        greedy = _of_best(rises(public, choice, pick.seat, moves), made)
        return PolicyWeights(_by_rank(values, made), _of_best(values, made), greedy, 1 / moves.total)

    def _position(self, moment: DecisionContext, pick: Pick) -> tuple[GameState, Choice]:
        """Return a state with the parts of the position that moves are valued by, and its choice."""
        state = initial_state(self.worth.program, 0, 0, memory=False)
        state.words = state.words_before_choice = list(moment.words)
        state.scores, state.markers = list(moment.scores), list(moment.markers)
        state.round, state.turns = moment.round, moment.turns
        state.pc, state.pending = moment.decision, (pick.seat,)
        choice = cast("Choice", state.program.code[moment.decision])
        state.zones[choice.source][pick.seat] = list(pick.hand)
        return state, choice


def _of_best(values: Sequence[int], made: int) -> float:
    """Return the likelihood of a move for a player who makes one of the best, except for slips."""
    best = max(values)
    return _SLIP / len(values) + (1 - _SLIP) * (values[made] == best) / values.count(best)


def _by_rank(values: Sequence[int], made: int) -> float:
    """Return the likelihood of a move if the best has probability 1/2, the next 1/4, and so on.

    The likelihoods of all moves add up to 1; moves of equal value share theirs.
    """
    better, equal = sum(value > values[made] for value in values), values.count(values[made])
    return (0.5**better - 0.5 ** (better + equal)) / (1 - 0.5 ** len(values)) / equal


def _model(chances: PolicyWeights) -> OpponentMix:
    """Return the mix for an opponent among several, from the probabilities of its policies.

    A player who looks ahead follows its tree in half of the first playouts and in three quarters of the later ones.
    Otherwise it follows the table, because a table predicts better than a tree with few visits.
    """
    greedy = _PARTS - round(_PARTS * chances.random)
    table = greedy - round(_PARTS * chances.greedy)
    ahead = min(table, round(_PARTS * chances.ahead))
    return OpponentMix(ahead // 2, 3 * ahead // 4, table, greedy, _PARTS)
