"""Playing of draft studies: repeats the games of a simulation with the reference engine and counts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.bots import SeatedBot
from draftengine.bots.worth.tables import adopt
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.state import initial_state
from draftengine.studies.draft.collect import Collector
from draftengine.studies.draft.regret import Sample, judge
from draftengine.studies.draft.tally import DraftLayout, merge
from draftengine.studies.runner.playing import needs_memory, policies_of
from draftengine.studies.simulation.run import Run, Work

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.api.game import Game
    from draftengine.studies.simulation.run import Progress

DECISIONS = 400
"""Default number of choices that an adviser judges."""


class DraftTask(Struct, frozen=True):
    """The games `first` to `last - 1` of a study with `games` games."""

    game: Game
    bots: tuple[str, ...]
    """Bots by player, as they are written for a seat."""
    seed: int | str
    games: int
    adviser: str = ""
    """Bot that judges choices, as it is written for a seat; empty for none."""
    decisions: int = DECISIONS
    """Number of choices to judge in all games together."""
    first: int = 0
    last: int = 0
    table: bytes = b""
    """Worth table of the game, which each worker adopts instead of learning its own."""

    def sample_of(self, game: int) -> int:
        """Return the number of choices to judge in a game."""
        each, more = divmod(self.decisions if self.adviser else 0, self.games)
        return each + (game < more)


class DraftChunk(Struct, frozen=True):
    """Counts over the games of a task."""

    first: int
    last: int
    tally: list[int]
    seconds: float


class DraftStatistics(Struct, frozen=True):
    """Result of a draft study."""

    tally: list[int]
    """Counts of all finished games, laid out as in `DraftLayout`; empty if there are none."""
    interrupted: bool


def play_drafts(task: DraftTask) -> DraftChunk:
    """Play and count the games of a task."""
    program = task.game.program
    adopt(program, task.table)
    collector = Collector(program, DraftLayout.of(program))
    began = time.perf_counter()
    for game in range(task.first, task.last):
        _play(task, game, collector)
    return DraftChunk(task.first, task.last, collector.tally, time.perf_counter() - began)


def _play(task: DraftTask, game: int, collector: Collector) -> None:
    program, bots, root = task.game.program, task.bots, root_of(task.seed)
    size = task.sample_of(game)
    sample = Sample(size, Stream(key_of(root, game, "search"))) if size else None
    state = initial_state(program, root, game, memory=needs_memory(bots) or sample is not None)
    collector.walk(state, policies_of(program, bots, root, game), Stream(key_of(root, game, "bot")), sample)
    if sample is not None:
        judge(sample, _advisers(task.adviser, root, game, len(bots)), collector.tally, collector.shape)


def _advisers(adviser: str, root: int, game: int, players: int) -> list[tuple[SeatedBot, SeatedBot]]:
    keys = [key_of(root, game, "search", 1 + which) for which in range(2 * players)]
    return [
        (SeatedBot.of(adviser, keys[2 * seat]), SeatedBot.of(adviser, keys[2 * seat + 1])) for seat in range(players)
    ]


def draft(
    task: DraftTask, *, jobs: int = 1, executor: str = "", tell: Callable[[Progress], None] = lambda _: None
) -> DraftStatistics:
    """Play the games of a task and count how they are drafted.

    The counts depend only on the task. Ctrl-C keeps the finished games up to the first gap. Raises `ExecutorError`.
    """
    tally: list[int] = []

    def take(chunk: DraftChunk) -> bool:
        tally[:] = merge(tally, chunk.tally) if tally else chunk.tally
        return False

    work = Work(0, task.games, "reference", play_drafts, lambda first, last: replace(task, first=first, last=last))
    interrupted = Run(work, jobs, executor, tell, take).go()
    return DraftStatistics(tally, interrupted)
