"""Simulations, and sums over the rows of their first games: leads, places, and the worth of cards.

The share of a rule in the winner's margin is a ratio of two sums over games: the winner's lead in the points of the
rule, and the whole margin. Its error follows from how both vary together from game to game (the delta method); `Leads`
adds up the sums for this.

The worth of a copy of a card is the number of points that it gives to the seat that plays it, compared with an average
card. Within each game, the scores of the players are regressed on the number of copies of each card that they played.
Scores and numbers are taken relative to their means in the game, so a deal that is rich for all players has no
influence. Unlike in win rates, a card gets no credit for the points of cards that are played with it. This is the
*within* estimator of fixed effects, with games as groups. Intervals come from leaving out each of `GROUPS` parts of the
games in turn: the delete-a-group jackknife (Kott, *Journal of Official Statistics* 17, 2001). So games vary as a whole,
not seat by seat. The mean worth, weighted by how often cards are played, is 0. The worth of a card depends on what the
others do, so it holds only for players like those who played.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.engine.accounting import sources_of
from draftengine.studies.runner import Progress, Run, Work
from draftengine.studies.runner.playing import add, play_chunk

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.engine.program import Program
    from draftengine.studies.runner.playing import Chunk, Rows, Task

SAMPLED = 10_000
"""The number of games whose rows are used."""


class Leads:
    """Sums over games with one winner, of its margins and its leads in each rule, for standard errors."""

    def __init__(self, program: Program) -> None:
        self.seats = program.seats
        self.sign = program.direction
        self.sources = sources_of(program)
        self.games = 0
        self.margins = 0
        self.squares = 0
        self.own: dict[str, tuple[int, int]] = dict.fromkeys(self.sources, (0, 0))

    def add(self, first: int, rows: Rows) -> None:
        """Add the rows of games from number `first` on. Only the first `SAMPLED` games count."""
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
        first, other = (row[seats + 1 + seat :: seats] for seat in (winner, second))
        for name, points, others in zip(self.sources, first, other, strict=False):  # behind them may be counts of plays
            if points != others:
                leads[name] = leads.get(name, 0) + self.sign * (points - others)
        self.games += 1
        self.margins += margin
        self.squares += margin * margin
        for name, lead in leads.items():
            squares, products = self.own[name]
            self.own[name] = squares + lead * lead, products + lead * margin

    def error(self, name: str, share: float, decisive: int) -> float | None:
        """Return the standard error of a rule's share in the margin over `decisive` games with one winner.

        Returns ``None`` if too little is known.
        """
        if self.games < 2 or not self.margins or not decisive:  # noqa: PLR2004 (one game varies by nothing)
            return None
        squares, products = self.own[name]
        spread = max(squares - 2 * share * products + share * share * self.squares, 0) / (self.games - 1)
        return sqrt(spread / decisive) / abs(self.margins / self.games)


class Places:
    """Sums over games for each place in the final ranking.

    Winners come first. The others are ordered by their totals and, if these are equal, by seat.
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
        """Add the results of games from number `first` on, by place. Only the first `SAMPLED` games count."""
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


SAMPLED_FOR_WORTH = 5_000
"""The number of games from which the worth of cards is estimated."""
GROUPS = 25
"""The number of groups into which these games are divided. Games are assigned to groups in turn."""
_T = 2.064
"""The quantile of Student's t at 97.5 percent, for `GROUPS` - 1 degrees of freedom."""
_FEWEST = 4 * GROUPS
"""The smallest number of games for a result."""
_RIDGE = 1e-9
"""A relative ridge that makes the solution unique if some cards are only played together."""

_LEVEL = 1e-6
"""A relative ridge for the common level of all cards.

The level is undetermined if all seats play equally many cards.
"""

Worth = tuple[float, float, float]
"""The worth of a copy in points, and the ends of its 95 percent interval."""


class _Sums:
    """Sums over some games of products of copies, and of copies and scores.

    Copies and scores are taken relative to their means in each game.
    """

    def __init__(self, size: int) -> None:
        self.squares = [[0.0] * size for _ in range(size)]
        self.products = [0.0] * size


class Worths:
    """An estimator of the worth of all plays. Games are added to it one by one."""

    def __init__(self, program: Program) -> None:
        self.players = program.players
        self.size = len(program.plays)
        self.sign = program.direction
        self.first = program.seats * (1 + len(sources_of(program))) + 1
        self.seats = program.seats
        self.games = 0
        self.played = [0] * self.size
        self.groups = [_Sums(self.size) for _ in range(GROUPS)]

    def add(self, first: int, rows: Rows) -> None:
        """Add the rows of games from number `first` on. Only the first `SAMPLED_FOR_WORTH` games count.

        The rows must count plays (`Task.copies`).
        """
        for number, row in enumerate(rows[: max(0, SAMPLED_FOR_WORTH - first)], first):
            self._add(self.groups[number % GROUPS], row)

    def _add(self, sums: _Sums, row: list[int]) -> None:
        plays = row[self.first :]
        by_seat = [
            [(play, plays[play * self.seats + seat]) for play in range(self.size) if plays[play * self.seats + seat]]
            for seat in range(self.players)
        ]
        scores = [self.sign * row[seat] for seat in range(self.players)]
        mean = sum(scores) / self.players
        together: dict[int, int] = {}
        for copies, score in zip(by_seat, scores, strict=True):
            for play, count in copies:
                together[play] = together.get(play, 0) + count
                sums.products[play] += count * (score - mean)
                squares = sums.squares[play]
                for other, more in copies:
                    squares[other] += count * more
        for play, count in together.items():
            self.played[play] += count
            squares = sums.squares[play]
            for other, more in together.items():
                squares[other] -= count * more / self.players
        self.games += 1

    def found(self) -> list[Worth | None]:
        """Return the worth of a copy of each play; ``None`` if nobody made the play or games are too few."""
        met = [play for play in range(self.size) if self.played[play]]
        if self.games < _FEWEST or self.players < 2 or len(met) < 2:  # noqa: PLR2004 (nobody or nothing to compare with)
            return [None] * self.size
        whole = self._solved(met, -1)
        parts = [self._solved(met, group) for group in range(GROUPS)]
        worths: list[Worth | None] = [None] * self.size
        for index, play in enumerate(met):
            mean = sum(part[index] for part in parts) / GROUPS
            spread = sum((part[index] - mean) ** 2 for part in parts) * (GROUPS - 1) / GROUPS
            half = _T * sqrt(spread)
            worths[play] = whole[index], whole[index] - half, whole[index] + half
        return worths

    def _solved(self, met: Sequence[int], without: int) -> list[float]:
        """Return the worth of the plays in `met`, computed without the games of group `without` (-1: none)."""
        groups = [group for number, group in enumerate(self.groups) if number != without]
        square = [[sum(group.squares[one][other] for group in groups) for other in met] for one in met]
        product = [sum(group.products[one] for group in groups) for one in met]
        total = sum(self.played[play] for play in met)
        weights = [self.played[play] / total for play in met]
        scale = (
            max(square[index][index] for index in range(len(met))) or 1
        )  # 0 if all seats always played equally many of each card
        for one, weight in enumerate(weights):
            square[one][one] += _RIDGE * scale
            for other, also in enumerate(weights):
                square[one][other] += _LEVEL * scale * weight * also
        # Gaussian elimination; the matrix is positive definite.
        size = len(product)
        rows = [[*square[index], product[index]] for index in range(size)]
        for index in range(size):
            best = max(range(index, size), key=lambda row: abs(rows[row][index]))
            rows[index], rows[best] = rows[best], rows[index]
            pivot = rows[index]
            for below in rows[index + 1 :]:
                factor = below[index] / pivot[index]
                if factor:
                    for column in range(index, size + 1):
                        below[column] -= factor * pivot[column]
        worth = [0.0] * size
        for index in reversed(range(size)):
            known = sum(rows[index][column] * worth[column] for column in range(index + 1, size))
            worth[index] = (rows[index][size] - known) / rows[index][index]
        average = sum(weight * value for weight, value in zip(weights, worth, strict=True))
        return [value - average for value in worth]


class Played(Struct, frozen=True):
    """The result of a simulation: the counts of its games."""

    games: int
    tally: list[int]
    per_second: float
    """The games per second of all workers together, without the time for compiling."""
    seconds: float
    interrupted: bool
    margin_share: Leads
    """Sums for the intervals of the rules' shares in the winner's margin, from the first games."""


def simulate(
    task: Task,
    *,
    jobs: int = 1,
    executor: str = "",
    tell: Callable[[Progress], None] = lambda _: None,
    keep: Callable[[Chunk], None] = lambda _: None,
) -> Played:
    """Play the games of a task. `keep` receives every chunk once, in order.

    The counts depend only on the game, bots and seed, and not on jobs, executor, engine or the size of chunks. After a
    `KeyboardInterrupt`, the finished chunks are kept up to the first one that is missing. Raises `ExecutorError`.
    """
    tally: list[int] = []
    leads = Leads(task.game.program)

    def merge(chunk: Chunk) -> bool:
        tally[:] = add(tally, chunk.tally) if tally else chunk.tally
        leads.add(chunk.first, chunk.rows)
        keep(chunk)
        return False

    def part(first: int, last: int) -> Task:
        sampled = first < SAMPLED
        return replace(task, first=first, last=last, rows=task.rows or sampled, copies=task.copies and sampled)

    run = Run(Work(task.first, task.last, task.engine, play_chunk, part), jobs, executor, tell, merge)
    interrupted = run.go()
    return Played(run.done, tally, run.per_second(), run.seconds(), interrupted, leads)
