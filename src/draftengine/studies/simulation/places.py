"""Points by rule, and scores, by place from the winner to the last.

They come from the rows of the first games (see `leads.SAMPLED`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.accounting import sources_of
from draftengine.studies.simulation.leads import SAMPLED

if TYPE_CHECKING:
    from draftengine.engine.program import Program
    from draftengine.studies.runner.playing import Rows


class Places:
    """Sums by place over games.

    Winners come first, others follow by their totals, and seats with equal totals follow in the order of seats.
    """

    def __init__(self, program: Program) -> None:
        self.seats = program.seats
        self.sign = program.direction
        self.sources = sources_of(program)
        self.games = 0
        self.points = {name: [0] * self.seats for name in self.sources}
        """Sums of points by source and place."""
        self.scores: list[dict[int, int]] = [{} for _ in range(self.seats)]
        """Number of games by total, for each place."""

    def add(self, first: int, rows: Rows) -> None:
        """Add the rows of games that begin with number `first`; games beyond the sample are ignored."""
        seats = self.seats
        for row in rows[: max(0, SAMPLED - first)]:
            winners = row[seats]
            order = sorted(range(seats), key=lambda seat: (not winners >> seat & 1, -self.sign * row[seat], seat))
            self.games += 1
            for place, seat in enumerate(order):
                total, counts = row[seat], self.scores[place]
                counts[total] = counts.get(total, 0) + 1
                for index, name in enumerate(self.sources, 1):
                    self.points[name][place] += row[seats * index + 1 + seat]

    def means(self, name: str) -> list[float]:
        """Return the mean points of a source for each place."""
        return [total / max(self.games, 1) for total in self.points[name]]
