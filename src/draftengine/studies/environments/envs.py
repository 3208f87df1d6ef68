"""Functions of `draftengine.envs`, which make environments for reinforcement learning.

Each function imports the library that it needs; ``pip install '.[rl]'`` installs all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.api.errors import checked_kind
from draftengine.api.game import Game

if TYPE_CHECKING:
    from typing import Unpack

    from pettingzoo import AECEnv

    from draftengine.engine.program import Program
    from draftengine.studies.environments.batch import Batch, BatchOptions
    from draftengine.studies.environments.pettingzoo_env import Parallel, Seen


def parallel(game: Game, seed: int | None = None, *, reward: str = "win", illegal: str = "raise") -> Parallel:
    """Return a PettingZoo environment in which all seats act at once (see `pettingzoo_env.parallel_env`)."""
    program = _program_of(game)
    from draftengine.studies.environments.pettingzoo_env import Parallel  # noqa: PLC0415 (imports PettingZoo)

    return Parallel(program, seed, reward, illegal)


def sequential(
    game: Game, seed: int | None = None, *, reward: str = "win", illegal: str = "end"
) -> AECEnv[str, Seen, int]:
    """Return a PettingZoo environment in which one seat acts after the other (see `pettingzoo_env.env`)."""
    program = _program_of(game)
    from draftengine.studies.environments.pettingzoo_env import sequential as wrapped  # noqa: PLC0415 (imports PettingZoo)

    return wrapped(program, seed, reward, illegal)


def batch(game: Game, games: int, seed: int | None = None, **options: Unpack[BatchOptions]) -> Batch:
    """Return `games` games side by side, as arrays (see `batch.Batch` and `batch.BatchOptions`)."""
    program = _program_of(game)
    from draftengine.studies.environments.batch import Batch  # noqa: PLC0415 (imports NumPy)

    return Batch(program, games, seed, **options)


def _program_of(game: Game) -> Program:
    """Return the program of a game, or raise `WrongArgumentError` if `game` is not a game.

    This is called before a library is imported, because its absence would hide that mistake.
    """
    return checked_kind(game, Game, "draftengine.load").program
