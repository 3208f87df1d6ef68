"""Which value of a number brings a figure to a target: all of them play games with the same seeds until it is known.

A value is done as soon as its interval lies inside the target or outside; the others play on, until all are done or no
other can be the best. The intervals hold for all values and at every moment together (see `sequences`, and Bonferroni
for the values), so it does no harm to look often, and to stop when the answer is there.
"""

from __future__ import annotations

import time
from math import inf
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from draftengine.bots.worth.tables import adopt
from draftengine.engine.chance import root_of
from draftengine.studies.report.confidence_sequences import ERROR, MOST_GAMES, Estimate, games_for
from draftengine.studies.report.moments import Moments, parts_of, sums_of
from draftengine.studies.runner.playing import player_of
from draftengine.studies.simulation.run import Run, Work

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from draftengine.studies.runner.task import Task
    from draftengine.studies.simulation.run import Progress
    from draftengine.studies.tune.targets import Figure, Target

LOOK = 500
"""After every so many games it is looked which values are done."""
MOST_VALUES = 25
"""So many values can be tried at once: their games have to be kept ready in every process."""

Verdict = Literal["reaches", "misses", "unknown"]


class Trial(Struct, frozen=True):
    """The games `first` to `last - 1` of a seed with several values. The first task is of the rules as they are."""

    tasks: tuple[Task, ...]
    values: tuple[int, ...]
    """Which value each of the other tasks is of, by its place among all."""
    figure: Figure
    first: int
    last: int


class TrialChunk(Struct, frozen=True):
    first: int
    last: int
    sums: dict[int, list[int]]
    """By the place of the value; see `moments`."""
    seconds: float


class Count(Struct):
    """What is counted of one value."""

    games: int = 0
    sums: list[int] = []
    done: bool = False


class Tried(Struct, frozen=True):
    """What is known of one value."""

    value: int
    games: int
    estimate: Estimate
    verdict: Verdict
    change: Estimate | None
    """How much more the figure is than with the number as it is."""
    needed: int
    """After about so many games in all it is known whether the value reaches the target; 0 if it is,
    and `MOST_GAMES` if that is more than any question is worth."""


class Tuned(Struct, frozen=True):
    """What was found."""

    target: Target
    now: int
    """The number as it is."""
    tried: list[Tried]
    """In the order of the values."""
    games: int
    """So many games were played with each value that was not done before."""
    per_second: float
    interrupted: bool

    @property
    def reached(self) -> list[Tried]:
        """The values that reach the target for certain."""
        return [candidate for candidate in self.tried if candidate.verdict == "reaches"]

    @property
    def best(self) -> Tried | None:
        """Of these the one whose figure is nearest to what was aimed at; without an aim the one that changes least."""
        aim = self.target.aim
        if aim is None:
            return min(self.reached, key=lambda candidate: abs(candidate.value - self.now), default=None)
        return min(self.reached, key=lambda candidate: abs(candidate.estimate.value - aim), default=None)

    @property
    def nearest(self) -> Tried:
        """The value whose figure is nearest to the target, whether it reaches it or not."""
        target = self.target
        return min(
            self.tried,
            key=lambda candidate: max(target.low - candidate.estimate.value, candidate.estimate.value - target.high),
        )

    @property
    def settled(self) -> bool:
        """Is the best value known: no other would be better, even if it turned out to reach the target."""
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
        """The values of which it is not known."""
        return [candidate for candidate in self.tried if candidate.verdict == "unknown"]

    @property
    def games_needed(self) -> int:
        """After about so many games in all everything is known that games can tell; 0 if it is."""
        return max((candidate.needed for candidate in self.unknown if candidate.needed < MOST_GAMES), default=0)


class Trials:
    """The games that are played to answer a question, and what is known so far."""

    def __init__(self, now: Task, tasks: Mapping[int, Task], number: int, target: Target) -> None:
        """`tasks` are those of the values that are tried, `now` is that of the rules as they are."""
        self.now = now
        self.number = number
        self.values = list(tasks)
        self.tasks = list(tasks.values())
        self.target = target
        self.counts = [Count() for _ in tasks]
        self.games = 0

    @property
    def decided(self) -> int:
        """How many values are done."""
        return sum(count.done for count in self.counts)

    def play(
        self,
        games: int,
        *,
        jobs: int = 1,
        executor: str = "",
        tell: Callable[[Progress], None] = lambda _: None,
        keep: Callable[[], None] = lambda: None,
    ) -> Tuned:
        """Play on until the best value is known, or up to so many games with each.

        `keep` is called whenever more is known. `KeyboardInterrupt` ends it, and loses nothing that was counted. Raises
        `ExecutorError`.
        """
        if self.games >= games or self._settled():
            return self.found(per_second=0.0, interrupted=False)

        def merge(chunk: TrialChunk) -> bool:
            self._add(chunk)
            keep()
            return self.games % LOOK == 0 and self._settled()

        engine = "reference" if any(task.engine == "reference" for task in (self.now, *self.tasks)) else "compiled"
        run = Run(Work(self.games, games, engine, play_trial, self._trial, LOOK), jobs, executor, tell, merge)
        interrupted = run.go()
        return self.found(per_second=run.per_second(), interrupted=interrupted)

    def _settled(self) -> bool:
        """Is the answer there, as far as it was looked."""
        looked = self.games >= LOOK and self.games % LOOK == 0
        return self.decided == len(self.counts) or (looked and self.found(per_second=0.0, interrupted=False).settled)

    def _trial(self, first: int, last: int) -> Trial:
        left = tuple(place for place, count in enumerate(self.counts) if not count.done)
        tasks = (self.now, *(self.tasks[place] for place in left))
        return Trial(tasks, left, self.target.figure, first, last)

    def _add(self, chunk: TrialChunk) -> None:
        """Add what was played. A value that was done in the meantime stays as it was."""
        self.games = chunk.last
        for place, sums in chunk.sums.items():
            count = self.counts[place]
            if not count.done:
                count.games += chunk.last - chunk.first
                count.sums = [one + two for one, two in zip(count.sums, sums, strict=True)] if count.sums else sums
                if count.games % LOOK == 0:
                    count.done = self._verdict(self.moments(place).estimate()) != "unknown"

    @property
    def error(self) -> float:
        """The chance of being wrong about one of the values."""
        return ERROR / len(self.counts)

    def moments(self, place: int) -> Moments:
        """What the games of a value say."""
        count = self.counts[place]
        return Moments(self.tasks[place].game.program, self.target.figure, count.games, count.sums, self.error)

    def _verdict(self, estimate: Estimate) -> Verdict:
        if estimate.within(self.target.low, self.target.high):
            return "reaches"
        return "misses" if estimate.outside(self.target.low, self.target.high) else "unknown"

    def found(self, *, per_second: float, interrupted: bool) -> Tuned:
        """What is known by now."""
        tried = [self._tried(place) for place, count in enumerate(self.counts) if count.games]
        return Tuned(self.target, self.number, tried, self.games, per_second, interrupted)

    def _tried(self, place: int) -> Tried:
        moments = self.moments(place)
        estimate, change = moments.estimate(), moments.change()
        if moments.games < LOOK and not self.counts[place].done:
            # The intervals hold for sums of many games, so nothing is said before the first look.
            estimate, change = _open(estimate), change and _open(change)
            needed = max(LOOK, self._needed(moments, estimate))
            return Tried(self.values[place], moments.games, estimate, "unknown", change, needed)
        verdict = self._verdict(estimate)
        needed = self._needed(moments, estimate) if verdict == "unknown" else 0
        return Tried(self.values[place], moments.games, estimate, verdict, change, needed)

    def _needed(self, moments: Moments, estimate: Estimate) -> int:
        """After how many games the interval leaves the nearer end of the target, if the figure stays what it is."""
        room = min(abs(estimate.value - self.target.low), abs(estimate.value - self.target.high))
        if room <= 0:
            return MOST_GAMES
        soonest = moments.games + LOOK if moments.games >= LOOK else LOOK
        return max(soonest, games_for(moments.deviation(), room, self.error / len(moments.parts)))


def _open(estimate: Estimate) -> Estimate:
    """A figure of which only the games that were played are known."""
    return Estimate(estimate.value, -inf, inf)


def play_trial(trial: Trial) -> TrialChunk:
    """Play the games of a trial with every value, and compare them game by game with the rules as they are."""
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
