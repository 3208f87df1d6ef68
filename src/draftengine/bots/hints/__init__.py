"""Hints for a person who has to choose: the best moves, their values, and the reasons.

A bot, the *adviser*, computes the values. The reasons follow from the rules of the game. Both depend only on what the
person sees. `draftengine.bots.hints.reasons` puts the reasons into words. *Bars* show the same values without numbers:
from `BARS` for the best card down to 1. Reviews of finished games use the same values, so that hints, bars and reviews
agree.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.moves import Move
from draftengine.bots.catalogue import SeatedBot
from draftengine.bots.hints.reasons import Hint, MoveAnalysis, Names, Reason, in_one_sentence
from draftengine.bots.simple import decided
from draftengine.engine.plan.base import can_compile
from draftengine.engine.policies import BestMoves, shortlist
from draftengine.engine.public_state import gains

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from draftengine.api.view import View
    from draftengine.bots.protocol import Decision
    from draftengine.engine.moves import Move as Codes
    from draftengine.engine.observe import Observation


ADVISER, SLOW_ADVISER = "search:iterations=1000:exact=4", "search:iterations=200:exact=4"
"""The bots that compute the values. The second is for computers on which nothing can be compiled.

It has fewer iterations because a person waits for it. For the same position, each always gives the same advice.
"""

MOST = 3
"""The default number of hints."""
BARS = 5
"""The number of bars of the best card. Bars rate moves without showing values."""
_SPREAD = 3
"""The difference in points that the range from most bars to one bar spans at least."""
_NOTICEABLE = 0.5
"""The smallest difference in points that hints mention."""
_POINTS = {"gain", "margin"}
"""The units of `Decision.unit` that are points."""
_FAIR = 0.2
"""The smallest share of the most tried move's tries with which the value of a move is reliable."""


class Evaluator:
    """An adviser's values of a seat's moves. They depend only on what the seat sees."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.decision = opinion(view.seen)

    @property
    def unit(self) -> str:
        """The unit of the values (see `draftengine.bots.Decision.unit`)."""
        return self.decision.unit

    @cached_property
    def values(self) -> dict[Move, float]:
        """The values of the moves, best first. Moves that the adviser has not considered are left out."""
        return {self.view.name(codes): value for codes, value in values_of(self.view.seen, self.decision).items()}

    def hints(self, taken: Move = Move(), most: int = MOST) -> list[Hint]:  # noqa: B008 (a move never changes)
        """Return the best moves that begin with `taken`, best first, each with its reasons."""
        coded = advise(self.view.seen, self.decision, self.view.codes(taken), most)
        return [Hint(self.view.name(hint.move), hint.value, hint.reasons, hint.unit) for hint in coded]

    def bars(self, taken: Move = Move()) -> dict[Move, int]:  # noqa: B008 (a move never changes)
        """Return the rating, in bars, of each move that extends `taken` by one card, and of `taken` itself.

        The numbers are from 1 to `BARS`. `taken` is included only if it is a move. Moves that the adviser has
        not considered are left out.
        """
        coded = bars(self.view.seen, self.decision, self.view.codes(taken))
        return {self.view.name(codes): number for codes, number in coded.items()}

    def bars_of(self, move: Move) -> int:
        """Return the rating, in bars, of a complete move among all moves that the adviser considered."""
        return _in_bars(values_of(self.view.seen, self.decision))[self.view.codes(move)]


def in_sentences(view: View, best: Sequence[Hint], cards: Sequence[str], names: Names) -> tuple[list[str], bool]:
    """Return a sentence for each hint, and whether the first two moves are about equally good.

    `cards` are the names of the cards of each move.
    """
    if view.moves.total == 1:
        return [names.say("hint.only", cards=cards[0])], False
    otherwise = ("hint.equal", *["hint.also"] * len(best))
    given = zip(best, cards, otherwise, strict=False)
    sentences = [in_one_sentence(hint, named, names, key) for hint, named, key in given]
    taken = [sorted(pick.card for pick in hint.move.taken) for hint in best[:2]]  # in any order
    near = len(best) > 1 and best[0].unit in _POINTS and best[0].value - best[1].value < _NOTICEABLE
    equal = near and taken[0] != taken[1] and cards[0] != cards[1]
    if equal:
        sentences[0] = names.say("hint.near", cards=cards[0], other=cards[1])
        sentences[1] = in_one_sentence(best[1], cards[1], names, "hint.near.other")
    return sentences, equal


class CodedHint(Struct, frozen=True):
    """A hint whose move consists of engine codes."""

    move: Codes
    value: float
    reasons: tuple[Reason, ...]
    unit: str = "gain"


def is_quick() -> bool:
    """True if the adviser is quick enough to show hints before anybody asks for them."""
    return can_compile()


def opinion(seen: Observation) -> Decision:
    """Return the adviser's decision, best moves first. Moves that were tried too rarely come last."""
    decision = SeatedBot.at(ADVISER if is_quick() else SLOW_ADVISER, "advice", seen.seat).decide(seen)
    if not decision.considered:
        return ranked_by_gain(seen)
    least = _FAIR * max(each.weight for each in decision.considered)
    fair = [each for each in decision.considered if each.weight >= least]
    rest = [each for each in decision.considered if each.weight < least]
    considered = (*sorted(fair, key=lambda each: -each.value), *rest)
    return replace(decision, move=considered[0].move, considered=considered)


def ranked_by_gain(seen: Observation, taken: Codes = ()) -> Decision:
    """Return a decision that ranks moves by immediate gain, for an adviser that compares no moves.

    If there are too many moves, only good ones that begin with `taken` are compared.
    """

    def rate(some: Sequence[Codes]) -> list[int]:
        return [seen.program.direction * gain for gain in gains(seen, some)]

    moves = shortlist(seen.moves, rate, taken)
    rises = rate(moves)
    return decided(BestMoves(moves[rises.index(max(rises))], moves, rises))


def values_of(seen: Observation, decision: Decision) -> dict[Codes, float]:
    """Return the values of the moves in the adviser's order, without moves that it has not considered.

    Moves that take the same cards in different orders share a value.
    """
    exact = {each.move: place for place, each in enumerate(decision.considered)}
    alike: dict[Codes, int] = {}
    for move, place in exact.items():
        alike.setdefault(tuple(sorted(move)), place)
    legal = seen.moves if seen.moves.few else exact
    places = {move: exact.get(move, alike.get(tuple(sorted(move)), -1)) for move in legal}
    known = sorted((place, move not in exact, move) for move, place in places.items() if place >= 0)
    return {move: decision.considered[place].value for place, _, move in known}


def advise(seen: Observation, decision: Decision, taken: Codes = (), most: int = MOST) -> list[CodedHint]:
    """Return the best moves that begin with `taken`, best first, each with its reasons.

    If several moves take the same cards in different orders, only the best is included. Gains do not include what
    `taken` has gained already.
    """
    decision, values = _opinion_after(seen, decision, taken)
    distinct: dict[Codes, Codes] = {}
    for move in values:
        if move[: len(taken)] == taken:
            distinct.setdefault(tuple(sorted(move)), move)
    moves = list(distinct.values())
    # The first move whose value exceeds that of the move before it, and all later moves, were hardly tried.
    rises = (index for index in range(1, len(moves)) if values[moves[index]] > values[moves[index - 1]])
    table = MoveAnalysis(seen)
    counted = table.gain(taken) if decision.unit == "gain" else 0
    quick = None
    if decision.unit == "margin":
        quick = max(values, key=lambda move: (table.sign * table.gain(move), values[move]))
    hints = []
    for move in moves[: next(rises, len(moves))][:most]:
        later = 0.0
        if quick is not None and values[move] > values[quick]:
            # A move can be worth more than the one with the best immediate gain: the difference comes later.
            later = values[move] - values[quick] + max(0, table.sign * (table.gain(quick) - table.gain(move)))
        reasons = [*table.rises(move, taken), *table.denied(move)]
        if not any(reason.kind in {"gains", "then"} for reason in reasons):
            reasons += table.takes(move, taken)
        ends = table.last_turn and table.last_round
        if later >= _NOTICEABLE and not ends and not any(reason.kind == "gains" for reason in reasons):
            reasons.append(Reason("later", later))
        if not any(reason.kind in {"gains", "then", "spares"} for reason in reasons):
            reasons += table.prepares(move)
        hints.append(CodedHint(move, values[move] - counted, (*reasons, *table.comes_back(move, taken)), decision.unit))
    return hints


def bars(seen: Observation, decision: Decision, taken: Codes = ()) -> dict[Codes, int]:
    """Return the rating, in bars, of each move that extends `taken` by one code, and of `taken` itself.

    The best come first. `taken` is included only if it is a move.

    An unfinished move has as many bars as the best move that begins with it. In the adviser's order of the moves,
    the number of bars never rises.
    """
    _, values = _opinion_after(seen, decision, taken)
    best: dict[Codes, float] = {}
    for move, value in values.items():
        if move[: len(taken)] == taken:
            best.setdefault(move[: len(taken) + 1], value)
    return _in_bars(best)


def _in_bars(values: Mapping[Codes, float]) -> dict[Codes, int]:
    """Convert values of moves to ratings in bars.

    The values are in the adviser's order, rarely tried moves last.
    """
    top = next(iter(values.values()), 0)
    spread = max(_SPREAD, top - min(values.values(), default=0))
    numbers, number = {}, BARS
    for move, value in values.items():
        number = min(number, 1 + int((BARS - 1) * (1 - (top - value) / spread) + 0.5))
        numbers[move] = number
    return numbers


def _opinion_after(seen: Observation, decision: Decision, taken: Codes) -> tuple[Decision, dict[Codes, float]]:
    """Return the decision, and the values of its moves.

    If the adviser considered no move that begins with `taken`, such moves are ranked by their immediate gain instead.
    """
    values = values_of(seen, decision)
    if not any(move[: len(taken)] == taken for move in values):
        decision = ranked_by_gain(seen, taken)
        values = values_of(seen, decision)
    return decision, values
