"""Learning what cards are worth, in self-play.

Games are played by the table as it is, with some exploring moves. For every card that a seat takes, what the seat has
gained at the end of the round beyond what it had just after taking it, less what the others have gained meanwhile, is
the worth of the card in that place of the table. Of a card that stays when tableaus are cleared it is what the seat has
gained at the end of the game, less what seats gain after the round that have taken something else.

A few times over, because the games that are played get better; but all games count, because the best answer to one way
of playing alone is no good way of playing (fictitious play: Brown 1951). For the same reason some seats play greedily:
who has only ever met its like has an answer to nobody else. Whoever plays the games, they lead to the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from msgspec import Struct

from draftengine.engine.chance import Stream, key_of
from draftengine.engine.flow.control import total
from draftengine.engine.flow.instruction import advance
from draftengine.engine.moves import choice_of, legal_moves
from draftengine.engine.playout import random_moves
from draftengine.engine.policies import greedy_move
from draftengine.engine.preview import Glance, outcome, standing
from draftengine.engine.prospect import advance_in_round, prospects
from draftengine.engine.state import fresh
from draftengine.engine.worth import (
    EXPLORE,
    LEVELS,
    ROUNDS_LEFT,
    SCALE,
    STRANGERS,
    TURNS,
    Worth,
    by_table,
    no_worth,
    shown_play,
)
from draftengine.identity import ById

if TYPE_CHECKING:
    from draftengine.compiled.player import Learner
    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.flow.control import EndRound
    from draftengine.engine.moves import Move
    from draftengine.engine.program import Play as Laid
    from draftengine.engine.program import Program
    from draftengine.engine.state import State

ROUNDS, GAMES = 12, 500
"""So often the table is made anew, after so many more games. More games hardly make it stronger."""
ROUNDS_MORE = 4
"""So often, if something is known before from a similar game."""
SLOWER = 25
"""So many times fewer games are played where moves are too many to look at each, because they take so much longer."""
STRETCH = 50
"""So many games are played in one go where they are not compiled."""
GRAIN = 64
"""Worths are multiples of so many parts of a point: what is finer is chance, and takes room where it is kept."""
_KEY = 0x6C6561726E
_TRUST = 24
"""An entry that was met so often is half its own mean, half that of its play and turn."""


class Sums(NamedTuple):
    """What some games say of a table, entry by entry."""

    in_round: list[int]
    """What was gained in all, in parts of a point, from the choice to the end of the round."""
    in_game: list[int]
    """What was gained in all, in parts of a point, from the choice to the end of the game."""
    met: list[int]
    """How often the entry was met."""
    lead: int
    """By how many points the best were ahead of the second, in all."""

    @classmethod
    def none(cls, size: int) -> Sums:
        return cls([0] * size, [0] * size, [0] * size, 0)

    def plus(self, more: Sums) -> Sums:
        """These sums and those of other games, added up."""
        lists = [[one + two for one, two in zip(*pair, strict=True)] for pair in zip(self[:3], more[:3], strict=True)]
        return Sums(lists[0], lists[1], lists[2], self.lead + more.lead)


Play = Callable[[Worth, range], Iterable[tuple[range, Sums]]]
"""Plays games by a table, stretch by stretch: which games, in their order, and their sums."""


class Learned(Struct, frozen=True):
    """What self-play found out."""

    worth: Worth
    lead: float
    """By how many points the best seat is ahead of the second, on average."""


def here(worth: Worth, games: range) -> Iterator[tuple[range, Sums]]:
    """Play in this process."""
    learner = learner_of(worth.program)
    for stretch in [games] if learner is not None and learner.compiled else stretches(games):
        yield stretch, sums_of(worth, stretch)


def sums_of(worth: Worth, games: range) -> Sums:
    """What games say of the table: played by the text, or with the reference engine where that cannot play."""
    learner = learner_of(worth.program)
    if learner is None:
        return by_reference(worth, games)
    return Sums(*learner.learn(worth, _KEY, games.start, games.stop))


def stretches(games: range) -> list[range]:
    """The games in stretches that take no long time each."""
    return [games[start : start + STRETCH] for start in range(0, len(games), STRETCH)]


def learn(
    program: Program,
    told: Callable[[float], None] = lambda _: None,
    play: Play = here,
    before: Worth | None = None,
) -> Learned:
    """The worth of every card, after self-play; `told` is told how much of it is done (0 to 1).

    With what is thought of the cards `before` it is sooner done: what is not met in the games stays as it was.
    """
    worth, rounds = before or no_worth(program), ROUNDS_MORE if before else ROUNDS
    sums = Sums.none(len(worth.values))
    number = GAMES if _is_quick(program) else GAMES // SLOWER
    for first in range(0, rounds * number, number):
        for games, found in play(worth, range(first, first + number)):
            sums = sums.plus(found)
            told(games.stop / (rounds * number))
        worth = Worth(program, worth.counters, _table(program, sums, before.values if before else ()))
    return Learned(worth, round(sums.lead / (rounds * number), 2))


def _is_quick(program: Program) -> bool:
    """Can each move of every choice be looked at, in a game at random."""
    state, stream = fresh(program, _KEY, 0, memory=False), Stream(_KEY)
    advance(state, None)
    while state.pending:
        if not all(legal_moves(state, seat).few for seat in state.pending):
            return False
        choice = choice_of(state)
        state.chosen = random_moves(state, choice, stream)
        state.pc = choice.settle(state, None)
        advance(state, None)
    return True


def learner_of(program: Program) -> Learner | None:
    """The game specialised to learn from, and compiled if it can be; ``None`` where the text cannot play it."""
    from draftengine.compiled.limits import can_compile  # noqa: PLC0415 (no bot needs it that has learnt)

    return _learner_of(ById(program), can_compile())


@lru_cache(2)
def _learner_of(key: ById[Program], compiled: bool) -> Learner | None:  # noqa: FBT001 (cached)
    from draftengine.compiled.limits import UnsupportedError  # noqa: PLC0415 (as above)
    from draftengine.compiled.player import Learner  # noqa: PLC0415 (imports the whole text)

    for form in (True, False) if compiled else (False,):
        with suppress(UnsupportedError):
            return Learner(key.own, compiled=form)
    return None


def by_reference(worth: Worth, games: range) -> Sums:
    """Plays games with the reference engine and returns what they say of the table."""
    in_round, in_game, met, lead = Sums.none(len(worth.values))
    for number in games:
        game = _Game(worth, number)
        for own in game.play():
            in_round[own.place] += own.in_round
            in_game[own.place] += own.in_game
            met[own.place] += 1
        lead += _lead(game.state)
    return Sums(in_round, in_game, met, lead)


def _lead(state: State) -> int:
    """How far the best player is ahead of the next."""
    totals = sorted(state.program.direction * total(state, seat) for seat in range(state.program.players))
    return totals[-1] - totals[-2] if len(totals) > 1 else 0


class _Choice(Struct):
    """A choice of a game."""

    seat: int
    place: int
    """In the table."""
    before: int
    """What the seat would have had then."""
    in_round: int = 0
    """What it gained from there to the end of the round."""
    in_game: int = 0
    """What it gained from there to the end of the game."""


class _Game:
    """A game in which every choice is written down."""

    def __init__(self, worth: Worth, game: int) -> None:
        self.worth = worth
        self.state = fresh(worth.program, _KEY, game, memory=False)
        self.stream = Stream(key_of(_KEY, game, "bot"))
        table = by_table(worth, explore=EXPLORE)
        self.policies = [table if self.stream.below(STRANGERS) else greedy_move for _ in self.state.program.everyone]
        self.choices: list[_Choice] = []
        self.closed = 0
        """So many choices were made in rounds that are over."""

    def play(self) -> list[_Choice]:
        """Plays the game and returns all its choices, each with what was gained after it."""
        state = self.state
        if advance_in_round(state):
            self._close()
        while state.pending:
            choice, chosen = choice_of(state), {}
            for seat in state.pending:
                policy = self.policies[seat]
                chosen[seat] = policy(state, choice, seat, self.stream)
                if policy is not greedy_move:
                    self._note(choice, seat, chosen[seat])
            state.chosen = chosen
            state.pc = choice.settle(state, None)
            while advance_in_round(state):
                self._close()
                if state.over:
                    break
                state.pc = _begin_next(state)
        totals = [SCALE * total(state, seat) for seat in state.program.everyone]
        for own in self.choices:
            own.in_game = self._gained(own, totals)
        return self.choices

    def _note(self, choice: Choice, seat: int, move: Move) -> None:
        state = self.state
        width = state.program.width
        items = [code % width for code in move if code // width < choice.first_other]
        glance = Glance.of_state(state)
        play = shown_play(glance, choice, items[0]) if items else -1
        if play < 0:
            return
        aside = not (choice.taken_by(move)[0].laying if choice.ways else choice).plays
        place = self.worth.place((state.round, state.turn), play, state.words[seat], aside=aside)
        words, at_once = outcome(glance, choice, seat, move)
        points = at_once + standing(glance.with_words(words), seat)
        totals = [SCALE * total(state, player) for player in range(state.program.players)]
        self.choices.append(_Choice(seat, place, _ahead(totals, seat) + SCALE * points))

    def _close(self) -> None:
        totals = prospects(self.state, SCALE)[: self.state.program.players]
        for own in self.choices[self.closed :]:
            own.in_round = self._gained(own, totals)
        self.closed = len(self.choices)

    def _gained(self, own: _Choice, totals: Sequence[int]) -> int:
        return self.state.program.direction * (_ahead(totals, own.seat) - own.before)


def _ahead(totals: Sequence[int], seat: int) -> int:
    """How much a seat has more than the others on average."""
    others = len(totals) - 1
    return totals[seat] - (sum(totals) - totals[seat]) // others if others else totals[seat]


def _begin_next(state: State) -> int:
    """The instruction after the end of a round that is not the last."""
    step = cast("EndRound", state.program.code[state.pc])
    return step.again


def _table(program: Program, sums: Sums, before: Sequence[int]) -> tuple[int, ...]:
    """Mean gains, less what everything that is taken in the same turn gains: a table compares cards of one turn.

    An entry that was hardly met is like what was thought of it `before`, or like the others of its play and turn.
    """
    gained, met = _gains(program, sums), sums.met
    block, values = len(met) // ROUNDS_LEFT, []
    for start in range(0, len(met), block):
        turns = [_mean(gained, met, range(start + turn, start + block, TURNS)) for turn in range(TURNS)]
        for first in range(start, start + block, LEVELS * TURNS):
            for at in range(first, first + LEVELS * TURNS):
                turn = (at - first) % TURNS
                usual = (
                    turns[turn] + before[at]
                    if before
                    else _mean(gained, met, range(first + turn, first + LEVELS * TURNS, TURNS), turns[turn])
                )
                worth = (gained[at] + _TRUST * usual) // (met[at] + _TRUST) - turns[turn]
                values.append((worth + GRAIN // 2) // GRAIN * GRAIN)
    return tuple(values)


def _gains(program: Program, sums: Sums) -> list[int]:
    """What was gained in all, by entry: in the round, and by plays of which something lasts in the game.

    After the round they gain what everybody gains then, which is taken off again, and what comes of them.
    """
    row, plays, gained = LEVELS * TURNS, len(program.plays), list(sums.in_round)
    lasts = [_lasts(program, play) for play in program.plays]
    block = 2 * plays * row
    for start in range(0, len(gained), block):
        for turn in range(TURNS):
            places = range(start + turn, start + block, TURNS)
            others = [at for at in places if not lasts[at // row % plays]]
            later = sum(sums.in_game[at] - sums.in_round[at] for at in others)
            usual = later // max(sum(sums.met[at] for at in others), 1)
            for at in places:
                if lasts[at // row % plays]:
                    gained[at] = sums.in_game[at] - usual * sums.met[at]
    return gained


def _lasts(program: Program, play: Laid) -> bool:
    """Is anything of a play still there when tableaus were cleared."""
    changed = [amount.field.bits for effect in play.effects for amount in program.effects[effect].amounts]
    return any(bits & program.keep_bits for bits in (play.increment, *changed))


def _mean(gained: list[int], met: list[int], places: range, usual: int = 0) -> int:
    """The mean of some entries; few times met, it is nearer to what is usual."""
    count = sum(met[at] for at in places)
    return (sum(gained[at] for at in places) + _TRUST * usual) // (count + _TRUST)
