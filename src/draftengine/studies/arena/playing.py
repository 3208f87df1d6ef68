"""Playing of a tournament: worker processes play ranges of units, and results are merged in order.

Bots get observations. Their times and iterations are counted in a form that can be merged. Nothing limits them here.
"""

from __future__ import annotations

import time
from math import exp, log
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from draftengine.bots import SeatedBot
from draftengine.bots.worth.tables import adopt
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.game import total
from draftengine.engine.observe import observe
from draftengine.engine.policies import play_by
from draftengine.engine.state import initial_state
from draftengine.studies.arena.deals import ArenaError, Ended, Unit
from draftengine.studies.runner.run import Progress, Run, Work
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.api.game import Game
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState
    from draftengine.studies.arena.deals import Pairing
    from draftengine.studies.arena.sprt import Sequential

_STEP = 0.04
"""The width of the bins for times, relative to the time. Percentiles are accurate to two percent."""
_SHORTEST = 1e-7


class Thinking(Struct):
    """Counts over the decisions of one bot in which it had more than one legal move."""

    decisions: int = 0
    iterations: int = 0
    longest: float = 0.0
    """Longest time of a decision, in seconds."""
    bins: dict[int, int] = field(default_factory=dict)
    """Number of decisions by bin: the logarithm of their seconds, divided by `_STEP` and rounded."""

    def note(self, seconds: float, iterations: int) -> None:
        """Count one decision, with its time and its iterations."""
        self.decisions += 1
        self.iterations += iterations
        self.longest = max(self.longest, seconds)
        place = round(log(max(seconds, _SHORTEST)) / _STEP)
        self.bins[place] = self.bins.get(place, 0) + 1

    def add(self, other: Thinking) -> None:
        """Add the counts of `other` to the counts of this object."""
        self.decisions += other.decisions
        self.iterations += other.iterations
        self.longest = max(self.longest, other.longest)
        for place, count in other.bins.items():
            self.bins[place] = self.bins.get(place, 0) + count

    def percentile(self, share: float) -> float:
        """Return the time in milliseconds within which a share (0 to 1) of the decisions was made."""
        left = share * self.decisions
        for place in sorted(self.bins):
            left -= self.bins[place]
            if left <= 0:
                return min(1000 * exp(_STEP * place), 1000 * self.longest)
        return 1000 * self.longest

    @property
    def mean_iterations(self) -> float:
        """The mean number of iterations for a decision; 0 without decisions."""
        return self.iterations / max(self.decisions, 1)


class Match(Struct, frozen=True):
    """A range of units of a tournament: every pairing of a deal, then every pairing of the next deal."""

    game: Game
    bots: tuple[str, ...]
    """The bots in the notation for a seat."""
    pairings: tuple[Pairing, ...]
    seed: int | str
    first: int
    last: int
    table: bytes = b""
    """The worth table (see `bots.worth.tables`), so that workers need not learn one themselves."""

    @property
    def seats(self) -> int:
        """Number of seats with players, without extra seats."""
        return self.game.players


class PlayedUnit(Struct, frozen=True):
    unit: Unit
    think_time: dict[int, Thinking]
    """The thinking times of the two bots, by their indices in `Match.bots`."""


class Stretch(Struct, frozen=True):
    """Units of a match that one worker has played."""

    first: int
    last: int
    units: list[PlayedUnit]
    seconds: float
    """The time spent playing, in seconds, without preparations."""


def play_stretch(match: Match) -> Stretch:
    """Play the units of a match in order. This process uses the match's worth table from then on."""
    program = match.game.program
    adopt(program, match.table)
    began = time.perf_counter()
    units = [play_unit(program, match, number) for number in range(match.first, match.last)]
    return Stretch(match.first, match.last, units, time.perf_counter() - began)


def play_unit(program: Program, match: Match, number: int) -> PlayedUnit:
    """Play all games of the unit with this number.

    All games of the unit have the same cards. Each bot has its own random stream at each seat of each game.
    """
    deal, place = divmod(number, len(match.pairings))
    pairing, root, seats = match.pairings[place], root_of(match.seed), range(match.seats)
    thinking = {bot: Thinking() for bot in (pairing.challenger, pairing.opponent)}
    games = []
    for challenged in seats:
        policies = []
        for seat in seats:
            bot = pairing.bot_at(seat, challenged)
            key = key_of(root, deal, "bot", challenged * match.seats + seat)
            policies.append(seated(match.bots[bot], key, thinking[bot]))
        state = play_by(initial_state(program, root, deal, memory=True), policies, Stream(0))
        games.append(ended(state))
    return PlayedUnit(Unit(deal, pairing, tuple(games)), thinking)


def seated(text: str, key: int, thinking: Thinking) -> Policy:
    """Return a policy for a bot in the notation for a seat. The bot sees only what its seat may know."""
    decider = SeatedBot.of(text, key)

    def choose(state: GameState, _choice: Choice, seat: int, _stream: Stream) -> Move:
        seen = observe(state, seat)
        began = time.perf_counter()
        decision = decider.decide(seen)
        spent = time.perf_counter() - began
        if decision.move not in seen.moves:
            raise ArenaError(said("arena.illegal", bot=text, move=str(decision.move)))
        if seen.moves.total > 1:
            thinking.note(spent, decision.iterations)
        return decision.move

    return choose


def ended(state: GameState) -> Ended:
    """Return the result of a finished game, without extra seats."""
    program = state.program
    return Ended(tuple(program.direction * total(state, seat) for seat in range(program.players)), state.winners)


class TournamentResult(Struct, frozen=True):
    """The games of a tournament.

    Everything except the measured times depends only on the match and the number of units.
    """

    seats: int
    bots: tuple[str, ...]
    units: list[Unit]
    think_time: list[Thinking]
    """The thinking times of all bots, in the order of `bots`."""
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
    `ArenaError` and `draftengine.studies.runner.run.ExecutorError`.
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
    run.size = 1  # units can be slow, so one is measured before the chunks grow
    interrupted = run.go()
    return TournamentResult(match.seats, match.bots, units, thinking, run.per_second() * match.seats, interrupted)
