"""A tournament: units are handed out, played anywhere, and merged in order."""

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
    """What was played. All but the clock's figures is a function of the match and the number of units."""

    seats: int
    bots: tuple[str, ...]
    units: list[Unit]
    think_time: list[Thinking]
    """By bot."""
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
    """Play the units of a match, or until a sequential test knows enough. Ctrl-C keeps what is finished.

    A test is asked after every unit, in order, and what was played beyond its decision is dropped; so the result does
    not depend on jobs and chunks. Progress is told in games. Raises `ArenaError` and
    `draftengine.studies.runner.executors.ExecutorError`.
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
    run.size = 1  # a unit may take long, if its bots think long
    interrupted = run.go()
    return TournamentResult(match.seats, match.bots, units, thinking, run.per_second() * match.seats, interrupted)
