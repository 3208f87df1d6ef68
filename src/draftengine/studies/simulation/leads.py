"""Standard errors of the shares of rules in the winner's margin.

A share is a ratio of two sums over games: the winner's lead over the runner-up in the points of the rule, and the whole
margin. Its error comes from the joint variation of both from game to game (the delta method). The first `SAMPLED` games
are enough to estimate it.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from draftengine.engine.accounting import sources_of

if TYPE_CHECKING:
    from draftengine.engine.program import Program
    from draftengine.studies.runner.playing import Rows

SAMPLED = 10_000
"""Number of games whose rows are used."""


class Leads:
    """Sums over games with one winner: margins, their squares, and each rule's squares and products."""

    def __init__(self, program: Program) -> None:
        self.seats = program.seats
        self.sign = program.direction
        self.sources = sources_of(program)
        self.games = 0
        self.margins = 0
        self.squares = 0
        self.own: dict[str, tuple[int, int]] = dict.fromkeys(self.sources, (0, 0))

    def add(self, first: int, rows: Rows) -> None:
        """Add the rows of games from number `first` on. Games beyond the sample are ignored."""
        if self.seats > 1:
            for row in rows[: max(0, SAMPLED - first)]:
                self._add(row)

    def _add(self, row: list[int]) -> None:
        seats, winners = self.seats, row[self.seats]
        if winners.bit_count() != 1:
            return
        winner = winners.bit_length() - 1
        second = max((seat for seat in range(seats) if seat != winner), key=lambda seat: self.sign * row[seat])
        margin = self.sign * (row[winner] - row[second])
        leads: dict[str, int] = {}
        for place, name in enumerate(self.sources, 1):
            offset = seats * place + 1
            leads[name] = leads.get(name, 0) + self.sign * (row[offset + winner] - row[offset + second])
        self.games += 1
        self.margins += margin
        self.squares += margin * margin
        for name, lead in leads.items():
            squares, products = self.own[name]
            self.own[name] = squares + lead * lead, products + lead * margin

    def error(self, name: str, share: float, decisive: int) -> float | None:
        """Return the standard error of a rule's share in the margin over `decisive` games with one winner.

        The error is ``None`` if too little is known.
        """
        if self.games < 2 or not self.margins or not decisive:  # noqa: PLR2004 (one game varies by nothing)
            return None
        squares, products = self.own[name]
        spread = max(squares - 2 * share * products + share * share * self.squares, 0) / (self.games - 1)
        return sqrt(spread / decisive) / abs(self.margins / self.games)
