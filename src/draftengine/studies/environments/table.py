"""Games in arrays, played action by action. The environments of all libraries use them."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import numpy as np

from draftengine.api.ruleset import load
from draftengine.engine.encoding import Encoding, Part
from draftengine.engine.game import settle_if_complete, start, total
from draftengine.engine.observe import observe

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from numpy.typing import NDArray

    from draftengine.engine.events import EventSink
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState


class Encoder(Encoding):
    """Encoder of the actions and observations of one game."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        bounds = np.array(self.bounds, dtype=np.float32)
        self.low, self.high = bounds[:, 0].copy(), bounds[:, 1].copy()
        """Lowest (`low`) and highest value of every entry."""

    def vector(self, seen: Observation, taken: Move = ()) -> NDArray[np.float32]:
        """Return an observation as a vector. `taken` has the codes that the player has already chosen."""
        return np.array(self.values(seen, taken), dtype=np.float32)

    def named(self, action: int) -> str:
        """Return an action with its name, if it has one: ``3 (soup)``."""
        return f"{action} ({self.names[action]})" if 0 <= action < len(self.names) else f"{action}"

    def mask(self, legal: Iterable[int]) -> NDArray[np.int8]:
        """Return a vector with 1 for every legal action and 0 for all others."""
        mask = np.zeros(self.done + 1, dtype=np.int8)
        mask[list(legal)] = 1
        return mask


def describe(program: Program) -> list[Part]:
    """Return the parts of a game's observation vector with their descriptions."""
    return Encoder(program).parts()


def markdown(program: Program) -> str:
    """Return Markdown tables of a game's observation vector and actions."""
    encoder = Encoder(program)
    rows = ["| entries | name | meaning |", "|---|---|---|"]
    for name, first, length, meaning in encoder.parts():
        span = f"{first}" if length == 1 else f"{first}–{first + length - 1}"
        rows.append(f"| {span} | `{name}` | {meaning} |")
    rows += ["", "| action | meaning |", "|---|---|"]
    rows += [f"| {action} | {name} |" for action, name in enumerate(encoder.names)]
    return "\n".join(rows) + "\n"


REWARDS = ("win", "margin", "points")
"""Names of the ways to value a finished game (see `Table.returns`)."""


def program_named(cardset: str, players: int, variants: Iterable[str] = ()) -> Program:
    """Return the program of a card set, named by path or id; variants are written as after ``--variant``.

    Raises `NoSuchCardSetError`, `CardSetError` and `SelectionError`.
    """
    return load(cardset, players, variants).program


class NothingToChooseError(ValueError):
    """A game ended before any seat had to choose."""


class GameSequence:
    """A sequence of games under a seed, from game 0 on. Without a seed, a random seed is used."""

    def __init__(self, seed: int | None) -> None:
        self.seed = secrets.randbits(64) if seed is None else seed
        self.game = -1

    def next(self, seed: int | None) -> tuple[int, int]:
        """Return seed and number of the next game. A new seed starts again at game 0."""
        if seed is not None:
            self.seed, self.game = seed, -1
        self.game += 1
        return self.seed, self.game


class Table:
    """A game in progress, in which the seats build their moves action by action."""

    def __init__(self, encoder: Encoder, state: GameState) -> None:
        """Use `state`, which must have no commitments. It is changed in place."""
        self.encoder = encoder
        self.state = state
        self.taken: dict[int, Move] = {}
        """Codes that each seat has chosen for its move, also after the move is complete."""
        self._seen: dict[int, Observation] = {}
        self._legal: dict[int, list[int]] = {}

    @classmethod
    def dealt(cls, encoder: Encoder, seed: int, game: int) -> Table:
        """Deal game number `game` of a seed to a new table."""
        return cls(encoder, start(encoder.program, seed, game=game).state)

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        """Return an independent copy that continues in the same way. Immutable parts are shared."""
        twin = Table(self.encoder, self.state.clone())
        twin.taken, twin._seen, twin._legal = self.taken.copy(), self._seen.copy(), self._legal.copy()
        return twin

    @property
    def over(self) -> bool:
        return bool(self.state.over)

    def waiting(self) -> tuple[int, ...]:
        """Return the seats whose moves are not complete."""
        chosen = self.state.chosen
        return tuple(seat for seat in self.state.pending if seat not in chosen)

    def legal(self, seat: int) -> list[int]:
        """Return the legal actions of a player in ascending order.

        *Done* is the only action if the player has nothing to choose or has already chosen.
        """
        actions = self._legal.get(seat)
        if actions is None:
            if seat in self.state.pending and seat not in self.state.chosen:
                actions = self.encoder.legal(self.seen(seat).moves, self.taken.get(seat, ()))
            else:
                actions = [self.encoder.done]
            self._legal[seat] = actions
        return actions

    def check(self, seat: int, action: int) -> None:
        """Raise `ValueError`, which names the action, if a player cannot take it now."""
        if action not in self.legal(seat):
            raise ValueError(f"action {self.encoder.named(action)} of seat {seat} is not legal now")

    def act(self, seat: int, action: int, tell: EventSink = None) -> None:
        """Take a legal action of a waiting seat.

        When all moves are complete, they are carried out and play goes on. `tell` receives the events. For an illegal
        action, raises `ValueError` and changes nothing.
        """
        self.check(seat, action)
        taken, done = self.taken.get(seat, ()), self.encoder.done
        if action != done:
            taken = (*taken, self.encoder.codes[action])
            self.taken[seat] = taken
        del self._legal[seat]
        if action == done or self.encoder.legal(self.seen(seat).moves, taken) == [done]:
            self.commit(seat, taken, tell)

    def commit(self, seat: int, move: Move, tell: EventSink = None) -> None:
        """Make the whole move of a waiting seat.

        When the moves of all seats are complete, they are carried out and play goes on.
        """
        self._legal.pop(seat, None)
        self.state.chosen[seat] = move
        settle_if_complete(self.state, tell)
        if not self.state.chosen:
            self.taken.clear()
            self._seen.clear()
            self._legal.clear()

    def seen(self, seat: int) -> Observation:
        """Return what a player may know. The result stays the same during the actions of one move."""
        if seat not in self._seen:
            self._seen[seat] = observe(self.state, seat)
        return self._seen[seat]

    def vector(self, seat: int) -> NDArray[np.float32]:
        """Return what a player may know, as a vector."""
        return self.encoder.vector(self.seen(seat), self.taken.get(seat, ()))

    def mask(self, seat: int) -> NDArray[np.int8]:
        return self.encoder.mask(self.legal(seat))

    def returns(self, reward: str) -> list[float]:
        """Return the value of the finished game for each player.

        ``win``: winners share 1, and each of n players loses 1/n. ``points``: the player's points. ``margin``: the
        player's points minus the mean of the other players' points. If the fewest points win, points are negated.
        """
        program, players = self.state.program, self.state.program.players
        if reward == "win":
            winners = [seat for seat in self.state.winners if seat < players]
            if not winners:
                return [0.0] * players
            return [(seat in winners) / len(winners) - 1 / players for seat in range(players)]
        points = [float(program.direction * total(self.state, seat)) for seat in range(players)]
        if reward == "points":
            return points
        everything = sum(points)
        return [score - (everything - score) / max(players - 1, 1) for score in points]
