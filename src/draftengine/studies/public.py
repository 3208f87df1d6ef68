"""Simulations, comparisons and tunings as functions: `draftengine.simulate`, `compare` and `tune`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins

from draftengine.api.arguments import checked_count, checked_kind, checked_seed, checked_share
from draftengine.api.errors import WrongArgumentError
from draftengine.api.game import Game
from draftengine.api.ruleset import as_typed
from draftengine.bots.seats import seats_of
from draftengine.studies.compare.compare import compare as play_pairs
from draftengine.studies.compare.conclusions import games_needed, sentences
from draftengine.studies.compare.pairs import PairTask
from draftengine.studies.report.statistics import summarise
from draftengine.studies.runner.engines import silently, to_simulate, to_simulate_each
from draftengine.studies.runner.task import Task
from draftengine.studies.simulation.caveats import caveat
from draftengine.studies.simulation.rows import cells_of, columns_of
from draftengine.studies.simulation.run import simulate as play
from draftengine.studies.tune import conclusions as tuning_words
from draftengine.studies.tune.candidates import question

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.studies.compare.compare import ComparisonResult, Effect
    from draftengine.studies.draft.summary import DraftSummary
    from draftengine.studies.report.statistics import Summary
    from draftengine.studies.runner.playing import Chunk
    from draftengine.studies.simulation.run import Played
    from draftengine.studies.tune.candidates import TuningTarget
    from draftengine.studies.tune.tune import Tuned

USUAL_BOTS = "table"
"""Who plays if nobody says who: quick, and nobody whom figures need a warning for."""


class Simulation(Struct, frozen=True):
    """What came of many games."""

    game: Game
    seed: int | str
    engine: str
    """What played: ``compiled`` or ``reference``. Both play the same games."""
    played: Played
    summary: Summary
    """Who wins, what every rule and card is worth, with intervals of 95 percent."""
    drafted: DraftSummary | None = None
    rows: tuple[dict[str, int | str], ...] = ()
    """A row for every game, if they were asked for: its number, totals, winners, and points by rule and seat."""

    def __repr__(self) -> str:
        return f"<Simulation of {self.played.games} games of {self.game.id}>"

    def to_dict(self) -> dict[str, Any]:
        """The summary as plain data, as ``draftengine simulate --json`` prints it."""
        summary = to_builtins(self.summary, str_keys=True)
        return {
            "cardset": self.game.id,
            "hash": self.game.fingerprint,
            "players": self.game.players,
            "variants": list(self.game.variants),
            "seed": self.seed,
            "engine": self.engine,
            "games": summary.pop("games"),
            "caveat": caveat(seat.bot for seat in self.summary.seats if seat.bot) or None,
            "games_per_second": round(self.played.per_second, 1),
            "interrupted": self.played.interrupted,
            **summary,
            **({"draft": to_builtins(self.drafted, str_keys=True)} if self.drafted else {}),
        }


def simulate(
    game: Game,
    games: int = 10_000,
    *,
    bots: str | Iterable[str] = USUAL_BOTS,
    seed: int | str = 0,
    jobs: int | None = 1,
    rows: bool = False,
) -> Simulation:
    """Play many games with bots, seat by seat as they are listed; those listed take turns if there are more seats.

    The same seed gives the same games, however many processes (`jobs`; ``None`` = as many as are worth starting) play
    them. Raises `BotError`, and `WrongArgumentError` for less than one game.
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
    """What a change of the rules does, by games that were played in both forms with the same seeds."""

    a: Game
    b: Game
    names: tuple[str, str]
    seed: int | str
    bots: tuple[str, ...]
    found: ComparisonResult

    def __repr__(self) -> str:
        return f"<Comparison of {' and '.join(self.names)} in {self.found.games} games>"

    @property
    def effects(self) -> list[Effect]:
        """Every quantity in both forms, with its difference and interval."""
        return self.found.effects

    @property
    def sentences(self) -> list[str]:
        """What was found, in plain words, as far as the intervals carry it."""
        return sentences(self.found, *self.names)

    def to_dict(self) -> dict[str, Any]:
        """All that was found as plain data, as ``draftengine compare --json`` prints it."""
        sides = zip(("a", "b"), self.names, (self.a, self.b), strict=True)
        return {
            **{
                side: {"name": name, "hash": game.fingerprint, "variants": list(game.variants)}
                for side, name, game in sides
            },
            "players": self.a.players,
            "seed": self.seed,
            "bots": list(self.bots),
            "caveat": caveat(self.bots) or None,
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
    bots: str | Iterable[str] = USUAL_BOTS,
    seed: int | str = 0,
    jobs: int | None = 1,
) -> Comparison:
    """Play two games side by side with the same seeds, until every win rate is known to `precision` (of 1).

    Raises `BotError`, and `WrongArgumentError` for games of different numbers of players and for less than one game.
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
    """Which value of a number brings a figure to a target, as far as games have told."""

    question: TuningTarget
    seed: int | str
    bots: tuple[str, ...]
    found: Tuned

    def __repr__(self) -> str:
        return f"<Tuning of {self.question.number.name} of {self.question.game.id}>"

    @property
    def best(self) -> int | None:
        """The value that reaches the target for certain, and best; ``None`` if none is known to."""
        return self.found.best.value if self.found.best else None

    @property
    def sentences(self) -> list[str]:
        """The answer in plain words, as far as the intervals carry it."""
        return tuning_words.sentences(self.found, self.question.number, self.question.game.program)

    def to_dict(self) -> dict[str, Any]:
        """All that was found as plain data, as ``draftengine tune --json`` prints it."""
        game = self.question.game
        return {
            "cardset": game.id,
            "hash": game.fingerprint,
            "players": game.players,
            "variants": list(game.variants),
            "seed": self.seed,
            "bots": list(self.bots),
            "caveat": caveat(self.bots) or None,
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
    bots: str | Iterable[str] = USUAL_BOTS,
    seed: int | str = 0,
    jobs: int | None = 1,
) -> Tuning:
    """Find the value of a parameter, or of any number by its path, that brings a figure to a target.

    Number and target are written as for ``draftengine tune``: ``cards.soup.count``, ``score near 40``. Without `values`
    those are tried that the parameter can have, or some around what the number is; at most so many `games` with each.
    Raises `BotError`, and `WrongArgumentError` for a number, a target or values that make no sense.
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


def called(game: Game, other: Game) -> tuple[str, str]:
    """What two games are called beside each other, as short as can be.

    That is their titles, if these differ; else what only one of them plays. Names that are equal all the same are
    followed by the beginning of the rules' hash.
    """
    typed = [as_typed(form.ruleset.selection) for form in (game, other)]
    alone = [
        [form.labels.variant(name) for name in mine if name not in theirs]
        for form, mine, theirs in ((game, typed[0], typed[1]), (other, typed[1], typed[0]))
    ]
    if game.title == other.title:
        one, two = (", ".join(names) or f"plain {game.title}" for names in alone)
    else:
        one, two = (", ".join([form.title, *more]) for form, more in zip((game, other), alone, strict=True))
    return (one, two) if one != two else (f"{one} {game.fingerprint[:6]}", f"{two} {other.fingerprint[:6]}")
