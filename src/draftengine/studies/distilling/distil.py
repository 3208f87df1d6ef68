"""The whole recipe: lessons, a network, and the noise of the levels that play by it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.bots.levels import PLAYOUTS
from draftengine.bots.net.kept import NetworkFile, store
from draftengine.studies.arena.tournament import arena
from draftengine.studies.distilling.lessons import Teacher
from draftengine.studies.distilling.training import Trainer, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from draftengine.api.game import Game
    from draftengine.bots.net.inputs import Inputs
    from draftengine.studies.distilling.lessons import Lesson

POSITIONS = 60_000
"""Positions that are taught for each number of players."""
STEP = 3.35
"""Odds of a level against the one below, times its number of opponents.

That is 77 % of the games with two seats, and 53 % with four.
"""
_STEPS_TO_MEDIUM = 1.5
_DEALS = 100
_HALVINGS = 6
_MOST_NOISE = 8.0
"""Noise with which a network plays nearly at random."""


def taught(game: Game, positions: int, tell: Callable[[float], None] = lambda _: None) -> tuple[Inputs, list[Lesson]]:
    """Return lessons of at least this number of positions; `tell` gets the completed share."""
    teacher, number = Teacher(game.program), 0
    lessons: list[Lesson] = []
    while len(lessons) < positions:
        lessons += teacher.lessons(number)
        number += 1
        tell(min(1.0, len(lessons) / positions))
    return teacher.inputs, lessons


def network_of(games: Sequence[Game], lessons: Sequence[tuple[Inputs, Sequence[Lesson]]]) -> NetworkFile:
    """Return a network for games of equal rules and several numbers of players, without levels."""
    joint, names, outputs = joined(lessons)
    trainer = Trainer(joint, len(outputs))
    trainer.learn(joint)
    return NetworkFile.of(games[0].program, tuple(game.players for game in games), trainer.network(names, outputs))


def distil(
    games: Sequence[Game],
    folder: Path,
    positions: int = POSITIONS,
    tell: Callable[[str, float], None] = lambda *_: None,
) -> NetworkFile:
    """Teach a network for games of equal rules, find the noise of its levels, and store it in a folder.

    `tell` gets what is being done (a number of players or a level) and its completed share.
    """
    lessons = [taught(game, positions, partial(tell, str(game.players))) for game in games]
    kept = network_of(games, lessons)
    store(kept, folder)
    for game in games:
        tell("levels", games.index(game) / len(games))
        kept = replace(kept, noise={**kept.noise, game.players: levels_of(game)})
        store(kept, folder)
    return kept


def levels_of(game: Game) -> dict[str, float]:
    """Return the noise of each level that plays by the stored network.

    A network that is weaker than the short search it would replace is no good player.
    """
    levels = {"medium": noise_for(game)}
    if share_of("network", f"search:prior=table:iterations={PLAYOUTS}", game) >= 1 / game.players:
        levels["hard"] = 0.0
    return levels


def noise_for(game: Game) -> float:
    """Return the noise with which a stored network is `_STEPS_TO_MEDIUM` steps weaker than without any."""
    wanted = STEP**_STEPS_TO_MEDIUM
    low, high = 0.0, _MOST_NOISE
    for _ in range(_HALVINGS):
        noise = (low + high) / 2 if low else high / 4
        share = share_of("network", f"network:noise={noise}", game)
        odds = share / max(1 - share, 1e-3) * (game.players - 1)
        low, high = (noise, high) if odds < wanted else (low, noise)
    return round((low + high) / 2, 2)


def share_of(bot: str, other: str, game: Game) -> float:
    """Return the share of victories of a bot among copies of another one."""
    met = arena(game, [bot, other], _DEALS, seed="levels").found.met(0, 1)
    assert met is not None
    return float(met.share.mean)
