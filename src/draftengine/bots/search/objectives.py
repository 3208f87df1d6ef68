"""The objective of a search, and the mix of policies that opponents follow in its playouts.

The cards that a seat takes and leaves show how it plays. A seat that knows a hand sees what the hand's owner could have
taken instead. Each such choice has a likelihood for a player who follows the worth table, is greedy, plays at random or
looks ahead. Bayes' rule gives the probability of each policy after all choices (type-based reasoning: Albrecht & Stone,
"Autonomous Agents Modelling Other Agents", 2018). Players who look ahead are assumed to choose the move of the worth
table often, as searches and people do.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from msgspec import Struct

from draftengine.engine.instructions import Clear, Gather
from draftengine.engine.moves import legal_moves
from draftengine.engine.policies import LOGISTIC_SIZE, values_of
from draftengine.engine.public_state import PublicState, rises
from draftengine.engine.state import initial_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.beliefs import DecisionContext, Pick
    from draftengine.engine.choose import Choice
    from draftengine.engine.observe import Observation
    from draftengine.engine.policies import Worth
    from draftengine.engine.program import Program

MANY = 1 << 40
"""A number larger than the number of playouts of any search."""

SHORT_PLAYOUTS = 100
"""The number of playouts after which a search against several opponents looks beyond the round.

Fewer playouts say little about distant rounds and about the opponents' moves.
"""


class OpponentMix(NamedTuple):
    """The policies of an opponent and their probabilities, as limits in ascending order.

    A random number decides: the first limit above it names the policy.
    """

    early: int
    """The opponent follows its tree in early playouts if the random number is below this limit."""
    late: int
    """The opponent follows its tree in later playouts if the random number is below this limit."""
    table: int
    greedy: int
    random: int
    """The upper end of the range: every random number is below this limit."""


_ONE = 1 << 20
_TWO = 2


class Objective(Struct, frozen=True):
    """The aim of a search, and the length and opponents of its playouts."""

    near: int
    """The number of early playouts that end with the round. Later ones end with the game."""
    few: int
    """The number of early playouts.

    In these playouts, opponents follow their trees less often, if there are several opponents.
    """
    by_models: bool
    """True if opponents follow estimated mixes of policies (`OpponentMix`).

    Otherwise they play by their trees or, if only the searching seat has a tree, by the worth table.
    """
    by_margin: bool
    """True to maximise the margin itself. False to maximise the chance to win, a logistic function of it."""
    logistic: tuple[tuple[int, ...], tuple[int, ...]]
    """The chance to win for each margin in points: first at the end of a round, then of the game.

    The first entry is for a margin of ``-LOGISTIC_SIZE / 2``.
    """
    alone: bool = False
    """True if only the searching seat has a tree, which is one move deep: flat Monte Carlo."""

    @classmethod
    def of(cls, program: Program, lead: float, *, horizon: str = "both", alone: bool = False) -> Objective:
        """Return the objective for a program; `lead` is the usual margin of winners, in points.

        Against one opponent every point counts, and playouts to the end of the round suffice. Among several opponents,
        the seat wants to be first, which is less certain at the end of a round than at the end of the game. A few
        playouts to the end of the game show only noise. Many such playouts show more than playouts of the round, except
        in games in which nothing but points lasts.
        """
        two = program.players <= _TWO
        # If only points and chips last, the rounds to come are alike for all seats, so one round says everything.
        cleared = any(isinstance(step, Clear | Gather) for step in program.code)
        only_points_last = cleared and not (program.keep_bits or program.markers or program.rules_at_end)
        both = MANY if two or only_points_last else SHORT_PLAYOUTS
        return cls(
            near={"round": MANY, "game": 0, "both": both}[horizon],
            few=SHORT_PLAYOUTS,
            by_models=not alone and not two,
            by_margin=two,
            logistic=(_chances(2 * max(lead, 1.0)), _chances(max(lead, 1.0))),
            alone=alone,
        )


def _chances(width: float) -> tuple[int, ...]:
    """Return the chance to win for each margin, in units of 1 / `_ONE`, on a logistic curve of this width."""
    return tuple(
        int(_ONE / (1 + math.exp(max(min(-margin / width, 40.0), -40.0))))
        for margin in range(-LOGISTIC_SIZE // 2, LOGISTIC_SIZE // 2)
    )


_PARTS = 1024
"""Probabilities in an `OpponentMix` are in units of 1 / `_PARTS`."""
_SLIP = 0.05
"""The probability that a player who follows the table or is greedy makes a random move."""
_REMEMBERED = 1 << 14
"""The largest number of choices whose likelihoods are cached."""


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
"""The probabilities for an opponent whose choices are not known yet."""


class OpponentModel:
    """A model of the opponents in games of one program. It uses a worth table."""

    def __init__(self, worth: Worth) -> None:
        self.worth = worth
        self._likely = lru_cache(_REMEMBERED)(self._judge)

    def models(self, seen: Observation) -> tuple[OpponentMix, ...]:
        """Return, for every seat, the mix of policies that it probably follows, given an observation."""
        return tuple(map(mix_of, self.styles(seen)))

    def styles(self, seen: Observation) -> list[PolicyWeights]:
        """Return, for every seat, the probability of each policy, given an observation."""
        styles = [BEFORE] * seen.program.players
        for moment, picks in seen.watched:
            for pick in picks:
                likely = self._likely(moment, pick)
                if likely is not None:
                    styles[pick.seat] = styles[pick.seat].given(likely)
        return styles

    def _judge(self, moment: DecisionContext, pick: Pick) -> PolicyWeights | None:
        """Return the likelihood of a choice for each policy.

        Returns ``None`` if the seat had no alternative, or too many moves.
        """
        # This state has only the parts of the position on which the values of moves depend.
        state = initial_state(self.worth.program, 0, 0, memory=False)
        state.words = state.words_before_choice = list(moment.words)
        state.scores, state.markers = list(moment.scores), list(moment.markers)
        state.round, state.turns = moment.round, moment.turns
        state.pc, state.pending = moment.decision, (pick.seat,)
        choice = cast("Choice", state.program.code[moment.decision])
        state.zones[choice.source][pick.seat] = list(pick.hand)
        moves = legal_moves(state, pick.seat)
        if not moves.few or moves.total == 1 or pick.move not in moves:
            return None
        made, public = moves.index(pick.move), PublicState.of_state(state)
        values = values_of(public, choice, pick.seat, moves, self.worth)
        greedy = _of_best(rises(public, choice, pick.seat, moves), made)
        return PolicyWeights(_by_rank(values, made), _of_best(values, made), greedy, 1 / moves.total)


def _of_best(values: Sequence[int], made: int) -> float:
    """Return the likelihood of a move for a player who makes one of the best moves, except for slips."""
    best = max(values)
    return _SLIP / len(values) + (1 - _SLIP) * (values[made] == best) / values.count(best)


def _by_rank(values: Sequence[int], made: int) -> float:
    """Return the likelihood of a move if the best move has probability 1/2, the next 1/4, and so on.

    The likelihoods of all moves add up to 1. Moves of equal value share theirs equally.
    """
    better, equal = sum(value > values[made] for value in values), values.count(values[made])
    return (0.5**better - 0.5 ** (better + equal)) / (1 - 0.5 ** len(values)) / equal


def mix_of(chances: PolicyWeights) -> OpponentMix:
    """Return the mix of policies for one of several opponents, given the probability of each policy.

    A player who looks ahead follows its tree in half of the early playouts and in three quarters of the later ones.
    Otherwise it follows the table, because a table predicts better than a tree with few visits.
    """
    greedy = _PARTS - round(_PARTS * chances.random)
    table = greedy - round(_PARTS * chances.greedy)
    ahead = min(table, round(_PARTS * chances.ahead))
    return OpponentMix(ahead // 2, 3 * ahead // 4, table, greedy, _PARTS)
