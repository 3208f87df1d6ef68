"""Playing of draft studies: games of a simulation are repeated with the reference engine and counted.

*Regret* is the number of points that sampled choices lost in the judgement of an adviser. The adviser is asked twice,
with different random streams: first for its own choice, then for the values of that choice and of the choice made. With
a single stream, a searching adviser would overrate its own choice, which it makes partly because of lucky playouts. It
would then find regret even in the choices of an identical bot.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.bots import SeatedBot
from draftengine.bots.worth.tables import adopt
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.kernel.expected_gain import SCALE
from draftengine.engine.state import initial_state
from draftengine.studies.draft import collect as at
from draftengine.studies.draft.collect import Collector, DraftLayout, Sample, merge
from draftengine.studies.runner.playing import needs_memory, policies_of
from draftengine.studies.runner.run import Run, Work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.api.game import Game
    from draftengine.bots import Decision
    from draftengine.engine.moves import Move
    from draftengine.studies.runner.run import Progress


def judge(
    sample: Sample, advisers: Sequence[tuple[SeatedBot, SeatedBot]], tally: list[int], shape: DraftLayout
) -> None:
    """Add the points that the sampled choices lost to `tally`.

    `advisers` has, for each seat, two copies of the adviser with different random streams.
    """
    for choice in sample.kept:
        first, second = advisers[choice.seen.seat]
        wanted = first.decide(choice.seen)
        if not wanted.considered:
            continue
        best = wanted.considered[0].move
        lost = (
            0.0 if sorted(best) == sorted(choice.move) else points_lost(second.decide(choice.seen), best, choice.move)
        )
        if lost is not None:
            parts = round(SCALE * lost)
            row = shape.choice(choice.seen.seat, choice.turn)
            tally[row + at.JUDGED] += 1
            tally[row + at.LOST] += parts
            tally[row + at.SQUARES] += parts * parts


def points_lost(decision: Decision, best: Move, move: Move) -> float | None:
    """Return the value of `best` minus the value of `move`; ``None`` if the decision lacks one of them.

    Moves that differ only in the order of their cards are equal.
    """
    values: dict[Move, float] = {}
    for option in decision.considered:
        values.setdefault(tuple(sorted(option.move)), option.value)
    one, two = values.get(tuple(sorted(best))), values.get(tuple(sorted(move)))
    return None if one is None or two is None else one - two


DECISIONS = 400
"""The default number of choices that an adviser judges."""


class DraftTask(Struct, frozen=True):
    """The games `first` to `last - 1` of a study with `games` games."""

    game: Game
    bots: tuple[str, ...]
    """The bots by player, in the notation for a seat."""
    seed: int | str
    games: int
    adviser: str = ""
    """The bot that judges choices, in the notation for a seat; empty if no bot does."""
    decisions: int = DECISIONS
    """The number of choices to judge in all games together."""
    first: int = 0
    last: int = 0
    table: bytes = b""
    """The worth table of the game, so that workers need not learn one themselves."""

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
    """The result of a draft study."""

    tally: list[int]
    """The counts of all finished games, in the order of `DraftLayout`; empty if there are none."""
    interrupted: bool


def play_drafts(task: DraftTask) -> DraftChunk:
    """Play and count the games of a task."""
    program, bots, root = task.game.program, task.bots, root_of(task.seed)
    adopt(program, task.table)
    collector = Collector(program, DraftLayout.of(program))
    began = time.perf_counter()
    for game in range(task.first, task.last):
        size = task.sample_of(game)
        sample = Sample(size, Stream(key_of(root, game, "search"))) if size else None
        state = initial_state(program, root, game, memory=needs_memory(bots) or sample is not None)
        collector.walk(state, policies_of(program, bots, root, game), Stream(key_of(root, game, "bot")), sample)
        if sample is not None:
            keys = [key_of(root, game, "search", 1 + which) for which in range(2 * len(bots))]
            asked = [SeatedBot.of(task.adviser, key) for key in keys]
            judge(sample, list(zip(asked[::2], asked[1::2], strict=True)), collector.tally, collector.shape)
    return DraftChunk(task.first, task.last, collector.tally, time.perf_counter() - began)


def draft(
    task: DraftTask, *, jobs: int = 1, executor: str = "", tell: Callable[[Progress], None] = lambda _: None
) -> DraftStatistics:
    """Play the games of a task and count how they are drafted.

    The counts depend only on the task. After Ctrl-C, the finished games are kept up to the first one that is missing.
    Raises `ExecutorError`.
    """
    tally: list[int] = []

    def take(chunk: DraftChunk) -> bool:
        tally[:] = merge(tally, chunk.tally) if tally else chunk.tally
        return False

    work = Work(0, task.games, "reference", play_drafts, lambda first, last: replace(task, first=first, last=last))
    interrupted = Run(work, jobs, executor, tell, take).go()
    return DraftStatistics(tally, interrupted)
