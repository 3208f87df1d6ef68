"""Distillation: a network learns what the search thinks of moves, and then plays without searching.

Here is the whole recipe: lessons, a network, and the levels that use the network. `training` plays games with the
search, and teaches the network with them. The network itself, and the bot that plays with it, are in
`draftengine.bots.net`.

A *level* is a bot of a certain strength, each a *step* (`STEP`) stronger than the level below. All levels come from one
*family* of bots. It ranges from a network with so much noise that its moves are random, to a search with many
iterations. The first level is a step above random play; if luck decides so much that the whole family spans less than
two steps, it is halfway. Each further level is found by bisection among the stronger bots, until none is strong enough.

The effort of searching a game is counted without a clock, so every machine learns the same. A playout goes on from
choice to choice. The cost of a choice is nearly proportional to two numbers: that of seats plus two, and that of
scoring rules plus ten. This was measured in the shipped games, where a unit takes 1 to 4 nanoseconds of machine code.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from draftengine import __version__
from draftengine.bots.catalogue import prepare
from draftengine.bots.levels import STEP, STRENGTHS
from draftengine.bots.net.kept import NetworkFile, Setting, adopt, decoded, encode, store
from draftengine.bots.search.objectives import Objective
from draftengine.engine.chance import Stream, root_of
from draftengine.engine.policies import play_by, random_move
from draftengine.engine.state import initial_state
from draftengine.studies.arena import Match, Pairing, hold
from draftengine.studies.arena.estimates import cell_of
from draftengine.studies.distilling.training import Teacher, Trainer, joined, packed, unpacked
from draftengine.support.caches import content_of, drop, entry_named, keep

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from draftengine.api.game import Game
    from draftengine.bots.net import Inputs
    from draftengine.engine.program import Program
    from draftengine.studies.distilling.training import Lesson


_GAMES = 4
"""The number of games that are played at random to count choices."""


class Effort:
    """Estimates the cost of a search's decisions in one game, in executed instructions."""

    def __init__(self, program: Program) -> None:
        choices: list[int] = []
        rounds = 0
        for number in range(_GAMES):
            state = initial_state(program, root_of("effort"), number, memory=False)
            policies = (random_move,) * program.players
            play_by(state, policies, Stream(number), note=lambda _, moves: choices.append(len(moves)))
            rounds += max(1, state.round)
        self.choices = sum(choices) // _GAMES
        """The number of choices in a game, of all players."""
        self._game = self.choices * (program.players + 2) * (len(program.rules) + 10)
        self._round = self._game * _GAMES // rounds
        self._near = Objective.of(program, lead=1.0).near

    def of(self, iterations: int) -> int:
        """Return the cost of a decision: early playouts end with the round, later ones with the game."""
        early = min(iterations, self._near)
        return early * self._round + (iterations - early) * self._game

    def iterations_for(self, effort: int) -> int:
        """Return the largest number of iterations that costs at most `effort`."""
        late = (effort - self._near * self._round) // self._game
        return self._near + late if late >= 0 else effort // self._round


FAMILY = (
    *(Setting(noise=round(32 * 2 ** (-place / 5), 3)) for place in range(41)),
    Setting(),
    *(Setting(iterations=round(2 ** (power / 2))) for power in range(6, 19)),
)
"""The players of the family, from the weakest to the strongest."""
GAMES, CHOICES, PARTS = 200, 12_000, 4
"""Limits of a measurement of odds: its games, the choices in them, and the parts in which it is made."""
LOOKS, LOOKED = (20, 100), (4, 40)
"""Limits of the playouts of a decision, and of the deals, that show whether a network helps a search."""
DECISION = 5_000_000
"""The largest `Effort` that a bot of the family may need for a decision."""


def levels_of(game: Game) -> list[Setting]:
    """Return the settings of all levels of a game except the strongest, as `NetworkFile.levels` has them.

    If a search of the game is costly, the family ends with fewer iterations. If games are long, fewer are played.
    """
    effort = Effort(game.program)
    most = effort.iterations_for(DECISION)
    deals = max(PARTS, min(GAMES, CHOICES // effort.choices) // game.players)
    return scale([player for player in FAMILY if player.iterations <= most], partial(odds, game, deals))


def scale(family: Sequence[Setting], odds: Callable[[Setting, Setting | None], float]) -> list[Setting]:
    """Return the levels: the weakest player a step above chance, the weakest a step above that, and so on.

    `odds` returns the odds of a player against another one, or against chance. If the strongest player is less than two
    steps above chance, the first level is halfway, so that beginners can win. The strongest player is the last level if
    it is at least half a step above the level below.
    """
    measured = cache(odds)
    levels: list[Setting] = []
    weaker, below = 0, None
    while len(levels) < STRENGTHS - 1 and weaker < len(family):
        step = STEP if levels else min(STEP, measured(family[-1], None) ** 0.5)
        place = bisect_left(family, step, weaker, key=lambda player: measured(player, below))
        player = family[min(place, len(family) - 1)]
        if levels and measured(player, below) < STEP**0.5:
            break
        weaker, below = place + 1, player
        levels.append(player)
    return levels


def odds(game: Game, deals: int, player: Setting, other: Setting | None) -> float:
    """Return a player's odds of winning against copies of another one, times the number of copies.

    The deals are played in parts, until it is clear whether the odds are more or less than a step.
    """
    bots = (_text(player), _text(other) if other else "random")
    prepare(bots, game.program, lambda *_: None)
    won = _share(game, bots, "levels", deals, STEP / (STEP + game.players - 1))
    return won / (1 - won) * (game.players - 1)


def guides(game: Game) -> bool:
    """True if a search by the network of a game wins at least as often as searches by the worth table.

    If searches are costly, they have fewer playouts, and then fewer deals are played.
    """
    effort, (few, most), (least, deals) = Effort(game.program), LOOKS, LOOKED
    decisions = effort.choices * game.players
    looks = min(most, max(few, effort.iterations_for(LESSONS // (decisions * least))))
    deals = min(deals, max(least, LESSONS // (decisions * effort.of(looks))))
    bots = (f"search:iterations={looks}", f"search:iterations={looks}:prior=table")
    prepare(bots, game.program, lambda *_: None)
    return _share(game, bots, "prior", deals, 1 / game.players) >= 1 / game.players


def _share(game: Game, bots: tuple[str, str], seed: str, deals: int, asked: float) -> float:
    """Return the share of wins of a bot against copies of another one.

    It differs from none and all by at least half a win. The deals are played in parts, until it is clear whether the
    share is more or less than `asked`.
    """
    units = []
    for part in range(PARTS):
        first, last = deals * part // PARTS, deals * (part + 1) // PARTS
        held = hold(Match(game, bots, (Pairing(0, 1),), seed, first, last))
        if held.interrupted:  # odds from a part of the games would be wrong
            raise KeyboardInterrupt
        units += held.units
        share = cell_of(units).share
        if not share.ci95[0] <= asked <= share.ci95[1]:
            break
    games = len(units) * game.players
    return min(max(share.mean, 0.5 / games), 1 - 0.5 / games)


def _text(player: Setting) -> str:
    """Return a player as options write it, for example ``network:noise=2``."""
    return f"search:iterations={player.iterations}" if player.iterations else f"network:noise={player.noise}"


POSITIONS = 60_000
"""The number of positions that a network learns for each number of players."""
ITERATIONS, FEWEST = 400, 300
"""The teacher's number of playouts for a decision, and the least number in a costly game."""
LESSONS = 120_000_000_000
"""The largest effort of the searches in the lessons for a number of players (see `Effort`).

A measurement of whether the network helps a search takes about as much, at most.
"""


def taught(
    game: Game, positions: int, tell: Callable[[float], None] = lambda _: None, sharing: int = 1, entry: str = ""
) -> tuple[Inputs, list[Lesson]]:
    """Return the inputs of the network, and the lessons of games with about `positions` positions.

    If a search of the game is costly, the teacher makes fewer playouts. If that is not enough, there are fewer
    positions. `sharing` is the number of games that share the positions and the effort. `tell` gets the completed
    share. The lessons go on from those in a cache `entry`, and are kept there, also if they are interrupted.
    """
    effort, most, positions = Effort(game.program), LESSONS // sharing, positions // sharing
    iterations = min(ITERATIONS, max(FEWEST, effort.iterations_for(most // positions)))
    positions = min(positions, most // effort.of(iterations))
    teacher = Teacher(game.program, iterations)
    stored = content_of(entry) if entry else None
    played: list[bytes] = msgspec.msgpack.decode(stored) if stored else []
    lessons = list(chain.from_iterable(map(unpacked, played)))
    try:
        while len(lessons) < positions:
            several = teacher.lessons(len(played))
            played.append(packed(several))
            lessons += several
            tell(min(1.0, len(lessons) / positions))
    finally:
        if entry:
            keep(entry, msgspec.msgpack.encode(played))
    return teacher.inputs, lessons


def network_of(games: Sequence[Game], lessons: Sequence[tuple[Inputs, Sequence[Lesson]]]) -> NetworkFile:
    """Return a network, without levels, for the games of the lessons."""
    joint, names, outputs = joined(lessons)
    trainer = Trainer(joint, len(outputs))
    trainer.learn(joint)
    return NetworkFile.of([game.program for game in games], trainer.network(names, outputs))


def distil(
    games: Sequence[Game],
    folder: Path,
    positions: int = POSITIONS,
    tell: Callable[[str, float], None] = lambda *_: None,
) -> NetworkFile:
    """Teach a network for several games of a card set, find its levels, and store it in a folder.

    Games with several selections of variants share the lessons for their number of players. `tell` gets the current
    task (a number of players or a level) and its completed share.

    Until all is done, lessons, the network and its levels are in the cache, and an interrupted call can be made again.
    """
    network, *entries = _entries(games, positions)

    def note(kept: NetworkFile) -> None:
        store(kept, folder)
        keep(network, encode(kept))

    kept = decoded(content_of(network))
    if kept is None:
        lessons: list[tuple[Inputs, list[Lesson]]] = []
        for game, entry in zip(games, entries, strict=True):
            sharing = sum(other.players == game.players for other in games)
            lessons.append(taught(game, positions, partial(tell, str(game.players)), sharing, entry))
        kept = network_of(games, lessons)
        note(kept)
    kept = with_levels(games, kept, tell, note)
    for entry in (network, *entries):
        drop(entry)
    return kept


def is_begun(games: Sequence[Game], positions: int = POSITIONS) -> bool:
    """True if the cache has what an interrupted call of `distil` had done."""
    return any(content_of(entry) is not None for entry in _entries(games, positions))


def _entries(games: Sequence[Game], positions: int) -> list[str]:
    """Return the names of the cache entries for an unfinished network, and for the lessons of each game."""
    rules = [(game.program.rules_hash, game.players) for game in games]
    return [entry_named("lessons", __version__, positions, rules, which) for which in ("network", *rules)]


def with_levels(
    games: Sequence[Game],
    kept: NetworkFile,
    tell: Callable[[str, float], None],
    note: Callable[[NetworkFile], None] = lambda _: None,
) -> NetworkFile:
    """Return a network with levels for all numbers of players in games. What it has of them stays.

    They are found in the first game with the number. In all games it is measured whether the network guides searches.
    `note` gets the network after each measurement.
    """
    first = {game.players: game for game in reversed(games)}
    number = len(games) + len(first)
    for place, game in enumerate(games):
        if game.players not in kept.guides.get(game.program.rules_hash, {}):
            tell("levels", place / number)
            kept = with_guide(game, kept)
            note(kept)
    for place, (players, game) in enumerate(sorted(first.items()), len(games)):
        if players not in kept.levels:
            tell("levels", place / number)
            adopt(kept, game.program)
            kept = replace(kept, levels={**kept.levels, players: tuple(levels_of(game))})
            note(kept)
    return kept


def with_guide(game: Game, kept: NetworkFile) -> NetworkFile:
    """Return the network of a game with the knowledge of whether it guides searches of this game."""
    rules, measured = game.program.rules_hash, kept.guides
    adopt(replace(kept, guides={rules: {game.players: True}}), game.program)
    return replace(kept, guides={**measured, rules: {**measured.get(rules, {}), game.players: guides(game)}})
