"""Thousands of games side by side, as arrays.

Observations, masks, actions and rewards are equal to those of `pettingzoo_env.parallel_env`, number by number. With
llvmlite the game is compiled. Without it, or if the game cannot be compiled, the reference engine fills the same
arrays.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from reprlib import repr as brief
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypedDict, Unpack

import numpy as np

from draftengine.api.errors import WrongArgumentError, checked_count, checked_seat
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.moves import choice_of
from draftengine.engine.plan.base import UnsupportedError, can_compile
from draftengine.engine.plan.observations import CELLS
from draftengine.engine.policies import POLICIES
from draftengine.studies.environments.table import REWARDS, Encoder, NothingToChooseError, Table, program_named
from draftengine.studies.runner.playing import BY_TABLE, policy_named
from draftengine.support.optional import how_to_install

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from draftengine.engine.program import Program

ENGINES = ("auto", "compiled", "reference")
NOBODY: Mapping[int, str] = MappingProxyType({})


class BatchStep(NamedTuple):
    """The result of a step, in the arrays of the environment. The next step overwrites these arrays."""

    observations: NDArray[Any]
    """The observation vectors by game, acting seat and entry (`BatchOptions.dtype`).

    After the end of a game, they belong to the next game.
    """
    masks: NDArray[np.int8]
    """Flags by game, acting seat and action: 1 if the action is legal, else 0."""
    rewards: NDArray[np.float32]
    """The returns of a game that ended with this step, by game and acting seat; 0 if no game ended."""
    over: NDArray[np.bool_]
    """Flags by game: true if a game ended with this step."""


class BatchOptions(TypedDict, total=False):
    """Options of a `Batch`."""

    reward: str
    """Reward at the end of a game: ``win`` (the default), ``margin`` or ``points``."""
    dtype: str
    """Type of the observations: ``float32`` (the default), or ``int16`` or ``uint8``, which clip points."""
    engine: str
    """Engine: ``compiled``, ``reference``, or ``auto`` (the default), which compiles the game if it can."""
    threads: int
    """The number of threads for a compiled game (default 1).

    The threads share the tables; the games stay the same.
    """
    opponents: Mapping[int, str]
    """Bots by seat: ``random``, ``greedy`` or ``table`` (default: none). Arrays have only the other seats."""


def batch_env(
    cardset: str,
    players: int,
    games: int,
    variants: Iterable[str] = (),
    seed: int | None = None,
    **options: Unpack[BatchOptions],
) -> Batch:
    """Return a `Batch` of `games` games of a card set, which is named by path or id.

    Raises what `Batch` raises, and `NoSuchCardSetError`, `CardSetError` and `SelectionError`.
    """
    return Batch(program_named(cardset, players, variants), games, seed, **options)


class Batch:
    """Games of one program side by side. In each, all seats act at once, except seats that bots play.

    Game ``k`` of the batch is game ``k`` of the seed. When it is over, game ``k + games`` is dealt in its place, and so
    on. In a step that ends a game, the rewards belong to that game, but observations and masks already belong to the
    next one. Arrays are allocated once and overwritten by the next `step` or `reset`: copy what must be kept.
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
        opponents: Mapping[int, str] = NOBODY,
    ) -> None:
        """Prepare `games` tables without dealing; `reset` deals. `BatchOptions` describes the options.

        Raises `WrongArgumentError` for unknown options, for counts below one, and if no seat acts. Raises
        `NotInGameError` for an opponent at a seat that does not exist. Raises `ValueError` if the observations do not
        fit into `dtype`. Raises `draftengine.engine.plan.base.UnsupportedError` if `engine` is ``compiled`` and the
        game cannot be compiled.
        """
        for what, value, known in (("reward", reward, REWARDS), ("dtype", dtype, CELLS), ("engine", engine, ENGINES)):
            if value not in known:
                raise WrongArgumentError(f"there is no {what} {value!r}, only {', '.join(known)}")
        if not isinstance(opponents, Mapping):
            raise WrongArgumentError(f"opponents are bots by seat, as in {{1: 'table'}}, not {brief(opponents)}")
        for seat, name in opponents.items():
            checked_seat(seat, program.players)
            if name not in (*POLICIES, BY_TABLE):
                raise WrongArgumentError(
                    f"an opponent in a batch is one of {', '.join((*POLICIES, BY_TABLE))}, not {brief(name)}"
                )
        if len(opponents) == program.players:
            raise WrongArgumentError("opponents have all seats: at least one seat must act")
        checked_count("the number of games", games)
        checked_count("the number of threads", threads)
        self.program = program
        self.encoder = Encoder(program)
        self.games = games
        self.seats = tuple(seat for seat in range(program.players) if seat not in opponents)
        """The seats that act. The arrays have a row for each of them, in this order."""
        self._seed = secrets.randbits(64) if seed is None else seed
        self._next = 0
        self._dealt = False
        low, high = self.encoder.low < CELLS[dtype].least, self.encoder.high > CELLS[dtype].most
        for part in self.encoder.parts():
            if part.name != "scores" and (low | high)[part.start : part.start + part.length].any():
                raise ValueError(f"{part.name} does not fit into {dtype}")
        tables: _Tables | None = None
        if engine != "reference" and can_compile():
            from draftengine.studies.environments.compiled_tables import CompiledTables  # noqa: PLC0415 (imports llvmlite)

            try:
                tables = CompiledTables(self.encoder, games, opponents, reward=reward, dtype=dtype, threads=threads)
            except UnsupportedError:
                if engine == "compiled":
                    raise
        elif engine == "compiled":
            raise UnsupportedError(f"llvmlite is not installed ({how_to_install('fast')})")
        self._tables = tables or _ReferenceTables(self.encoder, games, opponents, reward, dtype)
        self.engine = self._tables.engine
        """Engine in use: ``compiled`` or ``reference``."""
        self.observations = _read_only(self._tables.vectors)
        self.masks = _read_only(self._tables.masks)
        self.rewards = _read_only(self._tables.rewards)
        self.over = _read_only(self._tables.over)
        self.actions = _read_only(self._tables.actions)
        """The actions of the last step, by game and acting seat."""

    def reset(self, seed: int | None = None) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Deal a new game to every table: the first games of `seed` or, without a seed, the next games.

        Returns observations and masks, as in `BatchStep`.
        """
        if seed is not None:
            self._seed, self._next = seed, 0
        elif self._dealt:
            self._next = (self._tables.latest() // self.games + 1) * self.games
        self._tables.deal(self._seed, self._next)
        self._dealt = True
        return self.observations, self.masks

    def step(self, actions: ArrayLike | None = None) -> BatchStep:
        """Take one action of every acting seat in every game: an array of integers by game and seat.

        *Done* (the last action) is the only action of a player that has nothing to choose or has already chosen.
        Without `actions`, every seat takes a random legal action. Raises `ValueError`, without changing anything, for
        an array of another shape or type and for an illegal action.
        """
        if not self._dealt:
            raise ValueError("there are no games yet: reset() deals them")
        self._tables.step(None if actions is None else self._checked(np.asarray(actions)))
        return BatchStep(self.observations, self.masks, self.rewards, self.over)

    def _checked(self, actions: NDArray[Any]) -> NDArray[np.int64]:
        shape = self.games, len(self.seats)
        if actions.shape != shape or actions.dtype.kind not in "iu":
            raise ValueError(f"actions are whole numbers of the shape {shape}, not {actions.dtype} of {actions.shape}")
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        wrong = self._tables.illegal(chosen)
        if wrong >= 0:
            game, row = divmod(wrong, len(self.seats))
            action = self.encoder.named(int(chosen.flat[wrong]))
            raise ValueError(f"action {action} of seat {self.seats[row]} at table {game} is not legal now")
        return chosen


def random_actions(masks: NDArray[np.int8], chance: np.random.Generator) -> NDArray[np.int64]:
    """Draw a legal action for every player, with equal probabilities.

    The result has the dimensions game and player.
    """
    *shape, length = masks.shape
    legal = np.flatnonzero(masks.reshape(-1).view(np.bool_))
    counts = np.bincount(legal // length, minlength=masks.size // length)  # faster than counting along an axis
    picked = (chance.random(counts.shape, dtype=np.float32) * counts).astype(np.int64)
    # The product of a float below 1 and a count can be rounded up to the count.
    actions: NDArray[np.int64] = legal[np.cumsum(counts) - 1 - np.minimum(picked, counts - 1)] % length
    return actions.reshape(shape)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view


class _Tables(Protocol):
    """Plays the games of a batch. It owns the arrays and changes them."""

    engine: str
    vectors: NDArray[Any]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float32]
    over: NDArray[np.bool_]
    actions: NDArray[np.int64]

    def deal(self, seed: int, first: int) -> None:
        """Deal the games of a seed, from number `first` on, one to every table."""

    def latest(self) -> int:
        """Return the number of the latest game dealt so far."""

    def illegal(self, actions: NDArray[np.int64]) -> int:
        """Return the index of the first illegal action, table by table and seat by seat; -1 if all are legal."""

    def step(self, actions: NDArray[np.int64] | None) -> None:
        """Carry out one legal action of every player in every game; random ones if none are given."""


class _ReferenceTables:
    """Tables that the reference engine plays one after another."""

    engine = "reference"

    def __init__(self, encoder: Encoder, games: int, opponents: Mapping[int, str], reward: str, dtype: str) -> None:
        self.encoder = encoder
        self.reward = reward
        self._policies = {seat: policy_named(encoder.program, name) for seat, name in sorted(opponents.items())}
        self._actors = [seat for seat in range(encoder.program.players) if seat not in opponents]
        actors = len(self._actors)
        self.vectors = np.zeros((games, actors, encoder.length), dtype=dtype)
        self.masks = np.zeros((games, actors, encoder.done + 1), dtype=np.int8)
        self.rewards = np.zeros((games, actors), dtype=np.float32)
        self.over = np.zeros(games, dtype=np.bool_)
        self.actions = np.zeros((games, actors), dtype=np.int64)
        self._seed = 0
        self._numbers: list[int] = []
        self._tables: list[Table] = []
        self._streams: list[Stream] = []
        """The stream of the bots at each table."""

    def deal(self, seed: int, first: int) -> None:
        self._seed = seed
        self._numbers = list(range(first, first + len(self.over)))
        self._tables, self._streams = map(list, zip(*map(self._dealt, self._numbers), strict=True))
        self.rewards[:], self.over[:] = 0, False
        for place in range(len(self._tables)):
            self._show(place)

    def latest(self) -> int:
        return max(self._numbers)

    def illegal(self, actions: NDArray[np.int64]) -> int:
        for number, action in enumerate(actions.flat):
            place, row = divmod(number, actions.shape[1])
            if action not in self._tables[place].legal(self._actors[row]):
                return number
        return -1

    def step(self, actions: NDArray[np.int64] | None) -> None:
        self.rewards[:], self.actions[:] = 0, self.encoder.done if actions is None else actions
        for place, table in enumerate(self._tables):
            for seat in table.waiting():
                row = self._actors.index(seat)
                if actions is None:
                    legal = table.legal(seat)
                    self.actions[place, row] = legal[self._streams[place].below(len(legal))]
                table.act(seat, int(self.actions[place, row]))
            self._let_bots_choose(table, self._streams[place])
            self.over[place] = table.over
            if table.over:
                self.rewards[place] = [table.returns(self.reward)[seat] for seat in self._actors]
                self._numbers[place] += len(self._tables)
                self._tables[place], self._streams[place] = self._dealt(self._numbers[place])
            self._show(place)

    def _dealt(self, number: int) -> tuple[Table, Stream]:
        table = Table.dealt(self.encoder, self._seed, number)
        stream = Stream(key_of(root_of(self._seed), number, "bot"))
        self._let_bots_choose(table, stream)
        if table.over:
            raise NothingToChooseError("a game was over before anybody had to choose")
        return table, stream

    def _let_bots_choose(self, table: Table, stream: Stream) -> None:
        """Let bots choose, and continue the game until a seat without a bot has to choose."""
        while bots := [seat for seat in table.waiting() if seat in self._policies]:
            for seat in bots:
                state = table.state
                table.commit(seat, self._policies[seat](state, choice_of(state), seat, stream))

    def _show(self, place: int) -> None:
        table = self._tables[place]
        for row, seat in enumerate(self._actors):
            vector = table.vector(seat)
            self.vectors[place, row] = vector.clip(*CELLS[self.vectors.dtype.name][1:])
            self.masks[place, row] = table.mask(seat)
