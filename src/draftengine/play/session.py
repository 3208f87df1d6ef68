"""A game with people and bots in its seats: who has to choose, what was chosen, and what happened since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from draftengine.bots.seats import IN_PLAY, Decider
from draftengine.engine.game import commit, record, start, waiting, withdraw
from draftengine.engine.observe import observe

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.engine.events import Event
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program
    from draftengine.engine.state import State

HUMAN = "human"
"""What the seat of a person is called among the names of bots."""


class Session(Struct):
    """A game in progress. `seats` says who sits where: ``human`` or the name of a bot."""

    program: Program
    seats: tuple[str, ...]
    seed: int | str
    state: State
    log: list[tuple[int, Move]] = field(default_factory=list)
    """Every commitment that counts, in order: with the seed they are the whole game."""
    story: list[Event] = field(default_factory=list)
    """Everything that happened."""
    told: int = 0
    """How much of it was taken as news."""
    names: tuple[str, ...] = ()
    """What people are called, in the order of their seats; whoever has no name here is called as usual."""

    @classmethod
    def begin(cls, program: Program, seats: Sequence[str], seed: int | str, names: Sequence[str] = ()) -> Session:
        """A new game, up to its first decision. Raises `draftengine.bots.BotError`."""
        for seat, name in enumerate(seats):
            if name != HUMAN:
                Decider.at(name, seed, seat)
        turned = start(program, seed)
        return cls(program, tuple(seats), seed, turned.state, story=list(turned.events), names=tuple(names))

    @classmethod
    def replay(
        cls,
        program: Program,
        seats: Sequence[str],
        seed: int | str,
        log: Iterable[tuple[int, Move]],
        names: Sequence[str] = (),
    ) -> Session:
        """The game that a seed and a log of commitments lead to.

        Raises `draftengine.engine.moves.IllegalMoveError` at a commitment that the rules refuse.
        """
        session = cls.begin(program, seats, seed, names)
        for seat, move in log:
            session.commit(seat, move)
        session.take_news()
        return session

    @property
    def humans(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, name in enumerate(self.seats) if name == HUMAN)

    @property
    def over(self) -> bool:
        return self.state.over

    def record(self) -> dict[str, Any]:
        """The final record as plain data, with who sat where."""
        data = record(self.state, self.seed, [[seat, *move] for seat, move in self.log])
        data["seats"] = list(self.seats)
        if self.names:
            called = dict(zip(self.humans, self.names, strict=False))
            data["names"] = [called.get(seat) for seat in range(len(self.seats))]
        return data

    def let_bots_choose(self) -> None:
        """Every bot that has to choose does, again and again until a person has to or the game is over."""
        while not self.over and not self._bots_wait_for_people():
            pass

    def _bots_wait_for_people(self) -> bool:
        bots = [seat for seat in waiting(self.state) if self.seats[seat] != HUMAN]
        for seat in bots:
            decider = Decider.at(self.seats[seat], self.seed, seat, usual=IN_PLAY)
            self.commit(seat, decider.decide(observe(self.state, seat)).move)
        return any(self.seats[seat] == HUMAN for seat in waiting(self.state))

    def to_choose(self) -> tuple[int, ...]:
        """The people who still have to choose."""
        return tuple(seat for seat in waiting(self.state) if self.seats[seat] == HUMAN)

    def seen_by(self, seat: int) -> Observation:
        """What a seat (-1: a spectator) may know now."""
        return observe(self.state, seat)

    def commit(self, seat: int, move: Move) -> None:
        """A seat commits to a move. Raises `draftengine.engine.moves.IllegalMoveError`."""
        turned = commit(self.state, seat, move)
        self.state = turned.state
        self.log.append((seat, move))
        self.story += turned.events

    def take_back(self) -> int | None:
        """Undo the last commitment of a person that nobody has seen yet; its seat, or ``None`` if there is none."""
        chosen = [seat for seat, _ in self.log[-len(self.state.chosen) :] if self.seats[seat] == HUMAN]
        if not self.state.chosen or not chosen:
            return None
        seat = chosen[-1]
        self.state = withdraw(self.state, seat)
        del self.log[max(index for index, (other, _) in enumerate(self.log) if other == seat)]
        return seat

    def take_news(self) -> list[Event]:
        """What happened since the last call."""
        news, self.told = self.story[self.told :], len(self.story)
        return news
