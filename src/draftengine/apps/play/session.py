"""Games of people and bots: the seats that have to choose, their moves, and new events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from draftengine.api.phrasing.events import is_reason
from draftengine.bots.catalogue import IN_PLAY, SeatedBot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from draftengine.api.game import Game
    from draftengine.api.moves import Move, Written
    from draftengine.api.records import Event
    from draftengine.api.state import State
    from draftengine.api.view import View

HUMAN = "human"
"""The name of a person among the names of bots in `Session.seats`."""


class Session(Struct):
    """A game in progress. `seats` has ``human`` or the name of a bot for each seat."""

    game: Game
    seats: tuple[str, ...]
    seed: int | str
    state: State
    names: tuple[str, ...] = ()
    """The names of people in the order of their seats. People without a name get a default."""
    story: list[Event] = field(default_factory=list)
    """All events so far."""
    told: int = 0
    """The number of events that `take_news` has returned so far."""
    scored: State | None = None
    """The state just before rules last scored; ``None`` before the first time."""
    prepare: Callable[[], object] | None = None
    """A function that prepares the bots, called before they first choose. It can take seconds."""

    @classmethod
    def begin(cls, game: Game, seats: Sequence[str], seed: int | str, names: Sequence[str] = ()) -> Session:
        """Start a new game, up to its first decision. Raises `draftengine.bots.BotError`."""
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
        """Return the game after `moves`, made by (seat, move) pairs. Raises `draftengine.IllegalMove`."""
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
        """Every commitment that was not taken back, in order. With the seed, they determine the game."""
        return self.state.moves

    def record(self) -> dict[str, Any]:
        """Return the result and moves of the game as JSON data, with the players by seat."""
        data = {**self.state.record(), "seats": list(self.seats)}
        if self.names:
            called = dict(zip(self.humans, self.names, strict=False))
            data["names"] = [called.get(seat) for seat in range(len(self.seats))]
        return data

    def let_bots_choose(self) -> None:
        """Let bots choose until a person has to choose or the game is over."""
        for _ in self.bots_choosing():
            pass

    def bots_choosing(self) -> Iterator[int]:
        """Let bots choose one by one, yielding the seat of each. The caller may stop at any point."""
        self.get_ready()
        while not self.over:
            for seat in [candidate for candidate in self.state.waiting if self.seats[candidate] != HUMAN]:
                decider = SeatedBot.at(self.seats[seat], self.seed, seat, usual=IN_PLAY)
                view = self.view(seat)
                self.commit(seat, view.name(decider.decide(view.seen).move))
                yield seat
            if self.to_choose():
                return

    def get_ready(self) -> None:
        """Prepare the bots, unless that is already done."""
        prepare, self.prepare = self.prepare, None
        if prepare is not None:
            prepare()

    def to_choose(self) -> tuple[int, ...]:
        """Return the seats of people who still have to choose."""
        return tuple(seat for seat in self.state.waiting if self.seats[seat] == HUMAN)

    def view(self, seat: int) -> View:
        """Return what a seat (-1: a spectator) may know now."""
        return self.state.view(seat)

    def commit(self, seat: int, move: Written) -> None:
        """Commit a seat to a move. Raises `draftengine.IllegalMove`."""
        before, self.state = self.state, self.state.commit(seat, move)
        self.story += self.state.events
        if any(map(is_reason, self.state.events)):
            self.scored = before.before_scoring(seat, move)

    def take_back(self) -> int | None:
        """Withdraw the last commitment of a person before its reveal. Return its seat, or ``None``."""
        chosen = [seat for seat in self.state.committed if self.seats[seat] == HUMAN]
        if not chosen:
            return None
        self.state = self.state.withdraw(chosen[-1])
        return chosen[-1]

    def again(self, seed: int | str) -> Session:
        """Return a new game with the same people and bots, in the same seats."""
        return Session.begin(self.game, self.seats, seed, self.names)

    def take_news(self) -> list[Event]:
        """Return the events since the last call."""
        news, self.told = self.story[self.told :], len(self.story)
        return news
