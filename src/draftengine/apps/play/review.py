"""Review of a finished game: the choices that cost most, given what the person knew at the time.

The moves are replayed. At each choice the adviser gets the person's view at that moment, and nothing that became known
later. `draftengine.apps.play.advice` puts the review into words.
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
"""The largest number of choices that are reported."""
COSTLY = 0.5
"""The least cost of a costly choice, in points."""


class ReviewedChoice(Struct, frozen=True):
    """Choice of a person, as the adviser judges it."""

    view: View
    move: Move
    cost: float
    """The points by which the best move was better."""
    lead: float
    """The points by which the move was better than the average of all considered moves."""
    unit: str
    better: Hint | None
    """The best move, if it was better by at least `COSTLY`."""


class GameReview(Struct, frozen=True):
    """Review of the choices of one seat."""

    seat: int
    choices: int
    """The number of choices; forced moves are not counted."""
    costly: tuple[ReviewedChoice, ...]
    """The costly choices, the costliest first."""
    best: ReviewedChoice | None
    """Among the choices without a better move, the one furthest above the average of its moves."""

    @property
    def cost(self) -> float:
        """The total cost of the costly choices, in points."""
        return sum(choice.cost for choice in self.costly)


def review(session: Session, seat: int, progress: Callable[[float], None] = lambda _: None) -> GameReview:
    """Return the review of a seat's choices; `progress` gets the fraction that is done (0 to 1)."""
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
    """Yield the view and the move of a seat at each choice between several moves."""
    state = session.game.start(session.seed)
    for chooser, move in session.state.moves:
        if chooser == seat:
            view = state.view(seat)
            if view.moves.total > 1:
                yield view, move
        state = state.commit(chooser, move)


def judge(opinion: Evaluator, move: Move) -> ReviewedChoice | None:
    """Return the adviser's judgement of a move; ``None`` if the adviser did not consider it."""
    values = opinion.values
    if move not in values:
        return None
    best = next(iter(values.values()))
    cost = max(0.0, best - values[move])
    better = opinion.hints(most=1)[0] if cost >= COSTLY else None
    return ReviewedChoice(opinion.view, move, cost, values[move] - fmean(values.values()), opinion.unit, better)
