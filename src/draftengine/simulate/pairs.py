"""Two games side by side: the same seeds, game by game, so that what both have in common cancels out.

Every game gives a list of numbers (see `quantities`); of each the sums of A, of B, of the difference and of its square
are counted, as whole numbers, so that chunks can be merged in any order.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.engine.chance import root_of
from draftengine.kernel.accounting import SHARES
from draftengine.simulate.playing import player_of, sources_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.program import Program
    from draftengine.simulate.playing import Rows
    from draftengine.simulate.task import Task

OF_A, OF_B, DIFFERENCE, SQUARES = range(4)
"""What is summed of each quantity."""


class Quantity(Struct, frozen=True):
    """Something that is compared: a share of wins, a score, the points of a rule."""

    kind: str
    """``win``, ``score``, ``rule``, ``margin`` or ``shared``."""
    name: str
    unit: int
    """So many of what is counted make one."""


class Pair(Struct, frozen=True):
    """The games `first` to `last - 1` of a seed in both forms. The tasks differ in game and engine alone."""

    a: Task
    b: Task


class PairChunk(Struct, frozen=True):
    first: int
    last: int
    tally: list[int]
    """For each quantity: sums of A, B, the difference and its square. Behind them those of each form (`Tally`)."""
    tally_a: list[int]
    tally_b: list[int]
    seconds: float


def quantities(one: Program, two: Program) -> list[Quantity]:
    """What is compared. Seats and rules that only one form has count as zero in the other."""
    seats = range(max(one.seats, two.seats))
    rules = dict.fromkeys((*sources_of(one), *sources_of(two)))
    return [
        *(Quantity("win", f"{seat}", SHARES) for seat in seats),
        *(Quantity("score", f"{seat}", 1) for seat in seats),
        *(Quantity("rule", name, 1) for name in rules),
        Quantity("margin", "", 1),
        Quantity("shared", "", 1),
    ]


def play_pair(pair: Pair) -> PairChunk:
    """Play both forms and compare game by game."""
    one, two = pair.a.game.program, pair.b.game.program
    wanted = quantities(one, two)
    players = [player_of(own.game.program, own.bots, own.engine, logged=own.logged) for own in (pair.a, pair.b)]
    for player in players:
        player.warm_up()
    began = time.perf_counter()
    root = root_of(pair.a.seed)
    (tally_a, rows_a), (tally_b, rows_b) = [
        player.play(root, pair.a.first, pair.a.last, rows=True) for player in players
    ]
    first, second = _measured(one, wanted, rows_a), _measured(two, wanted, rows_b)
    sums = [0] * (4 * len(wanted))
    for place, (mine, theirs) in enumerate(zip(first, second, strict=True)):
        differences = [other - own for own, other in zip(mine, theirs, strict=True)]
        sums[4 * place : 4 * place + 4] = (
            sum(mine),
            sum(theirs),
            sum(differences),
            sum(own * own for own in differences),
        )
    return PairChunk(pair.a.first, pair.a.last, sums, tally_a, tally_b, time.perf_counter() - began)


def _measured(program: Program, wanted: Sequence[Quantity], rows: Rows) -> list[list[int]]:
    """For each quantity its value in every game."""
    seats = program.seats
    columns = list(map(list, zip(*rows, strict=True)))
    winners = columns[seats]
    shares = [SHARES // bits.bit_count() for bits in winners]
    places: dict[str, list[int]] = {}
    for source, name in enumerate(sources_of(program)):
        start = seats + 1 + source * seats
        places.setdefault(name, []).extend(range(start, start + seats))
    nothing = [0] * len(rows)

    def measure(wish: Quantity) -> list[int]:
        match wish.kind:
            case "win":
                seat = int(wish.name)
                if seat >= seats:
                    return nothing
                return [share if bits >> seat & 1 else 0 for bits, share in zip(winners, shares, strict=True)]
            case "score":
                return columns[int(wish.name)] if int(wish.name) < seats else nothing
            case "rule":
                own = [columns[place] for place in places.get(wish.name, ())]
                return [sum(points) for points in zip(*own, strict=True)] if own else nothing
            case "margin":
                sign = program.direction
                totals = zip(*columns[:seats], strict=True)
                return [sign * _margin(own, bits, sign) for own, bits in zip(totals, winners, strict=True)]
            case _:
                return [int(bits.bit_count() > 1) for bits in winners]

    return [measure(wish) for wish in wanted]


def _margin(totals: Sequence[int], winners: int, sign: int) -> int:
    """How far the winner is from the next; nothing if the victory is shared."""
    if winners.bit_count() != 1 or len(totals) == 1:
        return 0
    winner = winners.bit_length() - 1
    others = (sign * own for seat, own in enumerate(totals) if seat != winner)
    return totals[winner] - sign * max(others)


def stretch(pair: Pair, first: int, last: int) -> Pair:
    """The same for other games."""
    return Pair(replace(pair.a, first=first, last=last), replace(pair.b, first=first, last=last))
