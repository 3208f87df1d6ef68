"""The whole recipe: lessons, a network, and the levels that use the network."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.bots.net.kept import NetworkFile, adopt, store
from draftengine.studies.distilling.lessons import Teacher
from draftengine.studies.distilling.levels import levels_of
from draftengine.studies.distilling.training import Trainer, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from draftengine.api.game import Game
    from draftengine.bots.net.network import Inputs
    from draftengine.studies.distilling.lessons import Lesson

POSITIONS = 60_000
"""The number of positions that are taught for each number of players."""


def taught(game: Game, positions: int, tell: Callable[[float], None] = lambda _: None) -> tuple[Inputs, list[Lesson]]:
    """Return lessons with at least this number of positions. `tell` gets the completed share."""
    teacher, number = Teacher(game.program), 0
    lessons: list[Lesson] = []
    while len(lessons) < positions:
        lessons += teacher.lessons(number)
        number += 1
        tell(min(1.0, len(lessons) / positions))
    return teacher.inputs, lessons


def network_of(games: Sequence[Game], lessons: Sequence[tuple[Inputs, Sequence[Lesson]]]) -> NetworkFile:
    """Return a network, without levels, for games with the same rules and several numbers of players."""
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
    """Teach a network for games with the same rules, find its levels, and store it in a folder.

    `tell` gets the current task (a number of players or a level) and its completed share.
    """
    kept = network_of(games, [taught(game, positions, partial(tell, str(game.players))) for game in games])
    kept = with_levels(games, kept, tell)
    store(kept, folder)
    return kept


def with_levels(games: Sequence[Game], kept: NetworkFile, tell: Callable[[str, float], None]) -> NetworkFile:
    """Return a network with the levels of all its games, which are determined again."""
    adopt(kept)
    levels = {}
    for place, game in enumerate(games):
        tell("levels", place / len(games))
        levels[game.players] = tuple(levels_of(game))
    return replace(kept, levels=levels)
