"""Instructions that move cards without anybody choosing; what they do stands in `draftengine.engine.text.moving`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.text import moving
from draftengine.engine.text.plain import record_of

if TYPE_CHECKING:
    from draftengine.engine.program import Value
    from draftengine.engine.state import State


class Shuffle(Struct, frozen=True):
    zone: int
    following: int

    def run(self, state: State) -> int:
        moving.shuffle_zone(record_of(state), state.program.plain, self)
        return self.following


class Deal(Struct, frozen=True):
    """Cards from the top of a zone to each owner of another: from a shared zone, or from the owner's own.

    `exact` deals never run short (checked at load).
    """

    source: int
    target: int
    cards: Value
    marker: int
    """Only to the holder of this marker; -1 = to everyone."""
    exact: bool
    following: int
    who: Value | None = None
    """Only to players for which this holds; ``None`` = to everyone, or the holder."""

    def run(self, state: State) -> int:
        moving.deal(record_of(state), state.program.plain, self)
        return self.following


class Pass(Struct, frozen=True):
    """Every player gives a zone to a neighbour at once; the direction goes by round."""

    zone: int
    steps: tuple[int, ...]
    """1 = to the left, -1 = to the right, by round, repeated."""
    following: int

    def direction(self, number: int) -> int:
        """Where cards go in a round: 1 = to the left, -1 = to the right."""
        return self.steps[(number - 1) % len(self.steps)]

    def run(self, state: State) -> int:
        moving.pass_on(record_of(state), state.program.plain, self)
        return self.following


class MoveAll(Struct, frozen=True):
    """All cards of a zone go to another zone of the same owner, or to a shared one."""

    source: int
    target: int
    following: int
    who: Value | None = None
    """Only cards of players for which this holds; ``None`` = of every owner."""

    def run(self, state: State) -> int:
        moving.move_all(record_of(state), state.program.plain, self)
        return self.following


class Clear(Struct, frozen=True):
    """Discard what lies in a zone that counts, except cards that are kept; their counters go with them."""

    zone: int
    discard: int
    following: int

    def run(self, state: State) -> int:
        moving.clear(record_of(state), state.program.plain, self)
        return self.following


class Gather(Struct, frozen=True):
    """Bring every card of the box back into one zone; tableaus and their counters are emptied but for what is kept."""

    target: int
    counting: tuple[int, ...]
    """The zones whose cards count."""
    following: int

    def run(self, state: State) -> int:
        moving.gather(record_of(state), state.program.plain, self)
        return self.following
