"""Findings of a tournament: the matrix of results, duels, controls, ratings and thinking times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.studies.arena.deals import by_pairing
from draftengine.studies.arena.estimates import Cell, Duel, cell_of, duels
from draftengine.studies.arena.ratings import Rating, rate
from draftengine.studies.simulation.rows import MissingExtraError

if TYPE_CHECKING:
    from draftengine.studies.arena.run import TournamentResult
    from draftengine.studies.arena.sprt import Sequential, Verdict


class Meeting(Struct, frozen=True):
    """One cell of the matrix: a challenger among copies of another bot or of itself."""

    bot: int
    against: int
    cell: Cell

    @property
    def is_mirror(self) -> bool:
        return self.bot == self.against


class Pace(Struct, frozen=True):
    """Thinking times of a bot, over the decisions in which it had more than one legal move."""

    decisions: int
    p50_ms: float
    p95_ms: float
    max_ms: float
    """Longest time; often that of a first decision, which includes what a bot prepares once in a process."""
    iterations: float
    """Mean iterations for each decision; 0 for bots that do not iterate."""


class Findings(Struct, frozen=True):
    """All results of a tournament that reports and texts use."""

    seats: int
    bots: tuple[str, ...]
    deals: int
    games: int
    meetings: list[Meeting]
    duels: list[Duel]
    ratings: list[Rating]
    """Ratings by bot; empty if there are none."""
    why_no_ratings: str
    paces: list[Pace]
    verdict: Verdict | None
    games_per_second: float
    interrupted: bool

    @property
    def even(self) -> float:
        """Win share of each bot if all are equally strong."""
        return 1 / self.seats

    def met(self, bot: int, against: int) -> Cell | None:
        """Return the results of `bot` among copies of `against`, or ``None`` if they did not meet."""
        return next(
            (meeting.cell for meeting in self.meetings if (meeting.bot, meeting.against) == (bot, against)), None
        )


def findings_of(held: TournamentResult, seed: int | str, test: Sequential | None = None) -> Findings:
    """Compute the findings of a played tournament. The seed decides in which orders games are rated."""
    paired = by_pairing(held.units)
    meetings = [Meeting(pairing.challenger, pairing.opponent, cell_of(units)) for pairing, units in paired.items()]
    ratings, why = _ratings(held, seed)
    return Findings(
        seats=held.seats,
        bots=held.bots,
        deals=len({unit.deal for unit in held.units}),
        games=sum(len(unit.games) for unit in held.units),
        meetings=sorted(meetings, key=lambda meeting: (meeting.bot, meeting.against)),
        duels=duels(paired, len(held.bots)),
        ratings=ratings,
        why_no_ratings=why,
        paces=[
            Pace(
                thinking.decisions,
                thinking.percentile(0.5),
                thinking.percentile(0.95),
                1000 * thinking.longest,
                thinking.mean_iterations,
            )
            for thinking in held.think_time
        ],
        verdict=test.verdict() if test else None,
        games_per_second=held.games_per_second,
        interrupted=held.interrupted,
    )


def _ratings(held: TournamentResult, seed: int | str) -> tuple[list[Rating], str]:
    if all(unit.pairing.is_mirror for unit in held.units):
        return [], ""
    try:
        return rate(len(held.bots), held.units, seed), ""
    except MissingExtraError as error:
        return [], str(error)
