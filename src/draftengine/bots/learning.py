"""Learning what cards are worth, in self-play.

Games are played by the table as it is, with some exploring moves. For every card that a seat takes, what the seat has
gained at the end of the round beyond what it had just after taking it is the worth of the card in that place of the
table. A few times over, because the games that are played get better. The batch kernel plays the same games, if it is
there, to the same table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec import Struct

from draftengine.engine.chance import Stream, key_of
from draftengine.engine.flow.control import total
from draftengine.engine.moves import choice_of
from draftengine.engine.preview import Glance, standing, words_after
from draftengine.engine.prospect import advance_in_round, pending_points
from draftengine.engine.state import fresh
from draftengine.engine.worth import EXPLORE, LEVELS, SCALE, TURNS, Worth, by_table, direction, no_worth, shown_play
from draftengine.kernel import is_installed

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.flow.control import EndRound
    from draftengine.engine.moves import Move
    from draftengine.engine.program import Program
    from draftengine.engine.state import State

ROUNDS, GAMES = 4, 1500
"""So often the table is learnt anew, from so many games."""
_KEY = 0x6C6561726E
_TRUST = 24
"""An entry that was met so often is half its own mean, half that of its play and turn."""
_STRETCH = 50

Sums = tuple[list[int], list[int], int]
"""By entry of a table: what was gained in all, in parts of a point, and how often; and by how many points the best were
ahead of the second."""


class Learned(Struct, frozen=True):
    """What self-play found out."""

    worth: Worth
    lead: float
    """By how many points the best seat is ahead of the second, on average."""


def learn(program: Program, told: Callable[[float], None] = lambda _: None) -> Learned:
    """The worth of every card, after self-play; `told` is told how much of it is done (0 to 1)."""
    worth, lead = no_worth(program), 0
    for number in range(ROUNDS):
        gained, met, lead = [0] * len(worth.values), [0] * len(worth.values), 0
        for first in range(number * GAMES, (number + 1) * GAMES, _STRETCH):
            found = _played(program, worth, first, first + _STRETCH)
            gained = [one + two for one, two in zip(gained, found[0], strict=True)]
            met = [one + two for one, two in zip(met, found[1], strict=True)]
            lead += found[2]
            told((first + _STRETCH) / (ROUNDS * GAMES))
        worth = Worth(program, worth.counters, _table(worth, gained, met))
    return Learned(worth, lead / GAMES)


def _played(program: Program, worth: Worth, first: int, last: int) -> Sums:
    if is_installed():
        from draftengine.kernel import searcher  # noqa: PLC0415 (imports Numba)
        from draftengine.kernel.formulas import UnsupportedError  # noqa: PLC0415 (the same)

        try:
            return searcher.learn(program, worth, _KEY, first, last)
        except UnsupportedError:
            pass
    return by_reference(program, worth, first, last)


def by_reference(program: Program, worth: Worth, first: int, last: int) -> Sums:
    """The games `first` to `last - 1` with the reference engine."""
    gained, met, lead = [0] * len(worth.values), [0] * len(worth.values), 0
    for number in range(first, last):
        game = _Game(program, worth, number)
        for place, more in game.play():
            gained[place] += more
            met[place] += 1
        lead += _lead(game.state)
    return gained, met, lead


def _lead(state: State) -> int:
    """How far the best player is ahead of the next."""
    totals = sorted(direction(state.program) * total(state, seat) for seat in range(state.program.players))
    return totals[-1] - totals[-2] if len(totals) > 1 else 0


class _Game:
    """A game in which every choice is written down."""

    def __init__(self, program: Program, worth: Worth, game: int) -> None:
        self.worth = worth
        self.state = fresh(program, _KEY, game, memory=False)
        self.stream = Stream(key_of(_KEY, game, "bot"))
        self.policy = by_table(worth, explore=EXPLORE)
        self.open: list[tuple[int, int, int]] = []
        """Choices of this round: seat, place in the table, and what the seat would have had then."""
        self.closed: list[tuple[int, int]] = []

    def play(self) -> list[tuple[int, int]]:
        """The places of all choices in the table, with what was gained after them."""
        state = self.state
        if advance_in_round(state):
            self._close()
        while state.pending:
            choice, chosen = choice_of(state), {}
            for seat in state.pending:
                chosen[seat] = self.policy(state, choice, seat, self.stream)
                self._note(choice, seat, chosen[seat])
            state.chosen = chosen
            state.pc = choice.settle(state, None)
            while advance_in_round(state):
                self._close()
                if state.over:
                    break
                state.pc = _begin_next(state)
        return self.closed

    def _note(self, choice: Choice, seat: int, move: Move) -> None:
        state = self.state
        width = state.program.width
        items = [code % width for code in move if code // width < choice.first_other]
        glance = Glance.of_state(state)
        play = shown_play(glance, choice, items[0]) if items else -1
        if play < 0:
            return
        place = self.worth.place(play, state.words[seat], state.turn, aside=choice.target != choice.tableau)
        points = standing(glance.with_words(words_after(glance, choice, seat, move)), seat)
        self.open.append((seat, place, SCALE * (total(state, seat) + points)))

    def _close(self) -> None:
        state = self.state
        sign, pending = direction(state.program), [0] * state.program.seats
        if not state.over:
            pending = pending_points(state)
        for seat, place, before in self.open:
            self.closed.append((place, sign * (SCALE * (total(state, seat) + pending[seat]) - before)))
        self.open = []


def _begin_next(state: State) -> int:
    """The instruction after the end of a round that is not the last."""
    step = cast("EndRound", state.program.code[state.pc])
    return step.again


def _table(worth: Worth, gained: list[int], met: list[int]) -> tuple[int, ...]:
    """Mean gains, less what everything that is taken in the same turn gains: a table compares cards of one turn."""
    rows = len(worth.values) // (LEVELS * TURNS)
    turns = [_mean(gained, met, range(turn, len(gained), TURNS)) for turn in range(TURNS)]
    values = []
    for row in range(rows):
        first = row * LEVELS * TURNS
        for at in range(first, first + LEVELS * TURNS):
            turn = (at - first) % TURNS
            usual = _mean(gained, met, range(first + turn, first + LEVELS * TURNS, TURNS), turns[turn])
            values.append((gained[at] + _TRUST * usual) // (met[at] + _TRUST) - turns[turn])
    return tuple(values)


def _mean(gained: list[int], met: list[int], places: range, usual: int = 0) -> int:
    """The mean of some entries; few times met, it is nearer to what is usual."""
    count = sum(met[at] for at in places)
    return (sum(gained[at] for at in places) + _TRUST * usual) // (count + _TRUST)
