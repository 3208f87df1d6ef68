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
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from draftengine.engine.chance import Stream
from draftengine.engine.kernel.running import advance
from draftengine.engine.moves import choice_of, legal_moves
from draftengine.engine.plan.base_items import LEVELS, ROUNDS_LEFT, TURNS
from draftengine.engine.playout import random_moves
from draftengine.engine.state import initial_state
from draftengine.engine.worth_tables import Worth, no_worth
from draftengine.model.flow import flow_bounds
from draftengine.model.language.tree import nodes_in
from draftengine.support.identity import IdentityKey

if TYPE_CHECKING:
    from draftengine.engine.players import LearningRunner
    from draftengine.engine.program import Play as Laid
    from draftengine.engine.program import Program

ROUNDS, GAMES = 12, 500
"""So often the table is made anew, after so many more games. More games hardly make it stronger."""
ROUNDS_MORE = 4
"""So often, if something is known before from a similar game."""
SLOWER = 25
"""So many times fewer games are played where moves are too many to look at each, because they take so much longer."""
_WORK = 20_000
"""A game of more work than that, in nodes of formulas that are scored, is played fewer times."""
_FEWEST = 5
"""No table is made of fewer games."""
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
    for stretch in [games] if learner_of(worth.program).compiled else stretches(games):
        yield stretch, sums_of(worth, stretch)


def sums_of(worth: Worth, games: range) -> Sums:
    """What games say of the table."""
    return Sums(*learner_of(worth.program).learn(worth, _KEY, games.start, games.stop))


def stretches(games: range) -> list[range]:
    """The games in stretches that take no long time each."""
    return [games[start : start + STRETCH] for start in range(0, len(games), STRETCH)]


def learn(
    program: Program,
    progress: Callable[[float], None] = lambda _: None,
    play: Play = here,
    before: Worth | None = None,
) -> Learned:
    """The worth of every card, after self-play; `progress` hears how much of it is done (0 to 1).

    With what is thought of the cards `before` it is sooner done: what is not met in the games stays as it was.
    """
    worth, rounds = before or no_worth(program), ROUNDS_MORE if before else ROUNDS
    sums = Sums.none(len(worth.values))
    times = dict(flow_bounds(program.model, program.players).scored)
    work = program.seats * sum(
        times.get(rule.at, 0) * sum(1 for formula in rule.spec.inputs() for _ in nodes_in(formula.expr))
        for rule in program.model.scoring
    )
    most = min(GAMES, GAMES * _WORK // max(1, work))
    number = max(_FEWEST, most if _is_quick(program) else most // SLOWER)
    for first in range(0, rounds * number, number):
        for games, more in play(worth, range(first, first + number)):
            sums = sums.plus(more)
            progress(games.stop / (rounds * number))
        worth = Worth(program, worth.counters, _table(program, sums, before.values if before else ()))
    return Learned(worth, round(sums.lead / (rounds * number), 2))


def _is_quick(program: Program) -> bool:
    """Can each move of every choice be looked at, in a game at random."""
    state, stream = initial_state(program, _KEY, 0, memory=False), Stream(_KEY)
    advance(state, None)
    while state.pending:
        if not all(legal_moves(state, seat).few for seat in state.pending):
            return False
        choice = choice_of(state)
        state.chosen = random_moves(state, choice, stream)
        state.pc = choice.settle(state, None)
        advance(state, None)
    return True


def learner_of(program: Program) -> LearningRunner:
    """The game specialised to learn from, and compiled if it can be."""
    from draftengine.engine.plan.limits import can_compile  # noqa: PLC0415 (no bot needs it that has learnt)

    return _learner_of(IdentityKey(program), can_compile())


@lru_cache(2)
def _learner_of(key: IdentityKey[Program], compiled: bool) -> LearningRunner:  # noqa: FBT001 (cached)
    from draftengine.engine.plan.limits import UnsupportedError  # noqa: PLC0415 (as above)
    from draftengine.engine.players import LearningRunner  # noqa: PLC0415 (imports the whole kernel)

    if compiled:
        with suppress(UnsupportedError):
            return LearningRunner(key.own)
    return LearningRunner(key.own, compiled=False)


def _table(program: Program, sums: Sums, before: Sequence[int]) -> tuple[int, ...]:
    """Mean gains, less what everything that is taken in the same turn gains: a table compares cards of one turn.

    An entry that was hardly met is like what was thought of it `before`, or like the others of its play and turn.
    """
    gained, met = _gains(program, sums), sums.met
    block, values = len(met) // ROUNDS_LEFT, []
    for start in range(0, len(met), block):
        turns = [_mean(gained, met, range(start + turn, start + block, TURNS)) for turn in range(TURNS)]
        for first in range(start, start + block, LEVELS * TURNS):
            for entry in range(first, first + LEVELS * TURNS):
                turn = (entry - first) % TURNS
                usual = (
                    turns[turn] + before[entry]
                    if before
                    else _mean(gained, met, range(first + turn, first + LEVELS * TURNS, TURNS), turns[turn])
                )
                worth = (gained[entry] + _TRUST * usual) // (met[entry] + _TRUST) - turns[turn]
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
            others = [entry for entry in places if not lasts[entry // row % plays]]
            later = sum(sums.in_game[entry] - sums.in_round[entry] for entry in others)
            usual = later // max(sum(sums.met[entry] for entry in others), 1)
            for entry in places:
                if lasts[entry // row % plays]:
                    gained[entry] = sums.in_game[entry] - usual * sums.met[entry]
    return gained


def _lasts(program: Program, play: Laid) -> bool:
    """Is anything of a play still there when tableaus were cleared."""
    changed = [amount.field.field_mask for effect in play.effects for amount in program.effects[effect].amounts]
    return any(bits & program.keep_bits for bits in (play.increment, *changed))


def _mean(gained: list[int], met: list[int], places: range, usual: int = 0) -> int:
    """The mean of some entries; few times met, it is nearer to what is usual."""
    count = sum(met[entry] for entry in places)
    return (sum(gained[entry] for entry in places) + _TRUST * usual) // (count + _TRUST)
