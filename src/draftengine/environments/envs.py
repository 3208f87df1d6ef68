"""Games as environments for learning programs: `draftengine.envs`.

Each function imports the library that it needs: ``pip install '.[rl]'`` has them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from draftengine.api.game import Game
    from draftengine.environments.batch import Batch
    from draftengine.environments.pettingzoo_env import Parallel, Seen


def parallel(game: Game, seed: int | None = None, *, reward: str = "win") -> Parallel:
    """A PettingZoo environment in which all seats act at once (see `pettingzoo_env.parallel_env`)."""
    from draftengine.environments.pettingzoo_env import Parallel  # noqa: PLC0415 (imports PettingZoo)

    return Parallel(game.program, seed, reward)


def sequential(game: Game, seed: int | None = None, *, reward: str = "win") -> AECEnv[str, Seen, int]:
    """A PettingZoo environment in which one seat acts after the other (see `pettingzoo_env.env`)."""
    from draftengine.environments.pettingzoo_env import sequential as wrapped  # noqa: PLC0415 (imports PettingZoo)

    return wrapped(game.program, seed, reward)


def batch(  # noqa: PLR0913 (as `Batch`)
    game: Game,
    games: int,
    seed: int | None = None,
    *,
    reward: str = "win",
    dtype: str = "float32",
    engine: str = "auto",
    threads: int = 1,
) -> Batch:
    """So many games side by side, as arrays (see `batch.Batch`)."""
    from draftengine.environments.batch import Batch  # noqa: PLC0415 (imports NumPy)

    return Batch(game.program, games, seed, reward=reward, dtype=dtype, engine=engine, threads=threads)
