"""Tournaments of bots on duplicate deals: their pairings, and the units of games that they play.

Results come with intervals by deal and ratings (`estimates`), and a sequential test that stops once it is decided
(`sprt`).

A *unit* is one deal of a *pairing*. The *challenger* plays it once in every seat, against copies of the *opponent*.
The games of a unit share their cards, so they are not independent observations. All statistics of a pairing are
therefore computed from units, never from single games.

Worker processes play ranges of units, and results are merged in order. Bots see only observations. The times and
iterations of their decisions are counted, but not limited.
"""

from __future__ import annotations

import time
from math import exp, log
from statistics import fmean
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from draftengine.bots import SeatedBot
from draftengine.bots.catalogue import listed_in
from draftengine.bots.worth.tables import adopt
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.game import total
from draftengine.engine.observe import observe
from draftengine.engine.policies import play_by
from draftengine.engine.state import initial_state
from draftengine.studies.runner import Progress, Run, Work
from draftengine.support.locale.phrases import ReasonedError, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from draftengine.api.game import Game
    from draftengine.bots.catalogue import Named
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState
    from draftengine.studies.arena.sprt import Sequential


PAIR = 2
"""At this number of seats, the games of X against Y are also the games of Y against X."""


class ArenaError(ReasonedError, ValueError):
    """Raised if a tournament lacks players or bots, or if a bot makes an illegal move."""


class Pairing(Struct, frozen=True):
    """Challenger and opponent, as indices into the list of the tournament's bots."""

    challenger: int
    opponent: int
    """The bot in all other seats."""

    @property
    def is_mirror(self) -> bool:
        """True if a bot plays against copies of itself, to check that neither side is favoured."""
        return self.challenger == self.opponent

    def bot_at(self, seat: int, challenged: int) -> int:
        """Return the bot at `seat` when the challenger sits at the seat `challenged`."""
        return self.challenger if seat == challenged else self.opponent


class Ended(Struct, frozen=True):
    """The result of one game."""

    points: tuple[int, ...]
    """Points by seat, negated if the fewest points win, so that more is always better."""
    winners: tuple[int, ...]
    """Winning seats after the tie-breakers; several seats share the victory."""

    def share(self, seat: int) -> float:
        """Return the share of a seat in the victory, from 0 to 1."""
        return 1 / len(self.winners) if seat in self.winners else 0.0

    def margin(self, seat: int) -> int:
        """Return the points of a seat minus those of the best other seat."""
        return self.points[seat] - max(theirs for other, theirs in enumerate(self.points) if other != seat)


class Unit(Struct, frozen=True):
    """One deal of a pairing, with one game for each seat: the challenger has seat *k* in game *k*."""

    deal: int
    pairing: Pairing
    games: tuple[Ended, ...]

    @property
    def share(self) -> float:
        """The challenger's mean share of the victory: 1/n if both bots are equally strong at n seats."""
        return fmean(game.share(seat) for seat, game in enumerate(self.games))

    @property
    def margin(self) -> float:
        """The challenger's mean margin, in points."""
        return fmean(game.margin(seat) for seat, game in enumerate(self.games))

    def turned(self) -> Unit:
        """Return the unit with challenger and opponent exchanged. This is valid at two seats only."""
        return Unit(self.deal, Pairing(self.pairing.opponent, self.pairing.challenger), self.games[::-1])


def pairings(bots: int, seats: int, mirrors: Iterable[int] = ()) -> tuple[Pairing, ...]:
    """Return the pairings of all bots, then the pairing of each bot in `mirrors` with itself.

    Any two bots meet twice, once with each as the challenger. At two seats they meet only once, because the games are
    the same both ways.
    """
    each = [
        Pairing(one, two)
        for one in range(bots)
        for two in range(bots)
        if (one < two if seats == PAIR else one != two)
    ]  # fmt: skip
    return (*each, *(Pairing(bot, bot) for bot in mirrors))


def by_pairing(units: Sequence[Unit]) -> dict[Pairing, list[Unit]]:
    """Group units by pairing. At two seats, each unit also counts for the pairing with exchanged roles."""
    paired: dict[Pairing, list[Unit]] = {}
    for unit in units:
        paired.setdefault(unit.pairing, []).append(unit)
        if len(unit.games) == PAIR and not unit.pairing.is_mirror:
            turned = unit.turned()
            paired.setdefault(turned.pairing, []).append(turned)
    return paired


FEWEST = 2
"""The least number of players, and of bots (a mirror match counts as one more), for a tournament."""


class Entrants(Struct, frozen=True):
    """The bots of a tournament."""

    names: tuple[str, ...]
    """The bots as options write them, such as ``greedy`` or ``search:iterations=100``, without duplicates."""
    mirrors: tuple[int, ...]
    """Indices in `names` of the bots that also play against copies of themselves."""

    @classmethod
    def of(cls, bots: Named, players: int, *, mirror: bool = False) -> Entrants:
        """Return the bots of a list or a comma-separated text, for games of `players` players.

        A bot that is named twice also plays against itself; with `mirror`, every bot does. Raises `BotError` for a bot
        that does not exist, and `ArenaError` for fewer than two players, or if no bot has an opponent.
        """
        listed = listed_in(bots)
        names = tuple(dict.fromkeys(listed))
        mirrors = tuple(place for place, name in enumerate(names) if mirror or listed.count(name) > 1)
        if players < FEWEST:
            raise ArenaError(said("arena.players"))
        if len(names) + len(mirrors) < FEWEST:
            raise ArenaError(said("arena.bots"))
        return cls(names, mirrors)

    def pairings(self, players: int) -> tuple[Pairing, ...]:
        """Return all pairings for games of `players` players."""
        return pairings(len(self.names), players, self.mirrors)


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
    """The games to play in a tournament: all pairings of a deal, then all pairings of the next deal."""

    game: Game
    bots: tuple[str, ...]
    """The bots as options write them, such as ``greedy`` or ``search:iterations=100``."""
    pairings: tuple[Pairing, ...]
    seed: int | str
    first: int
    last: int
    table: bytes = b""
    """The learnt values of cards (see `bots.worth.tables`), so that no worker has to learn them again."""

    @property
    def seats(self) -> int:
        """Number of seats with players, without extra seats."""
        return self.game.players


class PlayedUnit(Struct, frozen=True):
    unit: Unit
    think_time: dict[int, Thinking]
    """The thinking times of the two bots, by their indices in `Match.bots`."""


class Stretch(Struct, frozen=True):
    """The results of the games of a match that one worker has played."""

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
    """Return a policy for a bot, written as in options. The bot sees only what its seat may know."""
    decider = SeatedBot.of(text, key)

    def choose(state: GameState, _choice: Choice, seat: int, _stream: Stream) -> Move:
        seen = observe(state, seat)
        began = time.perf_counter()
        decision = decider.decide(seen)
        spent = time.perf_counter() - began
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
    `draftengine.bots.BotError` and `draftengine.studies.runner.ExecutorError`.
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
