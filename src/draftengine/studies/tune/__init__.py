"""Tuning: finds the value of a number that brings a figure of a game to a target.

Games with each value are played with equal seeds until the best is known. A value is *done* once its interval is
entirely inside or entirely outside the target. The other values are played on until all are done, or none of them can
be the best. The intervals hold for all values together (Bonferroni), and at any time (see `report.moments`). So
frequent checks and an early stop do not make them wrong. Counts of unfinished tunings are stored in the cache folder,
so that a tuning can be continued.
"""

from __future__ import annotations

import hashlib
import time
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from draftengine.bots.worth.tables import adopt
from draftengine.engine.chance import root_of
from draftengine.studies.report.moments import ERROR, MOST_GAMES, Estimate, Moments, games_for, parts_of, sums_of
from draftengine.studies.runner import Run, Work
from draftengine.studies.runner.playing import player_of
from draftengine.support import caches
from draftengine.support.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from draftengine.studies.report.moments import Figure
    from draftengine.studies.runner import Progress
    from draftengine.studies.runner.playing import Task
    from draftengine.studies.tune.targets import Target, TuningTarget

LOOK = 500
"""The number of games between two checks for values that are done."""
_KEEP_EVERY = 2.0
"""The least interval between two saves of a tuning, in seconds."""
MOST_VALUES = 25
"""The largest number of values: every process keeps the prepared games of all of them."""

Verdict = Literal["reaches", "misses", "unknown"]


class Trial(Struct, frozen=True):
    """A task for a worker: games to play under the present rules and with several values of the number."""

    tasks: tuple[Task, ...]
    """The task for the present rules, followed by one for each value."""
    values: tuple[int, ...]
    """For each task after the first, the index of its value in `Trials.values`."""
    figure: Figure
    first: int
    last: int


class TrialChunk(Struct, frozen=True):
    first: int
    last: int
    sums: dict[int, list[int]]
    """By index of the value: the sums over its games (see `report.moments`)."""
    seconds: float


class Count(Struct):
    """Counts of one value: its games, their sums, and whether it is done."""

    games: int = 0
    sums: list[int] = []
    done: bool = False


class Tried(Struct, frozen=True):
    """The result for one value."""

    value: int
    games: int
    estimate: Estimate
    verdict: Verdict
    change: Estimate | None
    """The change from the figure under the present rules; ``None`` for figures with several parts."""
    needed: int
    """The estimated total number of games until it is known whether the value reaches the target.

    It is 0 if that is known, and `MOST_GAMES` if more games would be needed than are possible.
    """


class Tuned(Struct, frozen=True):
    """The result of a tuning."""

    target: Target
    now: int
    """The present value of the number."""
    tried: list[Tried]
    """The result for each value, in the order of the values."""
    games: int
    """The number of games played with each value. A value that was done earlier has fewer."""
    per_second: float
    interrupted: bool

    @property
    def reached(self) -> list[Tried]:
        """The values that certainly reach the target."""
        return [candidate for candidate in self.tried if candidate.verdict == "reaches"]

    @property
    def best(self) -> Tried | None:
        """The best of the values that reach the target, or ``None``.

        It is the value whose figure is nearest to the aim. Without an aim, it is the value nearest to the present one.
        """
        aim = self.target.aim
        if aim is None:
            return min(self.reached, key=lambda candidate: abs(candidate.value - self.now), default=None)
        return min(self.reached, key=lambda candidate: abs(candidate.estimate.value - aim), default=None)

    @property
    def nearest(self) -> Tried:
        """The value whose figure is nearest to the target range, whether or not the value reaches the target."""
        target = self.target
        return min(
            self.tried,
            key=lambda candidate: max(target.low - candidate.estimate.value, candidate.estimate.value - target.high),
        )

    @property
    def settled(self) -> bool:
        """True if the best value is known: no undecided value would be better, even if it reached the target."""
        best, aim = self.best, self.target.aim
        if best is None:
            return not self.unknown
        if aim is None:
            return all(abs(candidate.value - self.now) >= abs(best.value - self.now) for candidate in self.unknown)
        away = abs(best.estimate.value - aim)
        return all(
            max(candidate.estimate.low - aim, aim - candidate.estimate.high) >= away for candidate in self.unknown
        )

    @property
    def unknown(self) -> list[Tried]:
        """The values that may or may not reach the target."""
        return [candidate for candidate in self.tried if candidate.verdict == "unknown"]

    @property
    def games_needed(self) -> int:
        """The estimated number of games after which all values are decided that can be; 0 if all are."""
        return max((candidate.needed for candidate in self.unknown if candidate.needed < MOST_GAMES), default=0)


class Trials:
    """The games of a tuning, and their counts so far."""

    def __init__(self, now: Task, tasks: Mapping[int, Task], number: int, target: Target) -> None:
        """Start without games. `tasks` has a task for each value, and `now` is the task for the present rules."""
        self.now = now
        self.number = number
        self.values = list(tasks)
        self.tasks = list(tasks.values())
        self.target = target
        self.counts = [Count() for _ in tasks]
        self.games = 0

    @property
    def decided(self) -> int:
        """The number of values that are done."""
        return sum(count.done for count in self.counts)

    def play(
        self,
        games: int,
        *,
        jobs: int = 1,
        executor: str = "",
        tell: Callable[[Progress], None] = lambda _: None,
        file: Path | None = None,
    ) -> Tuned:
        """Continue until the best value is known, or up to `games` games with each value.

        The counts are kept in `file`, at most every two seconds and at the end. A `KeyboardInterrupt` ends the games
        without losing counts. Raises `ExecutorError`.
        """
        kept_at = time.monotonic()

        def keep(every: float) -> None:
            nonlocal kept_at
            if file is not None and self.games and time.monotonic() - kept_at >= every:
                write(file, self)
                kept_at = time.monotonic()

        if self.games >= games or self._settled():
            keep(0.0)
            return self.found(per_second=0.0, interrupted=False)

        def merge(chunk: TrialChunk) -> bool:
            self.games = chunk.last
            for place, sums in chunk.sums.items():
                count = self.counts[place]
                if not count.done:  # a value may have been done since the chunk was ordered
                    count.games += chunk.last - chunk.first
                    count.sums = [one + two for one, two in zip(count.sums, sums, strict=True)] if count.sums else sums
                    if count.games % LOOK == 0:
                        count.done = self._verdict(self.moments(place).estimate()) != "unknown"
            keep(_KEEP_EVERY)
            return self.games % LOOK == 0 and self._settled()

        engine = "reference" if any(task.engine == "reference" for task in (self.now, *self.tasks)) else "compiled"
        run = Run(Work(self.games, games, engine, play_trial, self._trial, LOOK), jobs, executor, tell, merge)
        interrupted = run.go()
        keep(0.0)
        return self.found(per_second=run.per_second(), interrupted=interrupted)

    def _settled(self) -> bool:
        """True if the best value is known, judged at the checks after every `LOOK` games."""
        looked = self.games >= LOOK and self.games % LOOK == 0
        return self.decided == len(self.counts) or (looked and self.found(per_second=0.0, interrupted=False).settled)

    def _trial(self, first: int, last: int) -> Trial:
        left = tuple(place for place, count in enumerate(self.counts) if not count.done)
        tasks = (self.now, *(self.tasks[place] for place in left))
        return Trial(tasks, left, self.target.figure, first, last)

    @property
    def error(self) -> float:
        """The allowed probability that the interval of one value misses the true figure."""
        return ERROR / len(self.counts)

    def moments(self, place: int) -> Moments:
        """Return the moments of the value at index `place`, from its games so far."""
        count = self.counts[place]
        return Moments(self.tasks[place].game.program, self.target.figure, count.games, count.sums, self.error)

    def _verdict(self, estimate: Estimate) -> Verdict:
        if estimate.within(self.target.low, self.target.high):
            return "reaches"
        return "misses" if estimate.outside(self.target.low, self.target.high) else "unknown"

    def found(self, *, per_second: float, interrupted: bool) -> Tuned:
        """Return the result of the games so far."""
        tried: list[Tried] = []
        for place, count in enumerate(self.counts):
            if count.games:
                moments = self.moments(place)
                estimate, change = moments.estimate(), moments.change()
                if moments.games < LOOK and not count.done:
                    # The intervals hold only for many games, so there is no verdict before the first check.
                    estimate, change = _open(estimate), change and _open(change)
                    needed = max(LOOK, self._needed(moments, estimate))
                    tried.append(Tried(self.values[place], moments.games, estimate, "unknown", change, needed))
                else:
                    verdict = self._verdict(estimate)
                    needed = self._needed(moments, estimate) if verdict == "unknown" else 0
                    tried.append(Tried(self.values[place], moments.games, estimate, verdict, change, needed))
        return Tuned(self.target, self.number, tried, self.games, per_second, interrupted)

    def _needed(self, moments: Moments, estimate: Estimate) -> int:
        """Estimate the number of games after which the interval excludes the nearer end of the target.

        It is assumed that the figure keeps its value.
        """
        room = min(abs(estimate.value - self.target.low), abs(estimate.value - self.target.high))
        if room <= 0:
            return MOST_GAMES
        soonest = moments.games + LOOK if moments.games >= LOOK else LOOK
        return max(soonest, games_for(moments.deviation(), room, self.error / len(moments.parts)))


def _open(estimate: Estimate) -> Estimate:
    """Return the estimate with an infinite interval, for a value about which nothing is certain yet."""
    return Estimate(estimate.value, -inf, inf)


def play_trial(trial: Trial) -> TrialChunk:
    """Play the games of a trial with every value, and pair them with games under the present rules."""
    for task in trial.tasks:
        adopt(task.game.program, task.table)
    players = {
        id(task.game): player_of(task.game.program, task.bots, task.engine, logged=task.logged) for task in trial.tasks
    }
    began = time.perf_counter()
    root = root_of(trial.tasks[0].seed)
    played = {game_id: player.play(root, trial.first, trial.last, rows=True)[1] for game_id, player in players.items()}
    now, *others = [parts_of(task.game.program, trial.figure, played[id(task.game)]) for task in trial.tasks]
    sums = {place: sums_of(parts, now) for place, parts in zip(trial.values, others, strict=True)}
    return TrialChunk(trial.first, trial.last, sums, time.perf_counter() - began)


VERSION: Literal[1] = 1


class Kept(Struct, frozen=True):
    """The counts of a tuning and its seed, as they are stored in a file."""

    version: Literal[1]
    seed: int | str
    games: int
    counts: list[Count]


def file_of(question: TuningTarget, bots: Sequence[str]) -> Path:
    """Return the path of the file for a question. It depends on rules, players, values, bots and target."""
    target, figure = question.target, question.target.figure
    asked = [
        question.game.fingerprint,
        question.game.players,
        list(bots),
        [(value, game.fingerprint) for value, game in question.games.items()],
        [figure.kind, figure.of, repr(target.low), repr(target.high), repr(target.aim)],
    ]
    digest = hashlib.sha256(msgspec.json.encode(asked)).hexdigest()
    return caches.folder() / f"tune-{digest[:24]}.json"


def read(path: Path, values: int) -> Kept | None:
    """Return the stored counts of a tuning with this number of values; ``None`` if no file is usable."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Kept)
    except (OSError, msgspec.MsgspecError):
        return None
    return kept if len(kept.counts) == values else None


def write(path: Path, trials: Trials) -> None:
    """Write the counts of the trials. If that fails, the games are played again next time."""
    with suppress(OSError):
        write_whole(path, msgspec.json.encode(Kept(VERSION, trials.now.seed, trials.games, trials.counts)).decode())
        caches.trim()
