"""Many games side by side, as arrays: what `pettingzoo_env.parallel_env` plays one by one, by the thousand.

Observations, masks, actions and rewards are those of `parallel_env`, number by number. With llvmlite the game is
compiled; without it, or where a game cannot be, the reference engine plays, and makes the same arrays.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypedDict, Unpack

import numpy as np

from draftengine.api.arguments import checked_count
from draftengine.api.errors import WrongArgumentError
from draftengine.engine.plan.limits import UnsupportedError, can_compile
from draftengine.studies.environments.encoding import Encoder
from draftengine.studies.environments.table import REWARDS, NothingToChooseError, Table, program_named
from draftengine.support.optional import how_to_install

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from draftengine.engine.program import Program

ENGINES = ("auto", "compiled", "reference")
DTYPES = ("float32", "int16")
_MOST = np.iinfo(np.int16).max


class BatchStep(NamedTuple):
    """What came of a step. The arrays are the environment's own, and the next step writes over them."""

    observations: NDArray[Any]
    """Vectors, ``float32`` or ``int16``, by game, player and entry; where a game is over, those of the next one."""
    masks: NDArray[np.int8]
    """By game, player and action: 1 if the action is legal, else 0."""
    rewards: NDArray[np.float32]
    """By game and player: what the game is worth that ended with this step; 0 where none did."""
    over: NDArray[np.bool_]
    """By game: did the last one end with this step."""


class BatchOptions(TypedDict, total=False):
    """What can be chosen about a `Batch`."""

    reward: str
    """What a game is worth at its end: ``win`` (the usual one), ``margin`` or ``points``."""
    dtype: str
    """Of the observations: ``float32`` (the usual one), or ``int16``, in which points beyond 16 bits stand as the
    largest number there is."""
    engine: str
    """``compiled``, ``reference``, or ``auto`` (the usual one): compiled if the game can be."""
    threads: int
    """So many threads play a compiled game, each at some of the tables (usually one): always the same games."""


def batch_env(
    cardset: str,
    players: int,
    games: int,
    variants: Iterable[str] = (),
    seed: int | None = None,
    **options: Unpack[BatchOptions],
) -> Batch:
    """So many games of a card set, which is named as for `parallel_env`; see `Batch`.

    Raises `NoSuchCardSetError` and `CardSetError`, too.
    """
    return Batch(program_named(cardset, players, variants), games, seed, **options)


class Batch:
    """Games of one program side by side, all seats acting at once.

    Game ``k`` of the batch is game ``k`` of the seed; when it is over, game ``k + games`` is dealt in its place, and so
    on. In a step that ends a game, the rewards are those of that game, and observations and masks are already those of
    the next one. Every array is made once and written over by the next `step` or `reset`: copy what is to stay.
    """

    def __init__(  # noqa: PLR0913 (`BatchOptions`, with what is usual)
        self,
        program: Program,
        games: int,
        seed: int | None = None,
        *,
        reward: str = "win",
        dtype: str = "float32",
        engine: str = "auto",
        threads: int = 1,
    ) -> None:
        """A batch of so many `games`, not yet dealt: `reset` deals them. `BatchOptions` says what the rest means.

        Raises `WrongArgumentError` for what there is not, and `draftengine.engine.plan.limits.UnsupportedError` if a
        compiled game is asked for and it cannot be compiled.
        """
        for what, value, known in (("reward", reward, REWARDS), ("dtype", dtype, DTYPES), ("engine", engine, ENGINES)):
            if value not in known:
                raise WrongArgumentError(f"there is no {what} {value!r}, only {', '.join(known)}")
        checked_count("the number of games", games)
        checked_count("the number of threads", threads)
        self.program = program
        self.encoder = Encoder(program)
        self.games = games
        self._seed = secrets.randbits(64) if seed is None else seed
        self._next = 0
        self._dealt = False
        if dtype == "int16":
            self._check_room()
        self._tables = _tables_of(self.encoder, games, reward, dtype, engine, threads)
        self.engine = self._tables.engine
        """What plays: ``compiled`` or ``reference``."""
        self.observations = _read_only(self._tables.vectors)
        self.masks = _read_only(self._tables.masks)
        self.rewards = _read_only(self._tables.rewards)
        self.over = _read_only(self._tables.over)

    def reset(self, seed: int | None = None) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Deal to all tables: under a seed from its game 0 on, without one the games that nobody has begun yet.

        Returns observations and masks, as in `BatchStep`.
        """
        if seed is not None:
            self._seed, self._next = seed, 0
        elif self._dealt:
            self._next = (self._tables.latest() // self.games + 1) * self.games
        self._tables.deal(self._seed, self._next)
        self._dealt = True
        return self.observations, self.masks

    def step(self, actions: ArrayLike) -> BatchStep:
        """Take one action of every player in every game: an array of whole numbers, by game and player.

        A player that has nothing to choose, or has chosen, has *done* (the last action) as its only one. Raises
        `ValueError` for actions of another form, and for an illegal one, which it names; nothing has happened then.
        """
        wanted = np.asarray(actions)
        shape = self.games, self.program.players
        if wanted.shape != shape or wanted.dtype.kind not in "iu":
            raise ValueError(f"actions are whole numbers of the shape {shape}, not {wanted.dtype} of {wanted.shape}")
        if not self._dealt:
            raise ValueError("there are no games yet: reset() deals them")
        chosen = np.ascontiguousarray(wanted, dtype=np.int64)
        wrong = self._tables.illegal(chosen)
        if wrong >= 0:
            self._refuse(*divmod(wrong, self.program.players), int(chosen.flat[wrong]))
        self._tables.step(chosen)
        return BatchStep(self.observations, self.masks, self.rewards, self.over)

    def _check_room(self) -> None:
        """Raise `ValueError` if entries other than points could be too large for small numbers."""
        bounds = np.maximum(-self.encoder.low, self.encoder.high)
        for part in self.encoder.parts():
            if part.name != "scores" and bounds[part.start : part.start + part.length].max() > _MOST:
                raise ValueError(f"{part.name} does not fit into 16 bits")

    def _refuse(self, game: int, seat: int, action: int) -> None:
        names = self.encoder.names
        name = f" ({names[action]})" if 0 <= action < len(names) else ""
        raise ValueError(f"action {action}{name} of seat {seat} at table {game} is not legal now")


def random_actions(masks: NDArray[np.int8], chance: np.random.Generator) -> NDArray[np.int64]:
    """Draw a legal action for every player, all alike: by game and player, as the first two dimensions of the masks."""
    *shape, length = masks.shape
    legal = np.flatnonzero(masks.reshape(-1).view(np.bool_))
    counts = np.bincount(legal // length, minlength=masks.size // length)  # quicker than counting along an axis
    picked = (chance.random(counts.shape, dtype=np.float32) * counts).astype(np.int64)
    # A float below 1 times a count can be rounded up to the count.
    actions: NDArray[np.int64] = legal[np.cumsum(counts) - 1 - np.minimum(picked, counts - 1)] % length
    return actions.reshape(shape)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view


class _Tables(Protocol):
    """What plays the games of a batch: the arrays that are shown, and what changes them."""

    engine: str
    vectors: NDArray[Any]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float32]
    over: NDArray[np.bool_]

    def deal(self, seed: int, first: int) -> None:
        """Deal the games of a seed from a number on, one to every table."""

    def latest(self) -> int:
        """The highest number that a game dealt so far has."""

    def illegal(self, actions: NDArray[np.int64]) -> int:
        """The first illegal action, counted table by table and seat by seat; -1 if there is none."""

    def step(self, actions: NDArray[np.int64]) -> None:
        """Carries out one legal action of every player in every game."""


def _tables_of(encoder: Encoder, games: int, reward: str, dtype: str, engine: str, threads: int) -> _Tables:
    if engine == "reference":
        return _ReferenceTables(encoder, games, reward, dtype)
    try:
        return _compiled_tables(encoder, games, reward, dtype, threads)
    except UnsupportedError:
        if engine == "compiled":
            raise
        return _ReferenceTables(encoder, games, reward, dtype)


def _compiled_tables(encoder: Encoder, games: int, reward: str, dtype: str, threads: int) -> _Tables:
    if not can_compile():
        raise UnsupportedError(f"llvmlite is not installed ({how_to_install('fast')})")
    from draftengine.studies.environments.compiled_tables import CompiledTables  # noqa: PLC0415 (imports llvmlite)

    return CompiledTables(encoder, games, reward=reward, dtype=dtype, threads=threads)


class _ReferenceTables:
    """A list of tables, each played by the reference engine."""

    engine = "reference"

    def __init__(self, encoder: Encoder, games: int, reward: str, dtype: str) -> None:
        self.encoder = encoder
        self.reward = reward
        players = encoder.program.players
        self.vectors = np.zeros((games, players, encoder.length), dtype=dtype)
        self.masks = np.zeros((games, players, encoder.done + 1), dtype=np.int8)
        self.rewards = np.zeros((games, players), dtype=np.float32)
        self.over = np.zeros(games, dtype=np.bool_)
        self._seed = 0
        self._numbers: list[int] = []
        self._tables: list[Table] = []

    def deal(self, seed: int, first: int) -> None:
        self._seed = seed
        self._numbers = list(range(first, first + len(self.over)))
        self._tables = [self._dealt(number) for number in self._numbers]
        self.rewards[:], self.over[:] = 0, False
        for place in range(len(self._tables)):
            self._show(place)

    def latest(self) -> int:
        return max(self._numbers)

    def illegal(self, actions: NDArray[np.int64]) -> int:
        for number, action in enumerate(actions.flat):
            place, seat = divmod(number, actions.shape[1])
            if action not in self._tables[place].legal(seat):
                return number
        return -1

    def step(self, actions: NDArray[np.int64]) -> None:
        self.rewards[:] = 0
        for place, table in enumerate(self._tables):
            for seat in table.waiting():
                table.act(seat, int(actions[place, seat]))
            self.over[place] = table.over
            if table.over:
                self.rewards[place] = table.returns(self.reward)
                self._numbers[place] += len(self._tables)
                self._tables[place] = self._dealt(self._numbers[place])
            self._show(place)

    def _dealt(self, number: int) -> Table:
        table = Table.dealt(self.encoder, self._seed, number)
        if table.over:
            raise NothingToChooseError("a game was over before anybody had to choose")
        return table

    def _show(self, place: int) -> None:
        table = self._tables[place]
        for seat in range(self.encoder.program.players):
            vector = table.vector(seat)
            self.vectors[place, seat] = vector.clip(-_MOST, _MOST) if self.vectors.dtype == np.int16 else vector
            self.masks[place, seat] = table.mask(seat)
