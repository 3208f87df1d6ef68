"""Distillation: a network learns to predict what the search thinks of moves.

A *lesson* is a position of a game, with the search's opinion of each move there. All seats are played by the search,
which looks ahead without a network. Most of its moves are its best ones. Some are drawn in proportion to how often the
search tried them, and a few at random, so that positions after mistakes also occur. Some seats are weak: they play most
of their turns by the worth table, and nothing is recorded in those turns.

A position is recorded twice: as the seat knows it, and as if the seat saw all hands. So the same network can be used by
a seat that plays alone, and in the worlds of a search.

The value of a move is the sum of the outputs for its codes. Training brings the softmax of these values, over all legal
moves of a position, close to the shares of the search's playouts. A last output learns the margin in points. Weights
are trained with Adam (Kingma and Ba 2015) and decoupled weight decay, then rounded to eight bits.

During training, inputs are scaled by their standard deviation. `Network` stores the scales, so it takes unscaled
inputs. Training needs NumPy, playing does not. Lessons for several numbers of seats are joined by the names of their
inputs and outputs.
"""

from __future__ import annotations

import zlib
from array import array
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from draftengine.bots.net import Inputs, Network, Scaled
from draftengine.bots.protocol import Budget
from draftengine.bots.search.bot import SearchBot
from draftengine.bots.simple import TableBot
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.observe import observe
from draftengine.engine.policies import play_by
from draftengine.engine.state import initial_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Whole = NDArray[np.int64]
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState


_WEAK, _BY_TABLE = 15, 60
"""The percentage of weak seats, and the percentage of their turns that they play by the table."""
_BY_TRIES, _RANDOM = 15, 5
"""The percentages of the teacher's moves that are drawn in proportion to tries, and at random."""
_OTHERS = 40
"""The number of random moves added to the tried ones if a position has too many moves to list."""


class Lesson(NamedTuple):
    """A decision of the search from which the network learns: the position, and the tries of each move."""

    game: int
    known: array[float]
    """The network's inputs for the position as the seat knows it."""
    world: array[float]
    """The network's inputs for the position as if the seat saw all hands."""
    moves: list[Move]
    tries: list[float]
    """The share of the teacher's playouts that each move got."""
    margin: float
    """The lead over the best other seat that the teacher expects, in points."""


def packed(lessons: Sequence[Lesson]) -> bytes:
    """Return the lessons of a game in a short form, to be kept."""
    plain = [(lesson.game, bytes(lesson.known), bytes(lesson.world), lesson[3:]) for lesson in lessons]
    return zlib.compress(msgspec.msgpack.encode(plain), 1)


def unpacked(content: bytes) -> list[Lesson]:
    """Return the lessons that `packed` made short."""
    form = list[tuple[int, bytes, bytes, tuple[list[tuple[int, ...]], list[float], float]]]
    plain = msgspec.msgpack.decode(zlib.decompress(content), type=form)
    return [Lesson(game, array("f", known), array("f", world), *learnt) for game, known, world, learnt in plain]


class Teacher:
    """The search that teaches a game, and the policies of seats that do not follow the search."""

    def __init__(self, program: Program, iterations: int, seed: int | str = "lessons") -> None:
        """Make a teacher that decides after this number of playouts."""
        self.program = program
        self.inputs = Inputs(program)
        self._root = root_of(seed)
        self._search = SearchBot(prior="table")
        self._table = TableBot()
        self._budget = Budget(iterations)
        self._search.prepare(program, lambda *_: None)

    def lessons(self, game: int) -> list[Lesson]:
        """Play a game and return its lessons."""
        taught: list[Lesson] = []
        policies = [self._policy(game, seat, taught) for seat in range(self.program.players)]
        play_by(initial_state(self.program, self._root, game, memory=True), policies, Stream(0))
        return taught

    def _policy(self, game: int, seat: int, taught: list[Lesson]) -> Policy:
        stream = Stream(key_of(self._root, game, "bot", seat))
        weak = stream.below(100) < _WEAK

        def choose(state: GameState, _choice: Choice, seat: int, _stream: Stream) -> Move:
            seen = observe(state, seat)
            if seen.moves.total == 1:
                return seen.moves[0]
            if weak and stream.below(100) < _BY_TABLE:
                return self._table.decide(seen, stream, self._budget).move
            decision = self._search.decide(seen, stream, self._budget)
            if decision.considered:
                tries = {each.move: each.weight for each in decision.considered}
                if seen.moves.few:
                    moves = list(seen.moves)
                else:
                    drawn = {seen.moves[stream.below(seen.moves.total)] for _ in range(_OTHERS)}
                    moves = [*tries, *sorted(drawn - tries.keys())]
                margin = sum(each.value * each.weight for each in decision.considered) / sum(tries.values())
                known, world = (
                    array("f", values) for values in (self.inputs.known(seen), self.inputs.world(seen, state))
                )
                taught.append(Lesson(game, known, world, moves, [tries.get(move, 0.0) for move in moves], margin))
            draw = stream.below(100)
            if draw < _RANDOM:
                return seen.moves[stream.below(seen.moves.total)]
            if draw < _RANDOM + _BY_TRIES:
                left = stream.below(1 << 32) / (1 << 32)
                for each in decision.considered:
                    left -= each.weight
                    if left <= 0:
                        return each.move
            return decision.move

        return choose


HIDDEN = (64, 64)
"""The sizes of the hidden layers."""
EPOCHS = 16
_BATCH = 256
_RATE, _WARM_UP = 2e-3, 100
_DECAY = 3e-3
_MARGIN = 0.5
"""The weight of the margin in the loss. The weight of the moves is 1."""
_FAR = 6.0
"""The limit to which scaled inputs are clipped during training."""
_HELD_OUT = 12
"""One game in this many is not used for training, but for measuring."""
_SEED = 46


class Lessons(NamedTuple):
    """Lessons as arrays, in which the moves of all positions follow one another."""

    inputs: Floats
    margins: Floats
    columns: Whole
    """For each move, the outputs whose sum is its value. The index after the last output means none."""
    tries: Floats
    """The share of each move in the playouts of its position."""
    starts: Whole
    """For each position, the index of its first move; after the last, the number of all moves."""
    held_out: NDArray[np.bool_]

    def some(self, positions: Whole) -> Lessons:
        """Return the lessons at the given positions, in this order."""
        counts = self.starts[positions + 1] - self.starts[positions]
        starts = np.concatenate(([0], np.cumsum(counts)))
        moves = np.arange(starts[-1]) + np.repeat(self.starts[positions] - starts[:-1], counts)
        return Lessons(
            self.inputs[positions],
            self.margins[positions],
            self.columns[moves],
            self.tries[moves],
            starts,
            self.held_out[positions],
        )

    @property
    def rows(self) -> Whole:
        """For each move, the index of the position to which it belongs."""
        return np.repeat(np.arange(len(self.margins)), np.diff(self.starts))


def joined(taught: Sequence[tuple[Inputs, Sequence[Lesson]]]) -> tuple[Lessons, list[str], list[str]]:
    """Return the lessons for several numbers of seats, and the names of all inputs and outputs.

    Every position occurs twice: once as its seat knows it, and once as if the seat saw all hands.
    """
    names = list(dict.fromkeys(chain.from_iterable(inputs.names for inputs, _ in taught)))
    outputs = list(dict.fromkeys(chain.from_iterable(inputs.outputs for inputs, _ in taught)))
    place, column = {name: at for at, name in enumerate(names)}, {name: at for at, name in enumerate(outputs)}
    total = 2 * sum(len(lessons) for _, lessons in taught)
    rows = np.zeros((total, len(names)), np.float32)
    moves: list[list[int]] = []
    tries: list[float] = []
    counts: list[int] = []
    margins: list[float] = []
    games: list[int] = []
    for inputs, lessons in taught:
        places, columns = [place[name] for name in inputs.names], [column[name] for name in inputs.outputs]
        for sight in ("known", "world"):
            at = len(counts)
            rows[at : at + len(lessons), places] = [getattr(lesson, sight) for lesson in lessons]
            for lesson in lessons:
                moves += [[columns[output] for output in inputs.columns(move)] for move in lesson.moves]
                tries += lesson.tries
                counts.append(len(lesson.moves))
                margins.append(lesson.margin)
                games.append(lesson.game)
    width = max(map(len, moves))
    padded = np.array([move + [len(outputs)] * (width - len(move)) for move in moves])
    starts = np.array([0, *accumulate(counts)])
    shares = np.array(tries, np.float32)
    shares /= np.repeat(np.add.reduceat(shares, starts[:-1]), counts)
    held_out = np.array(games) % _HELD_OUT == 0
    return Lessons(rows, np.array(margins, np.float32), padded, shares, starts, held_out), names, outputs


class Trainer:
    """Weights in training: three layers, the last with an output for each code and one for the margin."""

    def __init__(self, lessons: Lessons, outputs: int, hidden: Sequence[int] = HIDDEN) -> None:
        self.outputs = outputs
        self.mean = lessons.inputs.mean(0)
        self.deviation = lessons.inputs.std(0)
        self._used = self.deviation > 0
        self._scale = 1 / (self.deviation + 1e-2)
        self._margin = float(lessons.margins.std()) + 1e-6
        chance = np.random.default_rng(_SEED)
        sizes = (lessons.inputs.shape[1], *hidden, outputs + 1)
        self.weights = [
            (chance.standard_normal((before, after)) * np.sqrt(2 / before)).astype(np.float32)
            for before, after in pairwise(sizes)
        ]
        self.weights[-1] *= np.float32(0.3)
        self.biases = [np.zeros(size, np.float32) for size in sizes[1:]]
        self._moments = [(np.zeros_like(values), np.zeros_like(values)) for values in self._parameters]
        self._steps = 0
        self._chance = chance

    @property
    def _parameters(self) -> list[Floats]:
        return [*self.weights, *self.biases]

    def scaled(self, inputs: Floats) -> Floats:
        """Return inputs in the form that the first layer takes during training: scaled and clipped."""
        scaled: Floats = np.clip((inputs - self.mean) * self._scale, -_FAR, _FAR).astype(np.float32)
        scaled[:, ~self._used] = 0
        return scaled

    def layers(self, inputs: Floats) -> list[Floats]:
        """Return the inputs, followed by the values of each layer."""
        values = [inputs]
        for number, (weights, biases) in enumerate(zip(self.weights, self.biases, strict=True)):
            after = values[-1] @ weights + biases
            values.append(np.maximum(after, 0) if number < len(self.weights) - 1 else after)
        return values

    def learn(self, lessons: Lessons, epochs: int = EPOCHS) -> None:
        """Train with all lessons except the ones that are kept for measuring."""
        inputs, order = self.scaled(lessons.inputs), np.flatnonzero(~lessons.held_out)
        lessons = lessons._replace(inputs=inputs, margins=lessons.margins / np.float32(self._margin))
        steps = epochs * max(1, len(order) // _BATCH)
        warm_up = min(_WARM_UP, 1 + steps // 10)
        for _ in range(epochs):
            self._chance.shuffle(order)
            for first in range(0, max(1, len(order) - _BATCH + 1), _BATCH):
                batch = lessons.some(order[first : first + _BATCH])
                rate = _RATE * 0.5 * (1 + np.cos(np.pi * self._steps / steps)) * min(1.0, (self._steps + 1) / warm_up)
                self._steps += 1
                fading, second = 1 - 0.9**self._steps, 1 - 0.999**self._steps
                for values, slope, (mean, square) in zip(
                    self._parameters, self._gradients(batch), self._moments, strict=True
                ):
                    np.add(mean, 0.1 * (slope - mean), out=mean)
                    np.add(square, 0.001 * (slope * slope - square), out=square)
                    change = mean / fading / (np.sqrt(square / second) + 1e-8)
                    decay = _DECAY * values if values.ndim > 1 else 0
                    np.subtract(values, np.float32(rate) * (change + decay), out=values)

    def _gradients(self, batch: Lessons) -> list[Floats]:
        """Return the gradients of the loss by all weights and biases."""
        values, size = self.layers(batch.inputs), len(batch.margins)
        rows, chances = batch.rows, chances_of(values[-1][:, : self.outputs], batch)
        wrong = (chances - batch.tries) / size
        places = rows[:, None] * (self.outputs + 1) + batch.columns
        repeated = np.repeat(wrong, batch.columns.shape[1])
        gradient = np.bincount(places.ravel(), repeated, size * (self.outputs + 1)).reshape(size, -1)
        # The column after the last output is for padding. It is where the margin is.
        gradient[:, self.outputs] = 2 * _MARGIN * (values[-1][:, self.outputs] - batch.margins) / size
        back = gradient.astype(np.float32)
        by_weights: list[Floats] = []
        by_biases: list[Floats] = []
        for number in reversed(range(len(self.weights))):
            by_weights.insert(0, values[number].T @ back)
            by_biases.insert(0, back.sum(0))
            if number:
                back = (back @ self.weights[number].T) * (values[number] > 0)
        return [*by_weights, *by_biases]

    def network(self, names: Sequence[str], outputs: Sequence[str]) -> Network:
        """Return the trained network with weights of eight bits. It takes unscaled inputs."""
        scale = self._scale * self._used
        first = self.biases[0] - (self.mean * scale) @ self.weights[0]
        last, bias = self.weights[-1].copy(), self.biases[-1].copy()
        last[:, -1] *= self._margin
        bias[-1] *= self._margin
        weights = [*self.weights[:-1], last]
        layers = [
            Scaled.of(values.tolist(), shift.tolist(), scale.tolist() if number == 0 else ())
            for number, (values, shift) in enumerate(zip(weights, (first, *self.biases[1:-1], bias), strict=True))
        ]
        return Network(tuple(names), tuple(outputs), tuple(layers))


def chances_of(values: Floats, lessons: Lessons) -> Floats:
    """Return the chance of each move: the softmax of the sums of its outputs, over its position."""
    padded = np.concatenate([values, np.zeros((len(values), 1), values.dtype)], 1)
    sums = padded[lessons.rows[:, None], lessons.columns].sum(1)
    first, counts = lessons.starts[:-1], np.diff(lessons.starts)
    power: Floats = np.exp(sums - np.repeat(np.maximum.reduceat(sums, first), counts))
    power /= np.repeat(np.add.reduceat(power, first), counts)
    return power
