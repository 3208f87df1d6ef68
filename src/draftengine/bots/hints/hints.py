"""Advice for a person who has to choose: the best moves, what they are worth, and why.

An adviser, which is a bot, says what the moves are worth; the reasons follow from the rules of the game. All of it is a
function of what the person sees. `draftengine.bots.hints.phrases` says it in words.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.moves import Move
from draftengine.bots.greedy import decided
from draftengine.bots.hints.reasons import MoveAnalysis, Reason
from draftengine.bots.seats import SeatedBot
from draftengine.engine.plan.limits import can_compile
from draftengine.engine.plan.shortlist import BestMoves, shortlist
from draftengine.engine.public_state import gains

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from draftengine.api.view import View
    from draftengine.bots.protocol import Decision
    from draftengine.engine.moves import Move as Codes
    from draftengine.engine.observe import Observation

ADVISER, SLOW_ADVISER = "search:iterations=1000", "search:iterations=200"
"""The bots that give the values, as seats are written: the second where nothing can be compiled, because a person
waits. The same position always gets the same advice from the same one."""

MOST = 3
"""How many moves are advised."""
_NOTICEABLE = 0.5
_FAIR = 0.2
"""The share of the tries of the move that was tried most that a move needs before its value is one to go by."""


class Hint(Struct, frozen=True):
    """A move, what it is worth by the adviser (see `draftengine.bots.Decision.unit`), and why."""

    move: Move
    value: float
    reasons: tuple[Reason, ...]
    unit: str = "gain"


class Evaluator:
    """What the adviser thinks of the moves of a seat: a function of what is seen, whatever else the game holds."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.decision = opinion(view.seen)

    @property
    def unit(self) -> str:
        """What the values are (see `draftengine.bots.Decision.unit`)."""
        return self.decision.unit

    @cached_property
    def values(self) -> dict[Move, float]:
        """What the moves are worth, the best first; moves that the adviser gave no thought to have no value."""
        return {self.view.name(codes): value for codes, value in values_of(self.view.seen, self.decision).items()}

    def hints(self, taken: Move = Move(), most: int = MOST) -> list[Hint]:  # noqa: B008 (a move never changes)
        """The best moves that begin with what was taken, best first, each with its reasons."""
        coded = advise(self.view.seen, self.decision, self.view.codes(taken), most)
        return [Hint(self.view.name(hint.move), hint.value, hint.reasons, hint.unit) for hint in coded]


class CodedHint(Struct, frozen=True):
    """A hint with its move as the engine writes it."""

    move: Codes
    value: float
    reasons: tuple[Reason, ...]
    unit: str = "gain"


def opinion(seen: Observation) -> Decision:
    """What the adviser thinks of the moves, those that it tried often enough first, by what they are worth."""
    decision = SeatedBot.at(ADVISER if can_compile() else SLOW_ADVISER, "advice", seen.seat).decide(seen)
    if not decision.considered:
        return ranked_by_gain(seen)
    least = _FAIR * max(each.weight for each in decision.considered)
    fair = [each for each in decision.considered if each.weight >= least]
    rest = [each for each in decision.considered if each.weight < least]
    considered = (*sorted(fair, key=lambda each: -each.value), *rest)
    return replace(decision, move=considered[0].move, considered=considered)


def ranked_by_gain(seen: Observation, taken: Codes = ()) -> Decision:
    """The moves by what they gain at once, for an adviser that compares none.

    If they are too many to look at, it is good ones that begin with what was taken.
    """

    def rate(some: Sequence[Codes]) -> list[int]:
        return [seen.program.direction * gain for gain in gains(seen, some)]

    moves = shortlist(seen.moves, rate, taken)
    rises = rate(moves)
    return decided(BestMoves(moves[rises.index(max(rises))], moves, rises))


def values_of(seen: Observation, decision: Decision) -> dict[Codes, float]:
    """What the moves are worth, in the adviser's order. Moves that take the same cards in another order are alike.

    Moves that the adviser gave no thought to have no value.
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
    """The best moves that begin with what was taken, best first, each with its reasons.

    Of moves that take the same cards in another order only the best is named. A gain is counted from what was taken on.
    Where the adviser thought of no way to go on, the ways are ranked by what they gain.
    """
    values = values_of(seen, decision)
    moves = _going_on(values, taken)
    if not moves:
        decision = ranked_by_gain(seen, taken)
        values = values_of(seen, decision)
        moves = _going_on(values, taken)
    table = MoveAnalysis(seen)
    counted = table.gain(taken) if decision.unit == "gain" else 0
    quick = _quickest(table, values) if decision.unit == "margin" else None
    return [
        CodedHint(
            move,
            values[move] - counted,
            _reasons(table, move, taken, _later(table, values, move, quick)),
            decision.unit,
        )
        for move in _falling(moves, values)[:most]
    ]


def _falling(moves: Sequence[Codes], values: Mapping[Codes, float]) -> Sequence[Codes]:
    """The moves up to the first that has a higher value than the one before it, because it was hardly tried."""
    rises = (index for index in range(1, len(moves)) if values[moves[index]] > values[moves[index - 1]])
    return moves[: next(rises, len(moves))]


def _going_on(values: Iterable[Codes], taken: Codes) -> list[Codes]:
    """The moves that begin with what was taken; of those that take the same cards in another order the first."""
    distinct: dict[Codes, Codes] = {}
    for move in values:
        if move[: len(taken)] == taken:
            distinct.setdefault(tuple(sorted(move)), move)
    return list(distinct.values())


def _quickest(table: MoveAnalysis, values: Mapping[Codes, float]) -> Codes:
    """The move that is best at once (that gains most, unless the fewest points win); of equal ones the best."""
    return max(values, key=lambda move: (table.sign * table.gain(move), values[move]))


def _later(table: MoveAnalysis, values: Mapping[Codes, float], move: Codes, quick: Codes | None) -> float:
    """How much more than the move that is best at once a move is worth later on."""
    if quick is None or values[move] <= values[quick]:
        return 0
    return values[move] - values[quick] + max(0, table.sign * (table.gain(quick) - table.gain(move)))


def _reasons(table: MoveAnalysis, move: Codes, taken: Codes, later: float) -> tuple[Reason, ...]:
    reasons = [*table.rises(move, taken), *table.denied(move)]
    if not any(reason.kind in {"gains", "then"} for reason in reasons):
        reasons += table.takes(move, taken)
    if later >= _NOTICEABLE and not any(reason.kind == "gains" for reason in reasons):
        reasons.append(Reason("later", later))
    if not any(reason.kind in {"gains", "then"} for reason in reasons):
        reasons += table.prepares(move)
    return (*reasons, *table.comes_back(move, taken))
