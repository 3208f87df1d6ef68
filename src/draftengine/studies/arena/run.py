"""Running of a tournament: workers play ranges of units, and results are merged in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.studies.arena.playing import Match, Stretch, play_stretch
from draftengine.studies.arena.think_time import Thinking
from draftengine.studies.simulation.run import Progress, Run, Work

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.studies.arena.deals import Unit
    from draftengine.studies.arena.sprt import Sequential


class TournamentResult(Struct, frozen=True):
    """Games of a tournament. All but measured times depends only on the match and the number of units."""

    seats: int
    bots: tuple[str, ...]
    units: list[Unit]
    think_time: list[Thinking]
    """Thinking times of all bots, in the order of `bots`."""
    games_per_second: float
    interrupted: bool


def hold(
    match: Match,
    *,
    jobs: int = 1,
    executor: str = "",
    test: Sequential | None = None,
    tell: Callable[[Progress], None] = lambda _: None,
) -> TournamentResult:
    """Play the units of a match until all are played or the sequential test decides.

    Ctrl-C keeps finished units. The test is evaluated after every unit, in order. Units played beyond its decision are
    dropped, so the result does not depend on jobs and chunks. `tell` receives the progress in games. Raises
    `ArenaError` and `draftengine.studies.runner.executors.ExecutorError`.
    """
    units: list[Unit] = []
    thinking = [Thinking() for _ in match.bots]

    def merge(stretch: Stretch) -> bool:
        for played in stretch.units:
            units.append(played.unit)
            for bot, thought in played.think_time.items():
                thinking[bot].add(thought)
            if test and test.add(played.unit.share):
                return True
        return False

    def tell_games(progress: Progress) -> None:
        tell(
            replace(
                progress,
                games=progress.games * match.seats,
                of=progress.of * match.seats,
                per_second=progress.per_second * match.seats,
            )
        )

    work = Work(
        match.first, match.last, "reference", play_stretch, lambda first, last: replace(match, first=first, last=last)
    )
    run = Run(work, jobs, executor, tell_games, merge)
    run.size = 1  # units can be slow: measure one before the chunks grow
    interrupted = run.go()
    return TournamentResult(match.seats, match.bots, units, thinking, run.per_second() * match.seats, interrupted)
