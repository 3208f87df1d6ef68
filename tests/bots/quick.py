"""Helpers for tests of bots: ready worth tables, moments of games, and bots of other packages."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING

from compiled import load_program
from draftengine.bots import Decision
from draftengine.bots.worth.learning import GRAIN, Learned
from draftengine.engine.moves import legal_moves
from draftengine.engine.plan.base import LEVELS, ROUNDS_LEFT, TURNS, distinguishing_counters
from draftengine.engine.policies import Worth, no_worth, size_of
from draftengine.model.library import open_set
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
    """Return a worth table drawn from a seed, up to three points; equal games get equal tables."""
    key = program.rules_hash, program.players
    if key not in _known:
        chance = Random("-".join(map(str, key)))
        grains = chance.choices([GRAIN * count for count in range(-48, 48)], k=size_of(program))
        _known[key] = Learned(Worth(program, distinguishing_counters(program), tuple(grains)), LEAD)
    return _known[key]


def nothing(program, told=None):
    """Return a worth table in which every card is worth nothing; equal games get one table."""
    return _of_no_worth(IdentityKey(program))


@cache
def _of_no_worth(program):
    return Learned(no_worth(program.own), LEAD)


def moments(program, seed):
    """Return states of a random game, each with a seat that has more than one legal move."""
    return [
        (state, seat)
        for state, seat, *_ in gates.steps(program, seed)
        if seat >= 0 and len(legal_moves(state, seat)) > 1
    ]


class Last:
    """A bot that makes the last legal move, as no other bot would."""

    def __init__(self, depth: int = 3, name: str = "last", boldness: float = 0.5) -> None:
        self.depth = depth
        self.name = name
        self.boldness = boldness

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        return Decision(seen.moves[-1])


def place_of(worth: Worth, now: tuple[int, int], play: int, word: int, *, aside: bool) -> int:
    """Return the index of a play in its worth table, at `now` (round, turn), for this packed word."""
    shift, mask, bias = worth.counters[play]
    level = min(max((word >> shift & mask) - bias, 0), LEVELS - 1)
    left = min(worth.program.model.rounds - now[0], ROUNDS_LEFT - 1)
    row = play + (2 * left + aside) * len(worth.counters)
    return (row * LEVELS + level) * TURNS + min(now[1], TURNS - 1)
