"""Studies as functions: `draftengine.simulate`, `compare`, `tune` and `arena`, and their results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins

from draftengine.api.errors import WrongArgumentError, checked_count, checked_kind, checked_seed, checked_share
from draftengine.api.game import Game
from draftengine.api.ruleset import as_typed
from draftengine.bots.catalogue import seats_of
from draftengine.studies.arena import Entrants, Match, hold
from draftengine.studies.arena.estimates import findings_of
from draftengine.studies.arena.report import sentences as sentences_of_tournament
from draftengine.studies.arena.report import share_text
from draftengine.studies.compare import PairTask
from draftengine.studies.compare import compare as play_pairs
from draftengine.studies.compare.report import games_needed, sentences
from draftengine.studies.compare.report import row as cells_of_effect
from draftengine.studies.report import percent, percents
from draftengine.studies.report.charts import in_notebook
from draftengine.studies.report.statistics import summarise
from draftengine.studies.runner.engines import silently, to_meet, to_simulate, to_simulate_each
from draftengine.studies.runner.playing import Task
from draftengine.studies.simulation import simulate as play
from draftengine.studies.simulation.rows import RowWriter, cells_of, columns_of, facts_of, write_choices
from draftengine.studies.simulation.words import caveat
from draftengine.studies.simulation.words import sentences as sentences_of_games
from draftengine.studies.tune import report as tuning_words
from draftengine.studies.tune.targets import question
from draftengine.support.locale import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from draftengine.bots.catalogue import Named
    from draftengine.studies.arena.estimates import Findings
    from draftengine.studies.compare import ComparisonResult, Effect
    from draftengine.studies.draft.summary import DraftSummary
    from draftengine.studies.report.statistics import Summary
    from draftengine.studies.runner.playing import Chunk
    from draftengine.studies.simulation import Played
    from draftengine.studies.tune import Tuned
    from draftengine.studies.tune.targets import TuningTarget
    from draftengine.support.locale.phrases import Text


USUAL_BOTS = "table"
"""The default bot: fast, and strong enough that figures need no warning."""


def _sentence(text: Text) -> str | None:
    """Return a text as an English sentence for data; ``None`` if the text is empty."""
    return f"{text}." if text else None


def _played(game: Game, seed: int | str) -> dict[str, Any]:
    """Return the first keys of a study's plain data: the game, and the seed with which it was played."""
    return {
        "cardset": game.id,
        "hash": game.fingerprint,
        "players": game.players,
        "variants": list(game.variants),
        "seed": seed,
    }


class Simulation(Struct, frozen=True):
    """The result of a simulation."""

    game: Game
    seed: int | str
    engine: str
    """The engine that played: ``compiled`` or ``reference``. Both play the same games."""
    played: Played
    summary: Summary
    """Figures of wins, rules and cards, with intervals of 95 percent."""
    drafted: DraftSummary | None = None
    rows: tuple[dict[str, int | str], ...] = ()
    """Rows by game, if the caller asked for them: number, totals, winners, and points by rule and seat."""

    def __repr__(self) -> str:
        return f"<Simulation of {self.played.games} games of {self.game.id}>"

    def _repr_html_(self) -> str:
        rows = [
            (seat.title, percent(seat.win_rate), percents(*seat.win_rate_ci95), f"{seat.mean:.2f}")
            for seat in self.summary.seats
        ]
        return in_notebook(repr(self)[1:-1], self.sentences, ("Seat", "Win rate", "95 %", "Mean score"), rows)

    @property
    def sentences(self) -> list[str]:
        """The conclusions as plain sentences, each as strong as the intervals support."""
        return sentences_of_games(self.summary)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain data, as ``draftengine simulate --json`` prints it."""
        summary = to_builtins(self.summary, str_keys=True)
        return {
            **_played(self.game, self.seed),
            "engine": self.engine,
            "games": summary.pop("games"),
            "caveat": _sentence(caveat(seat.bot for seat in self.summary.seats if seat.bot)),
            "games_per_second": round(self.played.per_second, 1),
            "interrupted": self.played.interrupted,
            **summary,
            **({"draft": to_builtins(self.drafted, str_keys=True)} if self.drafted else {}),
        }

    def write_rows(self, path: str | PathLike[str]) -> None:
        """Write the rows by game to a .csv or .parquet file. The simulation must have been asked for them.

        Raises `MissingExtraError` if Parquet needs a package that is not installed, and `OSError`.
        """
        if not self.rows:
            raise WrongArgumentError("there are no rows to write; “simulate(…, rows=True)” keeps them")
        columns = [*self.rows[0]]
        with RowWriter(_table_at(path), columns, facts_of(self.game, self._bots, self.seed), ("winners",)) as writer:
            writer.write([[row[name] for name in columns] for row in self.rows])

    def write_choices(self, path: str | PathLike[str], games: int = 500) -> None:
        """Write a row for every choice of the first games to a .csv or .parquet file.

        A row has the cards from which the seat could choose, its move, and its tableau. The games are played again.
        Raises as `write_rows` does.
        """
        checked_count("the number of games", games)
        write_choices(_table_at(path), self.game, self._bots, self.seed, min(games, self.played.games))

    @property
    def _bots(self) -> list[str]:
        return [seat.bot for seat in self.summary.seats if seat.bot]


def _table_at(path: str | PathLike[str]) -> Path:
    """Return the path of a table. Raise `WrongArgumentError` if its name is not that of a table."""
    if Path(path).suffix not in {".csv", ".parquet"}:
        raise WrongArgumentError(f"rows go to a .csv or .parquet file, not to “{path}”")
    return Path(path)


def simulate(
    game: Game,
    games: int = 10_000,
    *,
    bots: Named = USUAL_BOTS,
    seed: int | str = 0,
    jobs: int | None = 1,
    rows: bool = False,
) -> Simulation:
    """Play many games with bots.

    Seats get the listed bots in order; if there are more seats, the list repeats. `jobs` is the number of processes;
    ``None`` starts as many as save time. Equal seeds give equal games for any number of processes. Raises `BotError`,
    and `WrongArgumentError` for fewer than one game.
    """
    _checked(games, seed, jobs, game)
    seats = seats_of(bots, game.players)
    ready = to_simulate("auto", game, seats, games, jobs, silently())
    task = Task(game, seats, seed, 0, games, ready.engine, rows=rows, table=ready.table)
    columns, kept = columns_of(game.program), list[dict[str, int | str]]()

    def keep(chunk: Chunk) -> None:
        cells = cells_of(game.program.seats, chunk.first, chunk.rows, len(columns))
        kept.extend(dict(zip(columns, row, strict=True)) for row in cells)

    played = play(task, jobs=ready.jobs, keep=keep)
    summary = summarise(game.program, seats, played.tally, played.margin_share)
    return Simulation(game, seed, ready.engine, played, summary, rows=tuple(kept))


class Comparison(Struct, frozen=True):
    """The result of a comparison of two games that were played with equal seeds."""

    a: Game
    b: Game
    names: tuple[str, str]
    seed: int | str
    bots: tuple[str, ...]
    found: ComparisonResult

    def __repr__(self) -> str:
        return f"<Comparison of {' and '.join(self.names)} in {self.found.games} games>"

    def _repr_html_(self) -> str:
        rows = [[effect.kind, *map(str, cells_of_effect(effect))] for effect in self.effects]
        return in_notebook(repr(self)[1:-1], self.sentences, ("Kind", "", *self.names, "Difference", "95 %"), rows)

    @property
    def effects(self) -> list[Effect]:
        """Quantities in both games, each with its difference and interval."""
        return self.found.effects

    @property
    def sentences(self) -> list[str]:
        """The conclusions of the comparison as plain sentences, each as strong as the intervals support."""
        return sentences(self.found, *self.names)

    def to_dict(self) -> dict[str, Any]:
        """Return all results as plain data, as ``draftengine compare --json`` prints it."""
        sides = zip(("a", "b"), self.names, (self.a, self.b), strict=True)
        return {
            **{
                side: {"name": name, "hash": game.fingerprint, "variants": list(game.variants)}
                for side, name, game in sides
            },
            "players": self.a.players,
            "seed": self.seed,
            "bots": list(self.bots),
            "caveat": _sentence(caveat(self.bots)),
            "games": self.found.games,
            "games_per_second": round(self.found.per_second, 1),
            "precise": self.found.precise,
            "games_needed": games_needed(self.found),
            "interrupted": self.found.interrupted,
            "summary": self.sentences,
            "effects": to_builtins(self.found.effects),
        }


def compare(  # noqa: PLR0913 (as `simulate`, twice)
    game: Game,
    other: Game,
    games: int = 20_000,
    *,
    precision: float = 0.005,
    bots: Named = USUAL_BOTS,
    seed: int | str = 0,
    jobs: int | None = 1,
) -> Comparison:
    """Play two games with equal seeds until every difference of win rates is known to within `precision`.

    `precision` is a share: 0.005 is half a percentage point. At most `games` games of each are played. Raises
    `BotError`, and `WrongArgumentError` for different numbers of players and for fewer than one game.
    """
    _checked(games, seed, jobs, game, other)
    checked_share("precision", precision)
    if game.players != other.players:
        raise WrongArgumentError(f"a game of {game.players} players cannot be compared with one of {other.players}")
    seats = seats_of(bots, game.players)
    ready = to_simulate_each("auto", (game, other), seats, 2 * games, jobs, silently())
    tasks = [
        Task(form, seats, seed, 0, games, ways.engine, logged=True, rows=True, table=ways.table)
        for form, ways in zip((game, other), ready, strict=True)
    ]
    compared = play_pairs(PairTask(*tasks), precision=precision, jobs=max(ways.jobs for ways in ready))
    names = called(game, other)
    return Comparison(game, other, names, seed, seats, compared)


class Tuning(Struct, frozen=True):
    """The result of a tuning, which looks for the value of a number that brings a figure to its target."""

    question: TuningTarget
    seed: int | str
    bots: tuple[str, ...]
    found: Tuned

    def __repr__(self) -> str:
        return f"<Tuning of {self.question.number.name} of {self.question.game.id}>"

    def _repr_html_(self) -> str:
        rows = [[*map(str, cells)] for cells in tuning_words.rows(self.found)]
        return in_notebook(repr(self)[1:-1], self.sentences, ("Value", "Figure", "95 %", "Change", "Games", ""), rows)

    @property
    def best(self) -> int | None:
        """The best value among those that certainly reach the target; ``None`` if there is none."""
        return self.found.best.value if self.found.best else None

    @property
    def sentences(self) -> list[str]:
        """The answer as plain sentences, each as strong as the intervals support."""
        return tuning_words.sentences(self.found, self.question.number, self.question.game.program)

    def to_dict(self) -> dict[str, Any]:
        """Return all results as plain data, as ``draftengine tune --json`` prints it."""
        game = self.question.game
        return {
            **_played(game, self.seed),
            "bots": list(self.bots),
            "caveat": _sentence(caveat(self.bots)),
            "games_per_second": round(self.found.per_second, 1),
            **tuning_words.data(self.found, self.question.number, game.program, self.question.refused),
        }


def tune(  # noqa: PLR0913 (as `simulate`, with the question)
    game: Game,
    parameter: str,
    target: str,
    values: Iterable[int] = (),
    games: int = 100_000,
    *,
    bots: Named = USUAL_BOTS,
    seed: int | str = 0,
    jobs: int | None = 1,
) -> Tuning:
    """Find the value of a parameter, or of any number by its path, that brings a figure to a target.

    Number and target are written as for ``draftengine tune``: ``cards.soup.count``, ``score near 40``. Without
    `values`, all values that the parameter allows are tried; for another number, some values around its present one.
    At most `games` games are played with each value. Raises `BotError`, and `WrongArgumentError` for a number, target
    or values that make no sense.
    """
    _checked(games, seed, jobs, game)
    seats = seats_of(bots, game.players)
    asked = question(game, parameter, target, tuple(values))
    every = (game, *asked.games.values())
    ready = to_simulate_each("auto", every, seats, len(every) * games, jobs, silently())
    tuned = asked.trials(seats, seed, ready).play(games, jobs=max(ways.jobs for ways in ready))
    return Tuning(asked, seed, seats, tuned)


def _checked(count: int, seed: int | str, jobs: int | None, *games: Game) -> None:
    for game in games:
        checked_kind(game, Game, "draftengine.load")
    checked_count("the number of games", count)
    checked_seed(seed)
    if jobs is not None:
        checked_count("the number of processes", jobs)


def called(game: Game, other: Game, language: str = "en") -> tuple[str, str]:
    """Return short names that distinguish two games, in a language.

    If the titles of the games differ, a name is the title and the game's own variants; otherwise, it is the variants
    alone. If the names are still equal, the beginning of the hash of the rules is added.
    """
    typed = [as_typed(form.ruleset.selection) for form in (game, other)]
    labels = [form.labels_in(language) for form in (game, other)]
    alone = [
        [words.variant(name) for name in mine if name not in theirs]
        for words, mine, theirs in zip(labels, typed, reversed(typed), strict=True)
    ]
    titles = [words.title for words in labels]
    if titles[0] == titles[1]:
        one, two = (", ".join(names) or titles[0] for names in alone)
    else:
        one, two = (", ".join([title, *more]) for title, more in zip(titles, alone, strict=True))
    return (one, two) if one != two else (f"{one} {game.fingerprint[:6]}", f"{two} {other.fingerprint[:6]}")


class Tournament(Struct, frozen=True):
    """The result of a tournament of bots."""

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
        """The findings of the tournament as plain sentences, each as strong as the intervals support."""
        return sentences_of_tournament(self.found)

    def to_dict(self) -> dict[str, Any]:
        """Return all findings as plain data, as ``draftengine arena --json`` prints them. Bots are texts."""
        findings, names = self.found, self.found.bots
        return {
            **_played(self.game, self.seed),
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
