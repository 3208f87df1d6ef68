"""Games as environments for learning programs: `draftengine.envs`.

Each function imports the library that it needs: ``pip install '.[rl]'`` has them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.api.arguments import checked_kind
from draftengine.api.game import Game

if TYPE_CHECKING:
    from typing import Unpack

    from pettingzoo import AECEnv

    from draftengine.engine.program import Program
    from draftengine.studies.environments.batch import Batch, BatchOptions
    from draftengine.studies.environments.pettingzoo_env import Parallel, Seen


def parallel(game: Game, seed: int | None = None, *, reward: str = "win") -> Parallel:
    """A PettingZoo environment in which all seats act at once (see `pettingzoo_env.parallel_env`)."""
    program = _program_of(game)
    from draftengine.studies.environments.pettingzoo_env import Parallel  # noqa: PLC0415 (imports PettingZoo)

    return Parallel(program, seed, reward)


def sequential(game: Game, seed: int | None = None, *, reward: str = "win") -> AECEnv[str, Seen, int]:
    """A PettingZoo environment in which one seat acts after the other (see `pettingzoo_env.env`)."""
    program = _program_of(game)
    from draftengine.studies.environments.pettingzoo_env import sequential as wrapped  # noqa: PLC0415 (imports PettingZoo)

    return wrapped(program, seed, reward)


def batch(game: Game, games: int, seed: int | None = None, **options: Unpack[BatchOptions]) -> Batch:
    """So many games side by side, as arrays (see `batch.Batch`; `batch.BatchOptions` says which options there are)."""
    program = _program_of(game)
    from draftengine.studies.environments.batch import Batch  # noqa: PLC0415 (imports NumPy)

    return Batch(program, games, seed, **options)


def _program_of(game: Game) -> Program:
    """What is played, before any library is asked for. Raises `WrongArgumentError` for what is no game."""
    return checked_kind(game, Game, "draftengine.load").program
