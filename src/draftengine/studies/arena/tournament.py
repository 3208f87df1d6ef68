"""Tournaments as one function, `arena`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins

from draftengine.api.errors import checked_count, checked_kind, checked_seed
from draftengine.api.game import Game
from draftengine.studies.arena.deals import Entrants
from draftengine.studies.arena.estimates import findings_of
from draftengine.studies.arena.playing import Match, hold
from draftengine.studies.arena.report import sentences, share_text
from draftengine.studies.report.charts import in_notebook
from draftengine.studies.runner.engines import silently, to_meet
from draftengine.support.locale import spoken

if TYPE_CHECKING:
    from draftengine.bots.catalogue import Named
    from draftengine.studies.arena.estimates import Findings


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
        """Return all findings as plain data, as ``draftengine arena --json`` prints them. Bots are texts."""
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

    The bots are a list or a comma-separated text. A bot that is named twice also plays against itself, and with
    `mirror` every bot does. This is a control, which must come out even. Raises `BotError`, `ArenaError` if there is
    nobody to meet or a bot makes an illegal move, and `WrongArgumentError` for fewer than one deal.
    """
    checked_kind(game, Game, "draftengine.load")
    checked_count("the number of deals", deals)
    checked_seed(seed)
    entrants = Entrants.of(bots, game.players, mirror=mirror)
    units = entrants.pairings(game.players)
    ready = to_meet(game, entrants.names, deals * len(units) * game.players, jobs, silently())
    match = Match(game, entrants.names, units, seed, 0, deals * len(units), ready.table)
    return Tournament(game, seed, findings_of(hold(match, jobs=ready.jobs), seed, None))
