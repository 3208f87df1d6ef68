"""Looking back at a finished game: which choices of a person cost most, by what the person could know at the time.

The log is played again; at each choice the adviser is asked with the observation that the person had, and with nothing
that came to light later. `draftengine.apps.play.advice` says it in words.
"""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.bots.hints.hints import Evaluator, Hint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.api.moves import Move
    from draftengine.api.view import View
    from draftengine.apps.play.session import Session

MOST = 5
"""How many choices are told."""
COSTLY = 0.5
"""Points that a choice has to cost before it is called costly."""


class ReviewedChoice(Struct, frozen=True):
    """A choice that a person made, and what the adviser thought of it."""

    view: View
    move: Move
    cost: float
    """How much better the best move was."""
    lead: float
    """How much better than the average of all moves it was."""
    unit: str
    better: Hint | None
    """The best move, if it was better by enough to tell."""


class GameReview(Struct, frozen=True):
    """What there is to say about the choices of one seat."""

    seat: int
    choices: int
    """How many there were; a choice with one legal move is none."""
    costly: tuple[ReviewedChoice, ...]
    """Those that cost something, the costliest first."""
    best: ReviewedChoice | None
    """Of the choices that nothing would have been better than, the one furthest above the average of its moves."""

    @property
    def cost(self) -> float:
        """What all of them cost together."""
        return sum(choice.cost for choice in self.costly)


def review(session: Session, seat: int, progress: Callable[[float], None] = lambda _: None) -> GameReview:
    """Look back at what a seat chose; `progress` hears how much of it is done (0 to 1)."""
    choices, judged = list(choices_of(session, seat)), []
    for number, (view, move) in enumerate(choices):
        progress(number / len(choices))
        judged.append(judge(Evaluator(view), move))
    known = [choice for choice in judged if choice is not None]
    costly = sorted((choice for choice in known if choice.better is not None), key=lambda choice: -choice.cost)
    good = [choice for choice in known if choice.better is None and choice.lead > 0]
    best = max(good, key=lambda choice: choice.lead, default=None)
    return GameReview(seat, len(judged), tuple(costly), best)


def choices_of(session: Session, seat: int) -> Iterator[tuple[View, Move]]:
    """What a seat saw whenever it had a choice, and what it chose."""
    state = session.game.start(session.seed)
    for chooser, move in session.state.moves:
        if chooser == seat:
            view = state.view(seat)
            if view.moves.total > 1:
                yield view, move
        state = state.commit(chooser, move)


def judge(opinion: Evaluator, move: Move) -> ReviewedChoice | None:
    """What the adviser thinks of a move; ``None`` if it gave it no thought."""
    values = opinion.values
    if move not in values:
        return None
    best = next(iter(values.values()))
    cost = max(0.0, best - values[move])
    better = opinion.hints(most=1)[0] if cost >= COSTLY else None
    return ReviewedChoice(opinion.view, move, cost, values[move] - fmean(values.values()), opinion.unit, better)
