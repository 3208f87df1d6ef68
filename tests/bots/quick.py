"""What tests of bots share: tables that nobody had to learn, moments of games, and bots that other packages bring."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING

from compiled import load_program
from draftengine.bots import Decision
from draftengine.bots.worth.learning import GRAIN, Learned
from draftengine.engine.moves import legal_moves
from draftengine.engine.plan.base_items import LEVELS, ROUNDS_LEFT, TURNS, distinguishing_counters
from draftengine.engine.worth_tables import Worth, no_worth, size_of
from draftengine.model.library.library import open_set
from draftengine.model.selection import parse_selection
from draftengine.support.identity import IdentityKey
from engine import gates

if TYPE_CHECKING:
    from draftengine.bots import Budget
    from draftengine.engine.chance import Stream
    from draftengine.engine.observe import Observation

LEAD = 5.0
_known: dict[tuple[str, int], Learned] = {}


@cache
def program_of(cardset, players, *variants):
    return load_program(open_set(cardset).document, parse_selection(variants), players)


def guessed(program, told=None):
    """A table of worths as a seeded generator has them, up to three points; the same for the same game."""
    key = program.rules_hash, program.players
    if key not in _known:
        chance = Random("-".join(map(str, key)))
        grains = chance.choices([GRAIN * count for count in range(-48, 48)], k=size_of(program))
        _known[key] = Learned(Worth(program, distinguishing_counters(program), tuple(grains)), LEAD)
    return _known[key]


def nothing(program, told=None):
    """A table that says of no card that it is worth anything later; the same for the same game."""
    return _of_no_worth(IdentityKey(program))


@cache
def _of_no_worth(program):
    return Learned(no_worth(program.own), LEAD)


def moments(program, seed):
    """States of a random game, each with a seat that has something to choose in it."""
    return [
        (state, seat)
        for state, seat, *_ in gates.steps(program, seed)
        if seat >= 0 and len(legal_moves(state, seat)) > 1
    ]


class Last:
    """The last of the legal moves.

    Nobody would play like that.
    """

    def __init__(self, depth: int = 3, name: str = "last", boldness: float = 0.5) -> None:
        self.depth = depth
        self.name = name
        self.boldness = boldness

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        return Decision(seen.moves[-1])


def place_of(worth: Worth, now: tuple[int, int], play: int, word: int, *, aside: bool) -> int:
    """Where the worth of a play stands in its table, `now` (round, turn), for a seat with this packed word."""
    shift, mask, bias = worth.counters[play]
    level = min(max((word >> shift & mask) - bias, 0), LEVELS - 1)
    left = min(worth.program.model.rounds - now[0], ROUNDS_LEFT - 1)
    row = play + (2 * left + aside) * len(worth.counters)
    return (row * LEVELS + level) * TURNS + min(now[1], TURNS - 1)
