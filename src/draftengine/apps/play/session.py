"""A game with people and bots in its seats: who has to choose, what was chosen, and what happened since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from draftengine.api.phrasing.events import is_reason
from draftengine.bots.seats import IN_PLAY, SeatedBot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.api.game import Game
    from draftengine.api.moves import Move, Written
    from draftengine.api.records import Event
    from draftengine.api.state import State
    from draftengine.api.view import View

HUMAN = "human"
"""What the seat of a person is called among the names of bots."""


class Session(Struct):
    """A game in progress. `seats` says who sits where: ``human`` or the name of a bot."""

    game: Game
    seats: tuple[str, ...]
    seed: int | str
    state: State
    names: tuple[str, ...] = ()
    """What people are called, in the order of their seats; whoever has no name here is called as usual."""
    story: list[Event] = field(default_factory=list)
    """Everything that happened."""
    told: int = 0
    """How much of it was taken as news."""
    scored: State | None = None
    """The cards as they lay when rules were last scored."""

    @classmethod
    def begin(cls, game: Game, seats: Sequence[str], seed: int | str, names: Sequence[str] = ()) -> Session:
        """A new game, up to its first decision. Raises `draftengine.bots.BotError`."""
        for seat, name in enumerate(seats):
            if name != HUMAN:
                SeatedBot.at(name, seed, seat)
        state = game.start(seed)
        return cls(game, tuple(seats), seed, state, tuple(names), list(state.events))

    @classmethod
    def replay(
        cls,
        game: Game,
        seats: Sequence[str],
        seed: int | str,
        moves: Iterable[tuple[int, Written]],
        names: Sequence[str] = (),
    ) -> Session:
        """The game that a seed and moves lead to. Raises `draftengine.IllegalMove` at one that the rules refuse."""
        session = cls.begin(game, seats, seed, names)
        for seat, move in moves:
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

    @property
    def moves(self) -> tuple[tuple[int, Move], ...]:
        """Every commitment that counts, in order: with the seed they are the whole game."""
        return self.state.moves

    def record(self) -> dict[str, Any]:
        """The final record as plain data, with who sat where."""
        data = {**self.state.record(), "seats": list(self.seats)}
        if self.names:
            called = dict(zip(self.humans, self.names, strict=False))
            data["names"] = [called.get(seat) for seat in range(len(self.seats))]
        return data

    def let_bots_choose(self) -> None:
        """Every bot that has to choose does, again and again until a person has to or the game is over."""
        for _ in self.bots_choosing():
            pass

    def bots_choosing(self) -> Iterator[int]:
        """Let bots choose one by one: the seat of each that has. Whoever stops in between loses nothing."""
        while not self.over:
            for seat in [candidate for candidate in self.state.waiting if self.seats[candidate] != HUMAN]:
                decider = SeatedBot.at(self.seats[seat], self.seed, seat, usual=IN_PLAY)
                view = self.view(seat)
                self.commit(seat, view.name(decider.decide(view.seen).move))
                yield seat
            if self.to_choose():
                return

    def to_choose(self) -> tuple[int, ...]:
        """The people who still have to choose."""
        return tuple(seat for seat in self.state.waiting if self.seats[seat] == HUMAN)

    def view(self, seat: int) -> View:
        """What a seat (-1: a spectator) may know now."""
        return self.state.view(seat)

    def commit(self, seat: int, move: Written) -> None:
        """A seat commits to a move. Raises `draftengine.IllegalMove`."""
        before, self.state = self.state, self.state.commit(seat, move)
        self.story += self.state.events
        if any(map(is_reason, self.state.events)):
            self.scored = before.before_scoring(seat, move)

    def take_back(self) -> int | None:
        """Undo the last commitment of a person that nobody has seen yet; its seat, or ``None`` if there is none."""
        chosen = [seat for seat in self.state.committed if self.seats[seat] == HUMAN]
        if not chosen:
            return None
        self.state = self.state.withdraw(chosen[-1])
        return chosen[-1]

    def take_news(self) -> list[Event]:
        """What happened since the last call."""
        news, self.told = self.story[self.told :], len(self.story)
        return news
