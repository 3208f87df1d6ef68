"""Tournaments as one function, `arena`, and their findings: duels, controls, ratings and times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins

from draftengine.api.errors import checked_count, checked_kind, checked_seed
from draftengine.api.game import Game
from draftengine.studies.arena.deals import Entrants, by_pairing
from draftengine.studies.arena.estimates import Cell, Duel, Rating, cell_of, duels, rate
from draftengine.studies.arena.playing import Match, hold
from draftengine.studies.arena.report import sentences, share_text
from draftengine.studies.report.charts import in_notebook
from draftengine.studies.runner.engines import silently, to_meet
from draftengine.studies.simulation.rows import MissingExtraError
from draftengine.support.locale import spoken

if TYPE_CHECKING:
    from draftengine.bots.catalogue import Named
    from draftengine.studies.arena.playing import TournamentResult
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


class Tournament(Struct, frozen=True):
    """Result of a tournament of bots."""

    game: Game
    seed: int | str
    found: Findings

    def __repr__(self) -> str:
        return f"<Tournament of {', '.join(self.found.bots)} in {self.found.games} games of {self.game.id}>"

    def _repr_html_(self) -> str:
        bots, words = self.found.bots, spoken("en")
        cells = [[self.found.met(one, other) for other in range(len(bots))] for one in range(len(bots))]
        rows = [
            [bot, *(share_text(cell, words) if cell else "" for cell in row)]
            for bot, row in zip(bots, cells, strict=True)
        ]
        return in_notebook(repr(self)[1:-1], self.sentences, ("Wins (%) among", *bots), rows)

    @property
    def sentences(self) -> list[str]:
        """Findings as plain sentences, each as far as the intervals support it."""
        return sentences(self.found)

    def to_dict(self) -> dict[str, Any]:
        """Return all findings as plain data, with bots as texts, as ``draftengine arena --json`` prints it."""
        findings, names = self.found, self.found.bots
        return {
            "cardset": self.game.id,
            "hash": self.game.fingerprint,
            "players": self.game.players,
            "variants": list(self.game.variants),
            "seed": self.seed,
            "deals": findings.deals,
            "games": findings.games,
            "games_per_second": round(findings.games_per_second, 1),
            "interrupted": findings.interrupted,
            "bots": [
                {
                    "bot": name,
                    "rating": to_builtins(findings.ratings[bot]) if findings.ratings else None,
                    "thinking": to_builtins(findings.paces[bot]),
                }
                for bot, name in enumerate(names)
            ],
            "why_no_ratings": findings.why_no_ratings,
            "matrix": [
                {
                    "bot": names[meeting.bot],
                    "against": names[meeting.against],
                    "win_share": to_builtins(meeting.cell.share),
                    "margin": to_builtins(meeting.cell.margin),
                }
                for meeting in findings.meetings
            ],
            "duels": [{**to_builtins(duel), "one": names[duel.one], "two": names[duel.two]} for duel in findings.duels],
            "sprt": to_builtins(findings.verdict),
            "summary": self.sentences,
        }


def arena(
    game: Game,
    bots: Named,
    deals: int = 200,
    *,
    mirror: bool = False,
    seed: int | str = 0,
    jobs: int | None = 1,
) -> Tournament:
    """Let every bot play every seat of the same deals against copies of every other bot.

    The bots are a list or a comma-separated text. A bot that is named twice also plays itself, and with `mirror` every
    bot does: a control, which must come out even. Raises `BotError`, `ArenaError` if there is nobody to meet or a bot
    makes an illegal move, and `WrongArgumentError` for fewer than one deal.
    """
    checked_kind(game, Game, "draftengine.load")
    checked_count("the number of deals", deals)
    checked_seed(seed)
    entrants = Entrants.of(bots, game.players, mirror=mirror)
    units = entrants.pairings(game.players)
    ready = to_meet(game, entrants.names, deals * len(units) * game.players, jobs, silently())
    match = Match(game, entrants.names, units, seed, 0, deals * len(units), ready.table)
    return Tournament(game, seed, findings_of(hold(match, jobs=ready.jobs), seed, None))
